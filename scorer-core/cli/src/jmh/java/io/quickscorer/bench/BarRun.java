// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import io.quickscorer.bench.BarGroup.Bar;
import io.quickscorer.scorer.Algorithm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * One group in a JVM of its own. Writes three files: the rows as JSON, the rows as lines of a
 * Markdown table, and the bars as such.
 */
final class BarRun {
  private final BarGroup group;
  private final Rounds rounds;
  private final List<Row> rows = new ArrayList<>();
  private final StringBuilder bars = new StringBuilder();

  private BarRun(BarGroup group, Rounds rounds) {
    this.group = group;
    this.rounds = rounds;
  }

  static Path rows(Path folder, BarGroup group) {
    return folder.resolve(group.name() + ".json");
  }

  static Path table(Path folder, BarGroup group) {
    return folder.resolve(group.name() + ".rows.md");
  }

  static Path bars(Path folder, BarGroup group) {
    return folder.resolve(group.name() + ".bars.md");
  }

  static void run(BarGroup group, Rounds rounds, Path folder) throws IOException {
    BarRun run = new BarRun(group, rounds);
    run.time();
    Files.writeString(bars(folder, group), run.bars);
    Files.writeString(table(folder, group), run.table());
    Files.writeString(rows(folder, group), Row.toJson(run.rows));
  }

  private void time() {
    TrainedModel model = TrainedModel.of(group.trees(), group.leaves()).repeated(group.repeats());
    List<Peer> peers =
        Peers.in(Bars.PEERS).found().stream()
            .filter(peer -> group.peers().contains(peer.name()))
            .toList();
    try (ExecutorService helpers = Executors.newCachedThreadPool()) {
      EngineComparison comparison =
          new EngineComparison(
              model.ensemble(),
              model.text().getBytes(StandardCharsets.UTF_8),
              helpers,
              reason -> System.err.println("left out: " + reason));
      for (int documents : group.documents()) {
        Batches batches = Batches.of(model.ensemble(), TrainedModel.rows(Bars.POOL), documents);
        time(comparison, batches, peers);
      }
    }
  }

  private void time(EngineComparison comparison, Batches batches, List<Peer> peers) {
    List<Contender> contenders = new ArrayList<>();
    for (Algorithm engine : group.engines()) {
      contenders.addAll(comparison.engine(engine, batches));
      if (group.bars().stream().anyMatch(bar -> bar.other().equals(engine + Bar.TUNED))) {
        contenders.addAll(comparison.planned(engine, batches));
      }
      if (group.bars().stream().anyMatch(bar -> bar.engine().equals(engine + Bar.PARALLEL))) {
        contenders.addAll(comparison.onThreads(engine, group.threads(), batches));
      }
    }
    for (Peer peer : peers) {
      contenders.addAll(comparison.peer(peer, batches));
    }
    List<Row> timed = comparison.time(contenders, batches, rounds, step -> {});
    contenders.forEach(Contender::close);
    rows.addAll(timed);
    for (Bar bar : group.bars()) {
      if (bar.documents() == batches.documents()) {
        bars.append(line(bar, timed));
      }
    }
  }

  private String line(Bar bar, List<Row> timed) {
    Row engine = find(bar.engine(), timed);
    Row other = find(bar.other(), timed);
    String measured = "not timed | |";
    if (engine != null && other != null) {
      double ratio = other.timing().over(engine.timing());
      measured =
          String.format(
              Locale.ROOT,
              "**%.2f** | %s |",
              ratio,
              bar.times() == 0 ? "" : ratio >= bar.times() ? "yes" : "no");
    }
    return String.format(
        Locale.ROOT,
        "| %,d | %d | %,d | %s | %s | %s | %s%n",
        group.trees() * group.repeats(),
        group.leaves(),
        bar.documents(),
        bar.engine() + group.jvm().note(),
        bar.other(),
        bar.times() == 0 ? "" : bar.times(),
        measured);
  }

  /** The row of an engine; null if it was left out. */
  private static Row find(String name, List<Row> timed) {
    boolean parallel = name.endsWith(Bar.PARALLEL);
    boolean tuned = name.endsWith(Bar.TUNED);
    String engine = name.replace(Bar.PARALLEL, "").replace(Bar.TUNED, "");
    return timed.stream()
        .filter(row -> row.label().engine().equals(engine))
        .filter(row -> parallel == row.label().threads() > 1)
        .limit(tuned ? Long.MAX_VALUE : 1)
        .min(Comparator.comparingDouble(Row::nanos))
        .orElse(null);
  }

  private String table() {
    StringBuilder table = new StringBuilder();
    for (Row row : rows) {
      Contender.Label label = row.label();
      table.append(
          String.format(
              Locale.ROOT,
              "| %,d | %d | %,d | %s%s | %d | %.2f | %.2f–%.2f | %s | %.0f | %s |%n",
              row.shape().trees(),
              row.shape().maxLeaves(),
              row.documents(),
              label.engine(),
              group.jvm().note(),
              label.threads(),
              row.nanos(),
              row.low(),
              row.high(),
              label.bytesPerTree() == null
                  ? ""
                  : String.format(Locale.ROOT, "%.0f", label.bytesPerTree()),
              row.timing().allocatedPerDocument(),
              label.plan() == null ? "" : label.plan()));
    }
    return table.toString();
  }
}

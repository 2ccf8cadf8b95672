// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.measure;

import io.quickscorer.demo.corpus.Corpus;
import io.quickscorer.demo.corpus.CorpusFolder;
import io.quickscorer.demo.corpus.GeneratedShop;
import io.quickscorer.measure.MeasuredFeatures.Feature;
import io.quickscorer.measure.MeasuredFeatures.Kind;
import io.quickscorer.node.RunningNode;
import io.quickscorer.train.data.JudgedQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import tools.jackson.databind.node.ObjectNode;

/**
 * Measures the cost of features, and of OpenSearch's own rescorer with one query clause per
 * feature. All kinds of searches (ways) run alternately, in rounds. A figure is the median
 * processor time of the node's threads per search, which other programs change less than the
 * elapsed time.
 *
 * <p>System properties: {@code node.home} (the folder of OpenSearch), {@code demo.corpus} (a folder
 * with a corpus; empty for a generated corpus), {@code extraction.copies} (number of times that the
 * corpus is indexed), {@code extraction.rounds}, {@code extraction.queries} (per round), {@code
 * extraction.data} (a folder in which the index remains for later runs) and {@code
 * extraction.before} (the folder of an OpenSearch with an earlier build to compare with).
 */
public final class ExtractionBenchmark {
  private static final String INDEX = "extraction";
  private static final int SEGMENTS = 16;
  private static final int WINDOW = 1_000;
  private static final int COMPARED_QUERIES = 3;
  private static final int PRODUCTS = 9_750;

  private final Corpus corpus;
  private final List<Feature> features;

  /** The nodes to measure: the node of the earlier build, if any, then the node of this build. */
  private final List<Side> sides = new ArrayList<>();

  private final int rounds = Integer.getInteger("extraction.rounds", 9);
  private final int queriesPerRound = Integer.getInteger("extraction.queries", 100);
  private List<String> queries = List.of();

  /**
   * The node of one build of the plugin.
   *
   * @param prefix the text with which the names of the build's figures begin
   */
  private record Side(String prefix, RunningNode process, MeasuredNode node) {}

  private ExtractionBenchmark(Corpus corpus) {
    this.corpus = corpus;
    this.features = MeasuredFeatures.of(corpus.fields());
  }

  /** Runs the benchmark. Throws an exception if a request fails or a feature's value is wrong. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    String folder = System.getProperty("demo.corpus", "");
    Corpus corpus =
        folder.isEmpty()
            ? GeneratedShop.generate(PRODUCTS, 500)
            : CorpusFolder.read(Path.of(folder));
    String kept = System.getProperty("extraction.data", "");
    Path data =
        kept.isEmpty()
            ? Files.createTempDirectory("extraction")
            : Files.createDirectories(Path.of(kept));
    new ExtractionBenchmark(corpus).run(data, System.getProperty("extraction.before", ""));
  }

  private void run(Path data, String earlier) throws IOException, InterruptedException {
    if (earlier.isEmpty()) {
      try (RunningNode process = start(RunningNode.home(), data)) {
        MeasuredNode node = new MeasuredNode(process.client(), corpus, INDEX, features);
        index(node);
        sides.add(new Side("", process, node));
        run();
      }
      return;
    }
    Path copy = data.resolveSibling(data.getFileName() + "-before");
    if (!Files.exists(copy)) {
      try (RunningNode process = start(RunningNode.home(), data)) {
        index(new MeasuredNode(process.client(), corpus, INDEX, features));
      }
      MeasuredHome.copy(data, copy, copy);
    }
    try (RunningNode before = start(Path.of(earlier), copy);
        RunningNode process = start(RunningNode.home(), data)) {
      for (RunningNode each : List.of(before, process)) {
        MeasuredNode node = new MeasuredNode(each.client(), corpus, INDEX, features);
        sides.add(new Side(each == before ? "before: " : "", each, node));
      }
      run();
    }
  }

  private static RunningNode start(Path home, Path data) throws IOException, InterruptedException {
    return RunningNode.start(home, data, List.of(), Map.of(), Duration.ofMinutes(10));
  }

  private void run() {
    for (Side side : sides) {
      for (Kind kind : Kind.values()) {
        side.node.putModel(name(kind), kind::equals);
      }
      side.node.putModel("all", kind -> true);
    }
    queries =
        corpus.queries().stream().map(JudgedQuery::text).filter(this::fills).limit(60).toList();
    say("%d queries that fill a window of %d", queries.size(), WINDOW);
    if (sides.getFirst().node.segments() > 1) {
      measure();
      sides.forEach(side -> side.node.merge(1));
    }
    measure();
  }

  private void index(MeasuredNode node) {
    if (node.hasIndex()) {
      return;
    }
    int copies = Integer.getInteger("extraction.copies", 20);
    node.createIndex(1);
    node.addSegments(copies, SEGMENTS);
    say(
        "%s: %d documents in %d segments",
        corpus.name(), copies * corpus.documents().size(), node.segments());
  }

  private boolean fills(String text) {
    MeasuredNode node = sides.getFirst().node;
    return node.search(node.firstPass(text, 0)).at("/hits/total/value").asInt() >= WINDOW;
  }

  private static String name(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static void say(String format, Object... arguments) {
    System.out.printf(Locale.ROOT, format + "%n", arguments);
  }

  /**
   * A kind of search to measure.
   *
   * @param body returns the body of the search, for a query's text and a number of hits to rank
   */
  private record Way(Side side, String name, BiFunction<String, Integer, ObjectNode> body) {}

  private List<Way> ways() {
    List<Way> ways = new ArrayList<>();
    for (Side side : sides) {
      MeasuredNode node = side.node;
      ways.add(new Way(side, "idle", node::idle));
      ways.add(new Way(side, "clauses", node::clauses));
      ways.add(new Way(side, "all", (text, window) -> node.extracted(text, window, "all")));
      for (Kind kind : Kind.values()) {
        String set = name(kind);
        ways.add(new Way(side, set, (text, window) -> node.extracted(text, window, set)));
      }
    }
    return ways;
  }

  private void measure() {
    say("%n%d segments", sides.getFirst().node.segments());
    int compared = 0;
    for (String query : queries.subList(0, Math.min(COMPARED_QUERIES, queries.size()))) {
      for (Side side : sides) {
        compared += side.node.compare(query, WINDOW, "all");
      }
    }
    say(
        "%d feature values are bit-identical to the scores of searches with their queries",
        compared);
    Map<String, List<Double>> small = new LinkedHashMap<>();
    Map<String, List<Double>> large = new LinkedHashMap<>();
    // The first three rounds warm up the node and are not counted.
    for (int round = -3; round < rounds; round++) {
      for (Way way : ways()) {
        for (int window : new int[] {1, WINDOW}) {
          double millis = round(way, window, round);
          if (round >= 0) {
            (window == 1 ? small : large)
                .computeIfAbsent(way.side.prefix + way.name, key -> new ArrayList<>())
                .add(millis);
          }
        }
      }
    }
    say(
        "processor time; fixed = (window of 1 hit) - idle; per document = (window of %d hits)"
            + " - idle - fixed",
        WINDOW);
    sides.forEach(side -> report(side.prefix, small, large));
  }

  /**
   * Runs one round of searches, and returns the node's processor time per search in ms.
   *
   * @param window number of hits to rank
   * @param round index of the round, which selects the queries
   */
  private double round(Way way, int window, int round) {
    long start = way.side.process.processorTime().toNanos();
    for (int i = 0; i < queriesPerRound; i++) {
      String query = queries.get(Math.floorMod(round * queriesPerRound + i, queries.size()));
      way.side.node.search(way.body.apply(query, window));
    }
    return (way.side.process.processorTime().toNanos() - start) / 1e6 / queriesPerRound;
  }

  private void report(
      String side, Map<String, List<Double>> small, Map<String, List<Double>> large) {
    double idleSmall = median(small, side + "idle");
    double idleLarge = median(large, side + "idle");
    say(
        "%-20s %8s %10s %10s %9s %9s %12s",
        "", "features", "w1 ms", "w" + WINDOW + " ms", "fixed ms", "us/doc", "ns/doc/feature");
    for (Way way : ways()) {
      if (!way.side.prefix.equals(side)) {
        continue;
      }
      double one = median(small, side + way.name);
      double all = median(large, side + way.name);
      double fixed = one - idleSmall;
      double perDocument = (all - idleLarge - fixed) * 1000 / (WINDOW - 1);
      long count =
          features.stream()
              .filter(
                  f ->
                      way.name.equals("all")
                          || way.name.equals("clauses")
                          || name(f.kind()).equals(way.name))
              .count();
      say(
          "%-20s %8d %10.2f %10.2f %9.2f %9.2f %12.0f",
          side + way.name,
          count,
          one,
          all,
          fixed,
          perDocument,
          count == 0 ? 0 : perDocument * 1000 / count);
    }
    say(
        "%sclauses take %.2f times the processor time of all features, in a window of %d",
        side,
        (median(large, side + "clauses") - idleLarge) / (median(large, side + "all") - idleLarge),
        WINDOW);
  }

  private static double median(Map<String, List<Double>> figures, String way) {
    return EndToEndBenchmark.median(Objects.requireNonNull(figures.get(way), way));
  }
}

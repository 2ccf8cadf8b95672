// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.cluster.QuickScorerApi;
import io.quickscorer.train.data.FeatureLog;
import io.quickscorer.train.data.FeatureRows;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.data.LogOrigin;
import io.quickscorer.train.data.TrainerFormat;
import io.quickscorer.train.trainer.Progress;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import me.tongfei.progressbar.ProgressBar;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes the feature values of the judged queries' hits to files. */
final class FeatureLogging {
  private static final JsonMapper JSON = new JsonMapper();

  private static final int BATCH = 50;

  private final LogOptions options;
  private final QuickScorerApi api;

  FeatureLogging(LogOptions options, ClusterOptions cluster) throws Failure {
    this.options = options;
    this.api = new QuickScorerApi(cluster.client());
  }

  /**
   * Writes feature values to a file for training, and continues where an earlier call stopped. If
   * the file was written with other options, renames the file and logs all queries again.
   *
   * @param check called first, with the names of the features; may throw IllegalStateException
   */
  void write(List<JudgedQuery> queries, Consumer<List<String>> check, Path file) throws Failure {
    String set = options.featureSet();
    ObjectNode body = options.body("ndjson");
    ObjectNode shared = options.sharedParams();
    try {
      JsonNode defined = api.featureSet(set);
      List<String> names = names(defined);
      check.accept(names);
      String header = FeatureLog.header(names, options.origin(defined, queries));
      Set<String> done = begun(file, header);
      List<JudgedQuery> pending = queries.stream().filter(q -> !done.contains(q.id())).toList();
      try (BufferedWriter out = writer(file, header, done);
          ProgressBar bar = Progress.bar("queries", pending.size())) {
        for (int from = 0; from < pending.size(); from += BATCH) {
          List<JudgedQuery> batch = pending.subList(from, Math.min(from + BATCH, pending.size()));
          List<String> rows = rows(batch, body, shared);
          write(out, rows);
          out.flush();
          if (from == 0 && done.isEmpty()) {
            warn(batch, rows, names);
          }
          bar.stepTo(from + batch.size());
        }
      }
    } catch (IOException e) {
      throw Failure.unwritable(file, e);
    }
  }

  private static List<String> names(JsonNode set) {
    return set.get("features").valueStream().map(f -> f.get("name").asString()).toList();
  }

  /**
   * Requests the feature values of the hits of some queries. Returns one line per hit, with the
   * query id of the judgments.
   */
  private List<String> rows(List<JudgedQuery> queries, ObjectNode body, ObjectNode shared)
      throws Failure {
    ArrayNode asked = body.putArray("queries");
    for (JudgedQuery judged : queries) {
      options.ask(asked, judged, shared).put("qid", judged.id());
    }
    return api.log(options.featureSet(), body);
  }

  /** Prints features with the same value in all rows so far; their definitions may be wrong. */
  private static void warn(List<JudgedQuery> queries, List<String> rows, List<String> names) {
    List<FeatureLog.Line> lines = rows.stream().map(FeatureLog.Line::of).toList();
    FeatureRows.alike(FeatureRows.read(queries, lines), names)
        .values()
        .forEach(said -> System.out.println("    " + said + " so far"));
  }

  /** Logs all queries to the files of a format. Replaces existing files only at the end. */
  void write(List<JudgedQuery> queries, TrainerFormat format, Path file) throws Failure {
    ObjectNode body = options.body(format.label());
    // A link is not replaced, and a file that is not regular, such as a pipe, is written directly.
    boolean direct = Files.exists(file) ? !Files.isRegularFile(file) : Files.isSymbolicLink(file);
    try {
      Path target = Files.isRegularFile(file) ? file.toRealPath() : file;
      Path part = direct ? file : sibling(target, ".part");
      try {
        List<Integer> sizes = rows(queries, format, body, part);
        List<String> columns =
            format.columns() == null
                ? List.of()
                : api.log(options.featureSet(), body.put("file", "columns"), 0);
        if (!direct) {
          Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
        }
        if (format.sizes() != null) {
          Files.write(sibling(file, format.sizes()), sizes.stream().map(String::valueOf).toList());
        }
        if (format.columns() != null) {
          Files.write(sibling(file, format.columns()), columns);
        }
      } finally {
        if (!direct) {
          part.toFile().delete();
        }
      }
    } catch (IOException e) {
      throw Failure.unwritable(file, e);
    }
  }

  /**
   * Writes the rows of all queries. Returns the number of rows of each query, or an empty list if
   * the format needs no such numbers.
   */
  private List<Integer> rows(
      List<JudgedQuery> queries, TrainerFormat format, ObjectNode body, Path file)
      throws Failure, IOException {
    String set = options.featureSet();
    ObjectNode shared = options.sharedParams();
    List<Integer> sizes = new ArrayList<>();
    long inexact = 0;
    boolean found = false;
    try (BufferedWriter out = Files.newBufferedWriter(file);
        ProgressBar bar = Progress.bar("queries", queries.size())) {
      List<String> names = names(api.featureSet(set));
      int header = format.headerLines(names.size());
      List<JudgedQuery> first = queries.subList(0, Math.min(BATCH, queries.size()));
      warn(first, rows(first, options.body("ndjson"), shared), names);
      for (int from = 0; from < queries.size(); from += BATCH) {
        int to = Math.min(from + BATCH, queries.size());
        ArrayNode asked = body.putArray("queries");
        for (int q = from; q < to; q++) {
          JudgedQuery judged = queries.get(q);
          ObjectNode one = options.ask(asked, judged, shared);
          if (format.isNumbered()) {
            one.put("qid", q + 1);
          } else {
            one.put("qid", judged.id());
          }
        }
        List<String> lines = api.log(set, body, header);
        List<String> rows = lines.subList(header, lines.size());
        found |= !rows.isEmpty();
        if (format == TrainerFormat.XGBOOST) {
          inexact += rows.stream().flatMapToInt(String::chars).filter(c -> c == 'E').count();
        }
        write(out, from == 0 ? lines : rows);
        if (format.sizes() != null) {
          sizes.addAll(TrainerFormat.sizes(rows));
        }
        bar.stepTo(to);
      }
    }
    if (!found) {
      System.out.println("    " + Coverage.NO_HITS);
    }
    if (inexact > 0) {
      System.out.println(
          "    "
              + inexact
              + " values are below 2^-38 or at least 2^64, and XGBoost's text reader changes them."
              + " To keep them, log with --format CSV and read the file with a library for data"
              + " frames");
    }
    return sizes;
  }

  private static Path sibling(Path file, String ending) {
    return file.resolveSibling(file.getFileName() + ending);
  }

  private static void write(BufferedWriter out, List<String> lines) throws IOException {
    for (String line : lines) {
      out.write(line);
      out.newLine();
    }
  }

  /**
   * Returns the ids of the queries whose rows are complete. Removes the rows of the last query from
   * the file, because they may be incomplete.
   */
  private static Set<String> begun(Path file, String header) throws Failure, IOException {
    if (!Files.exists(file) || !FeatureLog.isBegun(file)) {
      return Set.of();
    }
    FeatureLog log = FeatureLog.read(file);
    if (log.lines().isEmpty()) {
      return Set.of();
    }
    List<String> differences =
        LogOrigin.differences(log.origin(), JSON.readTree(header).get("logged"));
    if (!differences.isEmpty()) {
      Path former = setAside(file);
      Files.move(file, former);
      System.out.println(
          "    "
              + file
              + " was logged with other options or features, so all queries are logged again. The"
              + " differences:");
      differences.forEach(difference -> System.out.println("      " + difference));
      System.out.println("    the old rows are in " + former);
      return Set.of();
    }
    List<String> ids = List.copyOf(log.queries());
    String last = ids.getLast();
    List<String> kept =
        log.lines().stream()
            .filter(line -> !line.query().equals(last))
            .map(FeatureLog.Line::text)
            .toList();
    Path whole = sibling(file, ".part");
    try (BufferedWriter out = Files.newBufferedWriter(whole)) {
      write(out, List.of(header));
      write(out, kept);
    }
    Files.move(whole, file, StandardCopyOption.REPLACE_EXISTING);
    Set<String> done = new HashSet<>(ids);
    done.remove(last);
    System.out.println(
        "    " + file + " contains " + done.size() + " queries; continuing after these");
    return done;
  }

  /** Returns an unused path to which the file of an earlier call can be renamed. */
  private static Path setAside(Path file) {
    Path former = sibling(file, ".former");
    for (int i = 2; Files.exists(former); i++) {
      former = sibling(file, ".former-" + i);
    }
    return former;
  }

  private static BufferedWriter writer(Path file, String header, Set<String> done)
      throws IOException {
    if (!done.isEmpty()) {
      return Files.newBufferedWriter(file, StandardOpenOption.APPEND);
    }
    BufferedWriter out = Files.newBufferedWriter(file);
    write(out, List.of(header));
    out.flush();
    return out;
  }
}

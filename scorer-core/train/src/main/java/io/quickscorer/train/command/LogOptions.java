// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.cluster.QuickScorerApi;
import io.quickscorer.train.data.FeatureLog;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.data.TrainerFormat;
import io.quickscorer.train.trainer.Progress;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What to log, and the logging itself. */
final class LogOptions {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int BATCH = 50;

  /** Hits of a search that is timed. */
  private static final int SHOWN = 10;

  @Option(
      names = "--index",
      paramLabel = "INDEX",
      description = "Where to search, as in a search's path.")
  private @Nullable String index;

  @Option(
      names = "--feature-set",
      paramLabel = "NAME",
      description = "The stored feature set whose values are logged.")
  private @Nullable String featureSet;

  @Option(
      names = "--query",
      paramLabel = "JSON|@FILE",
      description = "The first pass: a query in which {{keywords}} is the query's text.")
  private @Nullable String query;

  @Option(
      names = "--param",
      paramLabel = "NAME",
      defaultValue = "keywords",
      description = "The parameter that is the query's text (default: ${DEFAULT-VALUE}).")
  private String param = "keywords";

  @Option(
      names = "--params",
      paramLabel = "JSON",
      defaultValue = "{}",
      description = "Further parameters, the same for all queries.")
  private String params = "{}";

  @Option(
      names = "--size",
      paramLabel = "N",
      defaultValue = "100",
      description = "How many hits of each query (default: ${DEFAULT-VALUE}).")
  private int size = 100;

  /** Whether there is something to log. */
  boolean isGiven() {
    return index != null || query != null;
  }

  String index() throws Failure {
    return required(index, "--index");
  }

  int size() {
    return size;
  }

  /**
   * The search of a query, its hits rescored where a model is given.
   *
   * @param model the model's name, or null
   */
  ObjectNode search(JudgedQuery query, @Nullable String model) throws Failure {
    ObjectNode body = JSON.createObjectNode().put("size", SHOWN).put("_source", false);
    String quoted = JSON.writeValueAsString(query.text());
    String words = quoted.substring(1, quoted.length() - 1);
    body.set("query", JSON.readTree(firstPass().toString().replace("{{" + param + "}}", words)));
    if (model != null) {
      ObjectNode rescore = body.putObject("rescore").put("window_size", size);
      ObjectNode clause = rescore.putObject("quickscorer").put("model", model);
      clause.putObject("params").setAll(sharedParams()).put(param, query.text());
    }
    return body;
  }

  private JsonNode firstPass() throws Failure {
    JsonNode first = json(required(query, "--query"), "--query");
    return first.has("query") ? first.get("query") : first;
  }

  String featureSet() throws Failure {
    return required(featureSet, "--feature-set");
  }

  /** Asks for what is needed, with the option that is missing. */
  private static String required(@Nullable String value, String option) throws Failure {
    if (value == null) {
      throw Failure.usage("Missing required option: '" + option + "'");
    }
    return value;
  }

  /**
   * Logs into a file, and goes on where an earlier call was stopped: the queries of which it has
   * rows are not asked again.
   */
  void log(ClusterOptions cluster, List<JudgedQuery> queries, Path file) throws Failure {
    QuickScorerApi api = new QuickScorerApi(cluster.client());
    String set = featureSet();
    ObjectNode body = body("ndjson");
    ObjectNode shared = sharedParams();
    try {
      List<String> names = api.featureNames(set);
      Set<String> done = begun(file, names);
      List<JudgedQuery> left = queries.stream().filter(q -> !done.contains(q.id())).toList();
      try (BufferedWriter out = writer(file, names, done);
          ProgressBar bar = Progress.bar("queries", left.size())) {
        for (int from = 0; from < left.size(); from += BATCH) {
          List<JudgedQuery> batch = left.subList(from, Math.min(from + BATCH, left.size()));
          ArrayNode asked = body.putArray("queries");
          batch.forEach(judged -> ask(asked, judged, shared).put("qid", judged.id()));
          write(out, api.log(set, body));
          out.flush();
          bar.stepTo(from + batch.size());
        }
      }
    } catch (IOException e) {
      throw Failure.unwritable(file, e);
    } catch (IllegalStateException | UncheckedIOException e) {
      throw Failure.usage(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Logs into files that a trainer loads, always from the first query on: the rows, and beside them
   * what the trainer is told about the columns and, in a file of their own, the queries' sizes. A
   * query's number is its place among the queries, from 1, where the trainer wants numbers.
   */
  void log(ClusterOptions cluster, List<JudgedQuery> queries, TrainerFormat format, Path file)
      throws Failure {
    QuickScorerApi api = new QuickScorerApi(cluster.client());
    String set = featureSet();
    ObjectNode body = body(format.label());
    ObjectNode shared = sharedParams();
    List<Integer> sizes = new ArrayList<>();
    try (BufferedWriter out = Files.newBufferedWriter(file);
        ProgressBar bar = Progress.bar("queries", queries.size())) {
      for (int from = 0; from < queries.size(); from += BATCH) {
        int to = Math.min(from + BATCH, queries.size());
        ArrayNode asked = body.putArray("queries");
        for (int q = from; q < to; q++) {
          JudgedQuery judged = queries.get(q);
          ObjectNode one = ask(asked, judged, shared);
          if (format.isNumbered()) {
            one.put("qid", q + 1);
          } else {
            one.put("qid", judged.id());
          }
        }
        List<String> lines = api.log(set, body, format.headerLines());
        List<String> rows = lines.subList(format.headerLines(), lines.size());
        write(out, from == 0 ? lines : rows);
        if (format.sizes() != null) {
          sizes.addAll(TrainerFormat.sizes(rows));
        }
        bar.stepTo(to);
      }
      if (format.sizes() != null) {
        Files.write(beside(file, format.sizes()), sizes.stream().map(String::valueOf).toList());
      }
      Files.write(beside(file, format.columns()), api.log(set, body.put("file", "columns"), 0));
    } catch (IOException e) {
      throw Failure.unwritable(file, e);
    } catch (IllegalStateException | UncheckedIOException e) {
      throw Failure.usage(String.valueOf(e.getMessage()));
    }
  }

  private static Path beside(Path file, String ending) {
    return file.resolveSibling(file.getFileName() + ending);
  }

  private static void write(BufferedWriter out, List<String> lines) throws IOException {
    for (String line : lines) {
      out.write(line);
      out.newLine();
    }
  }

  private ObjectNode body(String format) throws Failure {
    ObjectNode body = JSON.createObjectNode().put("index", index());
    body.put("format", format).put("size", size);
    body.set("query", firstPass());
    return body;
  }

  private ObjectNode sharedParams() throws Failure {
    return (ObjectNode) json(params, "--params");
  }

  private ObjectNode ask(ArrayNode asked, JudgedQuery judged, ObjectNode shared) {
    ObjectNode one = asked.addObject();
    one.putObject("params").setAll(shared).put(param, judged.text());
    one.set("labels", JSON.valueToTree(judged.labels()));
    return one;
  }

  /**
   * The queries of an earlier call, but the last: of that one rows may be missing, so the file is
   * cut before it.
   */
  private static Set<String> begun(Path file, List<String> names) throws Failure, IOException {
    if (!Files.exists(file)) {
      return Set.of();
    }
    FeatureLog log = FeatureLog.read(file);
    if (!log.names().equals(names)) {
      throw Failure.usage(
          file + ": was logged with other features " + log.names() + "; take another file");
    }
    List<String> ids = List.copyOf(log.queries());
    if (ids.isEmpty()) {
      return Set.of();
    }
    String last = ids.getLast();
    List<String> kept =
        log.lines().stream()
            .filter(line -> !JSON.readTree(line).get("qid").asString().equals(last))
            .toList();
    Path whole = file.resolveSibling(file.getFileName() + ".part");
    try (BufferedWriter out = Files.newBufferedWriter(whole)) {
      out.write(FeatureLog.header(names));
      out.newLine();
      write(out, kept);
    }
    Files.move(whole, file, StandardCopyOption.REPLACE_EXISTING);
    Set<String> done = new HashSet<>(ids);
    done.remove(last);
    return done;
  }

  private static BufferedWriter writer(Path file, List<String> names, Set<String> done)
      throws IOException {
    if (!done.isEmpty()) {
      return Files.newBufferedWriter(file, StandardOpenOption.APPEND);
    }
    BufferedWriter out = Files.newBufferedWriter(file);
    out.write(FeatureLog.header(names));
    out.newLine();
    return out;
  }

  private static JsonNode json(String value, String option) throws Failure {
    String text = value;
    if (value.startsWith("@")) {
      Path file = Path.of(value.substring(1));
      try {
        text = Files.readString(file);
      } catch (IOException e) {
        throw Failure.io(file, e);
      }
    }
    try {
      JsonNode node = JSON.readTree(text);
      if (node.isObject()) {
        return node;
      }
    } catch (JacksonException e) {
      throw Failure.usage(option + ": not JSON: " + e.getOriginalMessage());
    }
    throw Failure.usage(option + ": expected an object");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.train.cluster.ClusterClient;
import io.quickscorer.train.cluster.QuickScorerApi;
import io.quickscorer.train.data.FeatureLog;
import io.quickscorer.train.data.FeatureRows;
import io.quickscorer.train.data.HeldOut;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.data.LogOrigin;
import io.quickscorer.train.quality.Comparison;
import io.quickscorer.train.report.Latency;
import io.quickscorer.train.report.TrainingReport;
import io.quickscorer.train.trainer.CategoryLine;
import io.quickscorer.train.trainer.LearningCurve;
import io.quickscorer.train.trainer.TrainedModel;
import io.quickscorer.train.trainer.Trainer;
import io.quickscorer.train.trainer.TrainingOptions;
import io.quickscorer.train.tuning.TunedFirstPass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What a training leaves in a folder, step by step; each step reads what those before it wrote. */
final class TrainingFolder {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
  private static final int PARITY_ROWS = 50;
  private static final int SHOWN_ROWS = 500;
  private static final double VALIDATION = 0.15;

  private final Path folder;

  TrainingFolder(Path folder) throws Failure {
    this.folder = folder;
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw Failure.unwritable(folder, e);
    }
  }

  Path features() {
    return folder.resolve("features.ndjson");
  }

  Path report() {
    return folder.resolve("report.html");
  }

  private Path result() {
    return folder.resolve("result.json");
  }

  private Path model() throws Failure {
    return folder.resolve(json(training()).get("model").asString());
  }

  private Path training() {
    return folder.resolve("training.json");
  }

  private Path tuned() {
    return folder.resolve("tuned.json");
  }

  private Path latency() {
    return folder.resolve("latency.json");
  }

  private Path parity() {
    return folder.resolve("parity.json");
  }

  /**
   * Splits the queries, trains, and writes the model, its parity block and what it was made of.
   *
   * @param share of the queries that is held out
   * @param candidates of which the one that is best on the validation queries is kept
   */
  void train(
      Trainer trainer, List<JudgedQuery> queries, double share, List<TrainingOptions> candidates)
      throws Failure {
    FeatureLog log = FeatureLog.read(features());
    List<FeatureRows.Hits> hits = hits(queries, log);
    HeldOut test = HeldOut.together(hits.stream().map(FeatureRows.Hits::query).toList(), share);
    HeldOut validation = HeldOut.together(test.training(), VALIDATION);
    FeatureRows rows = FeatureRows.of(of(hits, ids(validation.training())));
    FeatureRows validationRows = FeatureRows.of(of(hits, ids(validation.test())));
    if (rows.groups().isEmpty() || test.test().isEmpty()) {
      throw Failure.usage(
          features()
              + ": "
              + rows.groups().size()
              + " queries whose hits have different grades to learn from, "
              + test.test().size()
              + " held out; expected some of both: more judgments, or a first pass that finds"
              + " them");
    }
    boolean validated = !validationRows.groups().isEmpty();
    @Nullable TrainedModel best = null;
    TrainingOptions chosen = candidates.getFirst();
    for (TrainingOptions candidate : candidates) {
      TrainedModel trained;
      try {
        trained =
            trainer.train(
                rows, validated ? validationRows : null, log.names(), candidate, PARITY_ROWS);
      } catch (IllegalStateException e) {
        throw Failure.usage(String.valueOf(e.getMessage()));
      }
      if (best == null || trained.curve().isBetterThan(best.curve())) {
        best = trained;
        chosen = candidate;
      }
    }
    TrainedModel kept = Objects.requireNonNull(best, "no candidates");
    forget();
    ObjectNode made = JSON.createObjectNode();
    made.put("trainer", trainer.description())
        .put("model", trainer.file())
        .put("trees_at_most", chosen.trees());
    made.set("parameters", JSON.valueToTree(chosen.parameters()));
    made.put("training_queries", rows.groups().size()).put("training_rows", rows.count());
    made.put("validation_queries", validationRows.groups().size());
    made.put("queries_without_rows", queries.size() - hits.size());
    made.set("held_out", JSON.valueToTree(ids(test.test())));
    made.set("curve", JSON.valueToTree(kept.curve()));
    if (log.origin().isObject()) {
      made.set("logged", log.origin());
    }
    write(
        folder.resolve(trainer.file()),
        CategoryLine.appended(kept.text(), log.names(), log.origin().path(LogOrigin.FEATURES)));
    ObjectNode parity = QuickScorerApi.envelope("", kept);
    write(parity(), parity.get("parity").toString());
    write(training(), JSON.writeValueAsString(made));
  }

  private static List<FeatureRows.Hits> hits(List<JudgedQuery> queries, FeatureLog log)
      throws Failure {
    try {
      return FeatureRows.read(queries, log.lines());
    } catch (IllegalStateException e) {
      throw Failure.usage(String.valueOf(e.getMessage()));
    }
  }

  private static Set<String> ids(List<JudgedQuery> queries) {
    Set<String> ids = new TreeSet<>();
    queries.forEach(query -> ids.add(query.id()));
    return ids;
  }

  private static List<FeatureRows.Hits> of(List<FeatureRows.Hits> hits, Set<String> ids) {
    return hits.stream().filter(h -> ids.contains(h.query().id())).toList();
  }

  /** Evaluates, and shows documents by their ids. */
  boolean evaluate(List<JudgedQuery> queries, int depth) throws Failure {
    return evaluate(queries, depth, ids -> Map.of());
  }

  /**
   * Ranks the held-out queries by the model, and writes the report and {@code result.json}.
   *
   * @param depth of NDCG
   * @param titles of documents, by their ids; some may have none
   * @return whether the model is better beyond noise
   */
  boolean evaluate(
      List<JudgedQuery> queries, int depth, Function<Set<String>, Map<String, String>> titles)
      throws Failure {
    FeatureLog log = FeatureLog.read(features());
    JsonNode made = json(training());
    checkRows(made, log);
    List<FeatureRows.Hits> hits = hits(heldOut(queries), log);
    if (hits.isEmpty()) {
      throw Failure.usage(features() + ": none of the held-out queries of " + training());
    }
    TreeEnsemble ensemble = ensemble(log.names());
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble, Algorithm.CPU);
    Scratch scratch = scorer.newScratch();
    List<double[]> scores = new ArrayList<>();
    List<float[]> sample = new ArrayList<>();
    for (FeatureRows.Hits of : hits) {
      float[] flat = FeatureRows.flat(of.values(), log.names().size());
      double[] score = new double[of.ids().size()];
      scorer.score(FeatureMatrix.ofRows(flat, log.names().size()), scratch, score);
      scores.add(score);
      sample.addAll(
          of.values().subList(0, Math.min(sample.size() < SHOWN_ROWS ? 10 : 0, score.length)));
    }
    TunedFirstPass tuned = Files.exists(tuned()) ? TunedFirstPass.read(json(tuned())) : null;
    Comparison comparison =
        Comparison.of(hits, scores, tuned == null ? Map.of() : tuned.rankings(), depth);
    Evaluation evaluation = new Evaluation(made, comparison);
    TrainingReport report =
        new TrainingReport(
            evaluation.facts(ensemble),
            comparison,
            curve(made.get("curve")),
            ensemble,
            sample,
            titles.apply(TrainingReport.shown(comparison)),
            tuned,
            Files.exists(latency()) ? Latency.read(json(latency())) : null);
    write(result(), JSON.writeValueAsString(evaluation.toJson()));
    write(report(), report.html());
    System.out.println("    " + report.verdict());
    evaluation.leftOut().forEach(sentence -> System.out.println("    " + sentence));
    System.out.println("    " + report());
    return comparison.isBetter();
  }

  private static LearningCurve curve(JsonNode made) {
    return made.isObject() ? JSON.treeToValue(made, LearningCurve.class) : LearningCurve.NONE;
  }

  /** The rows must be those of the training; judgments may have come since. */
  private void checkRows(JsonNode made, FeatureLog log) throws Failure {
    if (!made.has("logged")) {
      return;
    }
    ObjectNode then = made.get("logged").deepCopy().asObject();
    JsonNode now = log.origin();
    then.set(LogOrigin.JUDGMENTS, now.path(LogOrigin.JUDGMENTS));
    List<String> differences =
        now.isObject()
            ? LogOrigin.differences(then, now)
            : List.of("it does not say how it was logged");
    if (!differences.isEmpty()) {
      throw Failure.usage(
          features()
              + " is not what the model was trained on; run quickscorer train: "
              + String.join("; ", differences));
    }
  }

  /** The held-out queries of the last training. */
  List<JudgedQuery> heldOut(List<JudgedQuery> queries) throws Failure {
    Set<String> held = new HashSet<>();
    json(training()).get("held_out").forEach(id -> held.add(id.asString()));
    return queries.stream().filter(query -> held.contains(query.id())).toList();
  }

  /**
   * Looks for the best first pass without a model, on the queries that are not held out.
   *
   * @param fields that are searched, the most important first
   * @param size hits of each held-out query
   */
  void tune(
      ClusterClient client,
      String index,
      List<String> fields,
      List<JudgedQuery> queries,
      int depth,
      int size)
      throws Failure {
    List<JudgedQuery> held = heldOut(queries);
    Set<String> ids = ids(held);
    List<JudgedQuery> others = queries.stream().filter(q -> !ids.contains(q.id())).toList();
    TunedFirstPass best = TunedFirstPass.choose(client, index, fields, others, held, depth, size);
    write(tuned(), best.toJson());
    best.tried()
        .forEach(
            (name, ndcg) ->
                System.out.println(String.format(Locale.ROOT, "    %-44s %.4f", name, ndcg)));
  }

  /** Keeps what rescoring took, for the report. */
  void keep(Latency measured) throws Failure {
    write(latency(), JSON.writeValueAsString(measured));
  }

  /**
   * A new training makes all void that was made of the former model. Called before anything new is
   * written: a training that is stopped leaves no model with another's verdict or parity.
   */
  private void forget() throws Failure {
    for (Path former : List.of(training(), result(), report(), parity(), tuned(), latency())) {
      try {
        Files.deleteIfExists(former);
      } catch (IOException e) {
        throw Failure.unwritable(former, e);
      }
    }
  }

  /** What the last evaluation said. */
  boolean isBetter() throws Failure {
    if (!Files.exists(result())) {
      throw Failure.usage(
          result()
              + ": no such file: the model has not been judged; run quickscorer evaluate "
              + folder
              + " --judgments FILE");
    }
    return json(result()).get("better").asBoolean();
  }

  private TreeEnsemble ensemble(List<String> names) throws Failure {
    Path model = model();
    TreeEnsemble ensemble;
    try {
      ensemble = ModelReader.read(model, ModelFormat.AUTO, EnsembleLimits.DEFAULT);
    } catch (IOException e) {
      throw Failure.io(model, e);
    } catch (InvalidModelException e) {
      throw Failure.usage(model + ": " + e.getMessage());
    }
    if (!ensemble.featureNames().equals(names)) {
      throw Failure.usage(model + ": its features are not those of " + features() + ": " + names);
    }
    return ensemble;
  }

  /**
   * Uploads the model with its parity block.
   *
   * @throws Failure if the cluster's features are not those from which the model learnt
   * @throws IllegalStateException if the cluster refuses the model
   */
  JsonNode upload(ClusterClient client, String featureSet, String name) throws Failure {
    QuickScorerApi api = new QuickScorerApi(client);
    JsonNode learnt = json(training()).at("/logged/" + LogOrigin.FEATURES);
    if (learnt.isArray()) {
      List<String> differences =
          LogOrigin.features(learnt, api.featureSet(featureSet).get("features"));
      if (!differences.isEmpty()) {
        throw Failure.usage(
            "feature set "
                + featureSet
                + " is not the one from which the model learnt; run quickscorer train again: "
                + String.join("; ", differences));
      }
    }
    ObjectNode body = JSON.createObjectNode().put("feature_set", featureSet);
    Path model = model();
    try {
      body.put("model", Files.readString(model));
    } catch (IOException e) {
      throw Failure.io(model, e);
    }
    body.set("parity", json(parity()));
    return api.putModel(name, body);
  }

  private static JsonNode json(Path file) throws Failure {
    try {
      return JSON.readTree(Files.readString(file));
    } catch (IOException e) {
      throw Failure.io(file, e);
    } catch (JacksonException e) {
      throw Failure.usage(file + ": not JSON: " + e.getOriginalMessage());
    }
  }

  private static void write(Path file, String text) throws Failure {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw Failure.unwritable(file, e);
    }
  }
}

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
import io.quickscorer.train.quality.Ndcg;
import io.quickscorer.train.report.Latency;
import io.quickscorer.train.report.TrainingReport;
import io.quickscorer.train.trainer.CategoryLine;
import io.quickscorer.train.trainer.LearningCurve;
import io.quickscorer.train.trainer.TrainedModel;
import io.quickscorer.train.trainer.Trainer;
import io.quickscorer.train.trainer.TrainingOptions;
import io.quickscorer.train.tuning.TunedFirstPass;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a training leaves in a folder, step by step; each step reads what those before it wrote. */
final class TrainingFolder {
  private static final int PARITY_ROWS = 50;
  private static final int SHOWN_ROWS = 500;
  private static final double VALIDATION = 0.15;

  private final Path folder;
  private final FolderFiles files;

  TrainingFolder(Path folder) throws Failure {
    this.folder = folder;
    this.files = new FolderFiles(folder);
    files.create();
  }

  FolderFiles files() {
    return files;
  }

  /**
   * Splits the queries, trains, and writes the model, its parity block and what it was made of.
   *
   * @param share of the queries that is held out
   * @param candidates of which the one that is best on the validation queries is kept
   * @param allowConstant goes on where all rows have a feature of documents alike
   */
  void train(
      Trainer trainer,
      Coverage judged,
      double share,
      List<TrainingOptions> candidates,
      boolean allowConstant)
      throws Failure {
    FeatureLog log = FeatureLog.read(files.features());
    List<JudgedQuery> queries = judged.judgments().queries();
    List<FeatureRows.Hits> hits = hits(queries, log);
    String reached = judged.logged(hits);
    if (hits.isEmpty()) {
      throw Failure.usage(files.features() + ": " + reached);
    }
    System.out.println("    " + reached);
    ConstantFeatures.check(files.features(), log, hits, allowConstant);
    HeldOut test = HeldOut.together(hits.stream().map(FeatureRows.Hits::query).toList(), share);
    HeldOut validation = HeldOut.together(test.training(), VALIDATION);
    FeatureRows rows = FeatureRows.of(of(hits, ids(validation.training())));
    FeatureRows validationRows = FeatureRows.of(of(hits, ids(validation.test())));
    if (rows.groups().isEmpty() || test.test().isEmpty()) {
      throw Failure.usage(
          files.features()
              + ": "
              + rows.groups().size()
              + " queries whose hits have different grades to learn from, "
              + test.test().size()
              + " held out; expected some of both: more judgments, or a first pass that finds"
              + " them; "
              + reached);
    }
    boolean validated = !validationRows.groups().isEmpty();
    @Nullable TrainedModel best = null;
    TrainingOptions chosen = candidates.getFirst();
    for (TrainingOptions given : candidates) {
      TrainedModel trained;
      TrainingOptions candidate;
      try {
        candidate = given.of(log.names(), log.origin().path(LogOrigin.FEATURES));
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
    files.forget();
    ObjectNode made = FolderFiles.JSON.createObjectNode();
    made.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    made.put("good_answers_logged", reached);
    if (judged.idField() != null) {
      made.put("id_field", judged.idField());
    }
    made.put("trainer", trainer.description())
        .put("model", trainer.file())
        .put("trees_at_most", chosen.trees());
    made.set("parameters", FolderFiles.JSON.valueToTree(chosen.parameters()));
    made.set("categorical_features", FolderFiles.JSON.valueToTree(chosen.categorical()));
    made.put("training_queries", rows.groups().size()).put("training_rows", rows.count());
    made.put("validation_queries", validationRows.groups().size());
    made.put("queries_without_rows", queries.size() - hits.size());
    made.set("held_out", FolderFiles.JSON.valueToTree(ids(test.test())));
    made.set("curve", FolderFiles.JSON.valueToTree(kept.curve()));
    if (log.origin().isObject()) {
      made.set("logged", log.origin());
    }
    FolderFiles.write(
        folder.resolve(trainer.file()),
        CategoryLine.appended(kept.file(), log.names(), log.origin().path(LogOrigin.FEATURES)));
    FolderFiles.write(files.parity(), QuickScorerApi.parity(kept).toString());
    FolderFiles.write(files.training(), made);
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
  boolean evaluate(Coverage judged, int depth) throws Failure {
    evaluate(judged, depth, ids -> Map.of());
    return FolderFiles.json(files.result()).get("better").asBoolean();
  }

  /**
   * Ranks the held-out queries by the model, and writes the report and {@code result.json}.
   *
   * @param depth of NDCG
   * @param titles of documents, by their ids; some may have none
   */
  void evaluate(Coverage judged, int depth, Function<Set<String>, Map<String, String>> titles)
      throws Failure {
    FeatureLog log = FeatureLog.read(files.features());
    JsonNode made = FolderFiles.json(files.training());
    checkRows(made, log);
    List<FeatureRows.Hits> hits = hits(heldOut(judged.judgments().queries()), log);
    if (hits.isEmpty()) {
      throw Failure.usage(
          files.features() + ": none of the held-out queries of " + files.training());
    }
    if (hits.stream().noneMatch(TrainingFolder::isJudged)) {
      throw Failure.usage(
          files.features()
              + ": no judged document is among the hits; if the judgments have the ids of a field,"
              + " give --cluster and --id-field");
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
    TunedFirstPass tuned =
        Files.exists(files.tuned()) ? TunedFirstPass.read(FolderFiles.json(files.tuned())) : null;
    JsonNode live = Files.exists(files.live()) ? FolderFiles.json(files.live()) : null;
    Map<Comparison.Baseline, Map<String, List<String>>> others =
        new EnumMap<>(Comparison.Baseline.class);
    if (tuned != null) {
      others.put(Comparison.Baseline.BY_HAND, tuned.rankings());
    }
    if (live != null) {
      Map<String, List<String>> rankings = TunedFirstPass.rankings(live.get("rankings"));
      LiveModel.checkAllRanked(hits, rankings, live.get("name").asString());
      others.put(Comparison.Baseline.LIVE, rankings);
    }
    Comparison comparison = Comparison.of(hits, scores, others, measure(judged, depth));
    Evaluation evaluation = new Evaluation(made, comparison, judged, live);
    TrainingReport report =
        new TrainingReport(
            evaluation.facts(ensemble),
            comparison,
            curve(made.get("curve")),
            ensemble,
            sample,
            titles.apply(TrainingReport.shown(comparison)),
            tuned,
            Files.exists(files.latency()) ? Latency.read(FolderFiles.json(files.latency())) : null);
    FolderFiles.write(files.result(), evaluation.toJson());
    FolderFiles.write(files.report(), report.html());
    System.out.println("    " + files.report());
    evaluation.leftOut().forEach(sentence -> System.out.println("    " + sentence));
    System.out.println("    " + report.verdict());
  }

  /** The measure of which the trainer has learnt. */
  Ndcg measure(Coverage judged, int depth) throws Failure {
    Map<String, String> parameters = new HashMap<>();
    FolderFiles.json(files.training())
        .path("parameters")
        .properties()
        .forEach(parameter -> parameters.put(parameter.getKey(), parameter.getValue().asString()));
    return judged.measure(parameters, depth);
  }

  private static LearningCurve curve(JsonNode made) {
    return made.isObject()
        ? FolderFiles.JSON.treeToValue(made, LearningCurve.class)
        : LearningCurve.NONE;
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
          files.features()
              + " is not what the model was trained on; run quickscorer train: "
              + String.join("; ", differences));
    }
  }

  /** The held-out queries of the last training. */
  List<JudgedQuery> heldOut(List<JudgedQuery> queries) throws Failure {
    Set<String> held = new HashSet<>();
    FolderFiles.json(files.training()).get("held_out").forEach(id -> held.add(id.asString()));
    return queries.stream().filter(query -> held.contains(query.id())).toList();
  }

  /**
   * Looks for the best first pass without a model, on the queries that are not held out.
   *
   * @param fields that are searched, the most important first
   * @param size hits of each held-out query
   */
  void tune(
      ClusterClient client, String index, List<String> fields, Coverage judged, int depth, int size)
      throws Failure {
    List<JudgedQuery> queries = judged.judgments().queries();
    Ndcg measure = measure(judged, depth);
    List<JudgedQuery> held = heldOut(queries);
    Set<String> ids = ids(held);
    List<JudgedQuery> others = queries.stream().filter(q -> !ids.contains(q.id())).toList();
    TunedFirstPass best = TunedFirstPass.choose(client, index, fields, others, held, measure, size);
    FolderFiles.write(files.tuned(), best.toJson());
    best.tried()
        .forEach(
            (name, ndcg) ->
                System.out.println(String.format(Locale.ROOT, "    %-44s %.4f", name, ndcg)));
  }

  /**
   * Lets the cluster rank the held-out queries by a model that is there, to hold the trained one
   * against it.
   *
   * @param name a model or an alias
   */
  void holdAgainst(ClusterOptions cluster, String name, Coverage judged) throws Failure {
    List<FeatureRows.Hits> hits =
        hits(heldOut(judged.judgments().queries()), FeatureLog.read(files.features()));
    LoggedSearch search = search();
    try {
      ClusterClient client = cluster.client();
      LiveModel live = LiveModel.of(new QuickScorerApi(client), name);
      if (live == null) {
        throw Failure.usage("the cluster has no model and no alias [" + name + "]");
      }
      ObjectNode kept = FolderFiles.JSON.createObjectNode();
      kept.put("name", live.name()).put("version", live.version());
      kept.set("rankings", FolderFiles.JSON.valueToTree(live.rankings(client, search, hits)));
      FolderFiles.write(files.live(), kept);
    } catch (IllegalStateException | UncheckedIOException e) {
      throw Failure.usage(String.valueOf(e.getMessage()));
    }
  }

  private static boolean isJudged(FeatureRows.Hits of) {
    return of.ids().stream().anyMatch(of.query().judgments()::containsKey);
  }

  /** The index whose hits were logged; null if the log does not say. */
  @Nullable String index() throws Failure {
    return FolderFiles.json(files.training()).at("/logged/index").asString(null);
  }

  /** Searches like those whose hits the model learnt from. */
  LoggedSearch search() throws Failure {
    JsonNode logged = FolderFiles.json(files.training()).path("logged");
    if (!logged.has("index")) {
      throw Failure.usage(
          files.features() + ": it does not say how it was logged; run quickscorer train");
    }
    return new LoggedSearch(logged);
  }

  /** Keeps what rescoring took, for the report. */
  void keep(Latency measured) throws Failure {
    FolderFiles.write(files.latency(), measured);
  }

  /** What the last evaluation said: {@code result.json}. */
  JsonNode result() throws Failure {
    if (!Files.exists(files.result())) {
      throw Failure.usage(
          files.result()
              + ": no such file: the model has not been judged; run quickscorer evaluate "
              + folder
              + " --judgments FILE");
    }
    return FolderFiles.json(files.result());
  }

  /** Keeps the last evaluation with what followed from it. */
  void keep(JsonNode result) throws Failure {
    FolderFiles.write(files.result(), result);
  }

  private TreeEnsemble ensemble(List<String> names) throws Failure {
    Path model = files.model();
    TreeEnsemble ensemble;
    try {
      ensemble = ModelReader.read(model, ModelFormat.AUTO, EnsembleLimits.DEFAULT);
    } catch (IOException e) {
      throw Failure.io(model, e);
    } catch (InvalidModelException e) {
      throw Failure.usage(model + ": " + e.getMessage());
    }
    if (!ensemble.featureNames().equals(names)) {
      throw Failure.usage(
          model + ": its features are not those of " + files.features() + ": " + names);
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
    JsonNode learnt = FolderFiles.json(files.training()).at("/logged/" + LogOrigin.FEATURES);
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
    ObjectNode body = FolderFiles.JSON.createObjectNode().put("feature_set", featureSet);
    Path model = files.model();
    try {
      body.put("model_base64", Files.readAllBytes(model));
    } catch (IOException e) {
      throw Failure.io(model, e);
    }
    body.set("parity", FolderFiles.json(files.parity()));
    return api.putModel(name, body);
  }
}

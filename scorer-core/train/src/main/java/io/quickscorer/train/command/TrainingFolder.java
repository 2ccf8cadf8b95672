// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.train.cluster.ClusterClient;
import io.quickscorer.train.cluster.QuickScorerApi;
import io.quickscorer.train.data.FeatureLog;
import io.quickscorer.train.data.FeatureRows;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.data.LogOrigin;
import io.quickscorer.train.quality.Comparison;
import io.quickscorer.train.quality.Ndcg;
import io.quickscorer.train.report.Frontier;
import io.quickscorer.train.report.Latency;
import io.quickscorer.train.report.TrainingReport;
import io.quickscorer.train.search.LoggedSearch;
import io.quickscorer.train.trainer.LearningCurve;
import io.quickscorer.train.trainer.TrainedModel;
import io.quickscorer.train.trainer.Trainer;
import io.quickscorer.train.trainer.TrainingOptions;
import io.quickscorer.train.tuning.TunedFirstPass;
import java.io.IOException;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Runs the steps of a training. Each step reads files that earlier steps wrote to the folder. */
final class TrainingFolder {
  private static final int SHOWN_ROWS = 500;
  private static final int SHOWN_HITS = 10;

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
   * The result of a training.
   *
   * @param options the options with which the model was trained
   */
  record Trained(TrainingData data, Trainer trainer, TrainingOptions options, TrainedModel model) {}

  /**
   * Splits the queries, trains, and writes the model, its parity block (sample rows with scores)
   * and {@code training.json}.
   *
   * @param share the share of the queries to hold out, 0 to 1
   * @param candidates the options to try; the best model on the validation queries is written
   * @param allowConstant whether a feature of documents may have one value in all rows
   * @param searches a table of searches with clicks to train on; null to train on judgments
   */
  Trained train(
      Trainer trainer,
      Coverage judged,
      double share,
      List<TrainingOptions> candidates,
      boolean allowConstant,
      @Nullable Path searches)
      throws Failure {
    TrainingData data =
        TrainingData.read(
            files.features(), judged, share, allowConstant, searches, trainer.positions());
    FeatureLog log = data.log();
    // The file may have been logged for another trainer.
    trainer.check(log.names());
    @Nullable Trained best = null;
    for (TrainingOptions given : candidates) {
      TrainingOptions options = given.of(log.names(), log.origin().path(LogOrigin.FEATURES));
      TrainedModel model = data.train(trainer, options, data.allFeatures());
      Trained trained = new Trained(data, trainer, options, model);
      if (best == null || trained.model.curve().isBetterThan(best.model.curve())) {
        best = trained;
      }
    }
    Trained kept = Objects.requireNonNull(best, "no candidates");
    files.forget();
    keep(kept, judged, FolderFiles.JSON.createObjectNode());
    return kept;
  }

  /**
   * Writes a model, its parity block (sample rows with scores) and {@code training.json}.
   *
   * @param made further fields of {@code training.json}
   */
  void keep(Trained kept, Coverage judged, ObjectNode made) throws Failure {
    TrainingData data = kept.data;
    FeatureRows rows = FeatureRows.of(data.learning());
    Set<String> heldOut =
        TrainingData.ids(data.heldOut().stream().map(FeatureRows.Hits::query).toList());
    made.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    made.put("good_answers_logged", data.reached());
    if (judged.idField() != null) {
      made.put("id_field", judged.idField());
    }
    made.put("trainer", kept.trainer.description())
        .put("model", kept.trainer.file())
        .put("trees_at_most", kept.options.trees());
    made.set("parameters", FolderFiles.JSON.valueToTree(kept.options.parameters()));
    made.set("categorical_features", FolderFiles.JSON.valueToTree(kept.options.categorical()));
    made.put("training_queries", rows.groups().size()).put("training_rows", rows.count());
    made.set("clicks", FolderFiles.JSON.valueToTree(data.clicks()));
    made.put("validation_queries", FeatureRows.of(data.validation()).groups().size());
    int withRows = data.learning().size() + data.validation().size() + heldOut.size();
    made.put("queries_without_rows", judged.judgments().queries().size() - withRows);
    made.set("held_out", FolderFiles.JSON.valueToTree(heldOut));
    made.set("curve", FolderFiles.JSON.valueToTree(kept.model.curve()));
    if (data.log().origin().isObject()) {
      made.set("logged", data.log().origin());
    }
    FolderFiles.write(folder.resolve(kept.trainer.file()), kept.model.file());
    FolderFiles.write(files.parity(), QuickScorerApi.parity(kept.model).toString());
    FolderFiles.write(files.training(), made);
  }

  /**
   * Ranks the held-out queries' hits with the model, and writes the report and {@code result.json}.
   *
   * @param depth number of hits over which NDCG is computed
   * @param titles returns the titles of documents by id; documents without a title may be absent
   */
  void evaluate(Coverage judged, int depth, Function<Set<String>, Map<String, String>> titles)
      throws Failure {
    FeatureLog log = FeatureLog.read(files.features());
    JsonNode made = files.made();
    checkRows(made, log);
    List<FeatureRows.Hits> hits =
        FeatureRows.read(heldOut(judged.judgments().queries()), log.lines());
    if (hits.isEmpty()) {
      String none = ": found no rows of the held-out queries that are listed in ";
      throw Failure.usage(files.features() + none + files.training());
    }
    if (hits.stream().noneMatch(TrainingFolder::isJudged)) {
      throw Failure.usage(
          files.features()
              + ": no judged document is among the hits; if the judged ids are values of another"
              + " field, add --cluster and --id-field");
    }
    TreeEnsemble ensemble = ensemble(log.names());
    List<double[]> scores = ModelScores.of(ensemble, hits);
    List<float[]> sample = new ArrayList<>();
    for (FeatureRows.Hits of : hits) {
      int rows = sample.size() < SHOWN_ROWS ? SHOWN_HITS : 0;
      sample.addAll(of.values().subList(0, Math.min(rows, of.values().size())));
    }
    TunedFirstPass tuned = FolderFiles.read(files.tuned(), TunedFirstPass.class);
    LiveModel.Ranked live = FolderFiles.read(files.live(), LiveModel.Ranked.class);
    Map<Comparison.Baseline, Map<String, List<String>>> others =
        new EnumMap<>(Comparison.Baseline.class);
    if (tuned != null) {
      others.put(Comparison.Baseline.BY_HAND, tuned.rankings());
    }
    if (live != null) {
      live.checkAll(hits);
      others.put(Comparison.Baseline.LIVE, live.rankings());
    }
    Comparison comparison = Comparison.of(hits, scores, others, measure(judged, depth));
    Evaluation evaluation = new Evaluation(made, comparison, judged, live);
    TrainingReport report =
        new TrainingReport(
            evaluation.facts(ensemble),
            comparison,
            FolderFiles.JSON.treeToValue(made.get("curve"), LearningCurve.class),
            ensemble,
            sample,
            titles.apply(TrainingReport.shown(comparison)),
            tuned,
            FolderFiles.read(files.latency(), Latency.class),
            FolderFiles.read(files.cost(), Frontier.class));
    FolderFiles.write(files.result(), evaluation.toJson());
    FolderFiles.write(files.report(), report.html());
    System.out.println("    " + files.report());
    evaluation.leftOut().forEach(sentence -> System.out.println("    " + sentence));
    System.out.println("    " + report.verdict());
  }

  /**
   * Returns the measure of ranking quality (NDCG), with the same gain of each grade as in training.
   *
   * @param depth number of hits over which NDCG is computed
   */
  Ndcg measure(Coverage judged, int depth) throws Failure {
    Map<String, String> parameters = new HashMap<>();
    files
        .made()
        .path("parameters")
        .properties()
        .forEach(parameter -> parameters.put(parameter.getKey(), parameter.getValue().asString()));
    return judged.measure(parameters, depth);
  }

  /** Checks that the logged feature values have not changed since the training. */
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
            : List.of("the file does not contain the options with which it was logged");
    if (!differences.isEmpty()) {
      throw Failure.usage(
          files.features()
              + " differs from the rows that the model was trained on; train again. Differences: "
              + String.join("; ", differences));
    }
  }

  /** Returns the held-out queries of the last training. */
  List<JudgedQuery> heldOut(List<JudgedQuery> queries) throws Failure {
    Set<String> held = new HashSet<>();
    files.made().get("held_out").forEach(id -> held.add(id.asString()));
    return queries.stream().filter(query -> held.contains(query.id())).toList();
  }

  /**
   * Finds the best search query that needs no model, and saves it. The choice uses only queries
   * that are not held out.
   *
   * @param fields the text fields to search, the most important first
   * @param depth number of hits over which NDCG is computed
   * @param size number of hits of each held-out query that are saved
   */
  void tune(
      ClusterClient client, String index, List<String> fields, Coverage judged, int depth, int size)
      throws Failure {
    List<JudgedQuery> queries = judged.judgments().queries();
    Ndcg measure = measure(judged, depth);
    List<JudgedQuery> held = heldOut(queries);
    Set<String> ids = TrainingData.ids(held);
    List<JudgedQuery> others = queries.stream().filter(q -> !ids.contains(q.id())).toList();
    TunedFirstPass best = TunedFirstPass.choose(client, index, fields, others, held, measure, size);
    FolderFiles.write(files.tuned(), best);
    best.tried()
        .forEach(
            (name, ndcg) ->
                System.out.println(String.format(Locale.ROOT, "    %-44s %.4f", name, ndcg)));
  }

  /**
   * Ranks the held-out queries' hits by a model in the cluster, to compare it with the trained one.
   *
   * @param name the name of the model or of an alias
   */
  void holdAgainst(ClusterOptions cluster, String name, Coverage judged) throws Failure {
    List<FeatureRows.Hits> hits =
        FeatureRows.read(
            heldOut(judged.judgments().queries()), FeatureLog.read(files.features()).lines());
    LoggedSearch search = search();
    ClusterClient client = cluster.client();
    LiveModel live = LiveModel.of(new QuickScorerApi(client), name);
    if (live == null) {
      throw Failure.usage("the cluster has no model and no alias [" + name + "]");
    }
    FolderFiles.write(files.live(), live.rank(client, search, hits));
  }

  private static boolean isJudged(FeatureRows.Hits of) {
    return of.ids().stream().anyMatch(of.query().judgments()::containsKey);
  }

  /** Returns the index whose hits were logged; null if the log does not contain it. */
  @Nullable String index() throws Failure {
    return files.made().at("/logged/index").asString(null);
  }

  /** Returns an object that creates the same searches as those whose hits were logged. */
  LoggedSearch search() throws Failure {
    JsonNode logged = files.made().path("logged");
    if (!logged.has("index")) {
      throw Failure.usage(
          files.training()
              + ": the file does not contain the options with which the features were logged; run"
              + " quickscorer train");
    }
    return new LoggedSearch(logged);
  }

  /** Returns the result of the last evaluation, the content of {@code result.json}. */
  JsonNode result() throws Failure {
    if (!Files.exists(files.result())) {
      throw Failure.usage(
          files.result()
              + ": no such file: the model has not been evaluated; run quickscorer evaluate "
              + folder
              + " --judgments FILE");
    }
    return FolderFiles.json(files.result());
  }

  /** Replaces the content of {@code result.json}. */
  void keep(JsonNode result) throws Failure {
    FolderFiles.write(files.result(), result);
  }

  TreeEnsemble ensemble(List<String> names) throws Failure {
    Path model = files.model();
    TreeEnsemble ensemble;
    try {
      ensemble = ModelReader.read(model, ModelFormat.AUTO, EnsembleLimits.DEFAULT);
    } catch (IOException e) {
      throw Failure.io(model, e);
    } catch (InvalidModelException e) {
      throw Failure.model(model.toString(), String.valueOf(e.getMessage()));
    }
    if (!ensemble.featureNames().equals(names)) {
      throw Failure.usage(
          model + ": the features differ from those of " + files.features() + ": " + names);
    }
    return ensemble;
  }

  /**
   * Uploads the model with its parity block (sample rows with scores). Fails if the feature
   * definitions in the cluster are not those of the training.
   */
  JsonNode upload(ClusterClient client, String featureSet, String name) throws Failure {
    QuickScorerApi api = new QuickScorerApi(client);
    JsonNode learnt = files.made().at("/logged/" + LogOrigin.FEATURES);
    if (learnt.isArray()) {
      List<String> differences =
          LogOrigin.features(learnt, api.featureSet(featureSet).get("features"));
      if (!differences.isEmpty()) {
        throw Failure.usage(
            "feature set "
                + featureSet
                + " differs from that of the training; run quickscorer train again. Differences: "
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

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.cluster.ClusterClient;
import io.quickscorer.train.cluster.DocumentTitles;
import io.quickscorer.train.cluster.QuickScorerApi;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.report.Frontier;
import io.quickscorer.train.search.CostMeasurement;
import io.quickscorer.train.trainer.CatBoostTrainer;
import io.quickscorer.train.trainer.LightGbmTrainer;
import io.quickscorer.train.trainer.Trainer;
import io.quickscorer.train.trainer.TrainingOptions;
import io.quickscorer.train.trainer.XGBoostTrainer;
import io.quickscorer.train.tuning.TunedFirstPass;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code quickscorer train}: trains a model from judgments, writes a report, and uploads the model.
 */
@Command(
    name = "train",
    description = {
      "Logs the feature values of judged queries' hits, trains a ranking model with LightGBM,"
          + " XGBoost or CatBoost on some of the queries, and evaluates the model on the others.",
      "",
      "Writes features.ndjson, the model, parity.json, training.json, result.json and report.html"
          + " to the folder. Without --cluster, it uses the existing features.ndjson."
    },
    mixinStandardHelpOptions = true)
final class TrainCommand extends ClusterCommand {
  private static final List<String> RATES = List.of("0.03", "0.1");
  private static final String BEST = "best";
  private static final String CHEAPEST_EQUAL = "cheapest-equal";

  /**
   * The trainers. Each has a parameter that limits the size of trees, and values that {@code
   * --search} tries for the parameter.
   */
  enum Library {
    LIGHTGBM("num_leaves", List.of("5", "15", "31")),
    XGBOOST("max_depth", List.of("3", "5", "7")),
    CATBOOST("depth", List.of("4", "6", "8"));

    private final String size;
    private final List<String> sizes;

    Library(String size, List<String> sizes) {
      this.size = size;
      this.sizes = sizes;
    }

    Trainer library(String catboost) {
      return switch (this) {
        case LIGHTGBM -> new LightGbmTrainer();
        case XGBOOST -> new XGBoostTrainer();
        case CATBOOST -> new CatBoostTrainer(catboost);
      };
    }
  }

  @Mixin private ClusterOptions cluster = new ClusterOptions();
  @Mixin private JudgmentOptions judgments = new JudgmentOptions();
  @Mixin private LogOptions log = new LogOptions();
  @Mixin private UploadOptions upload = new UploadOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FOLDER",
      description = "Folder for the files (default: ${DEFAULT-VALUE}).")
  private Path output = Path.of("training");

  @Option(
      names = "--trainer",
      paramLabel = "NAME",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Library trainer = Library.LIGHTGBM;

  @Option(
      names = "--catboost",
      paramLabel = "PROGRAM",
      description =
          "CatBoost's command-line program, for --trainer CATBOOST (default: ${DEFAULT-VALUE}).")
  private String catboost = "catboost";

  @Option(
      names = "--held-out",
      paramLabel = "SHARE",
      description =
          "Share of the queries that are held out for evaluation (default: ${DEFAULT-VALUE}).")
  private double share = 0.25;

  @Option(
      names = "--trees",
      paramLabel = "N",
      description = "Maximum number of trees (default: ${DEFAULT-VALUE}).")
  private int trees = 500;

  @Option(
      names = "--patience",
      paramLabel = "N",
      description =
          "Stops after this many trees without improvement on the validation queries"
              + " (default: ${DEFAULT-VALUE}).")
  private int patience = 50;

  @Option(
      names = "-P",
      paramLabel = "NAME=VALUE",
      description = "A parameter of the trainer; may be repeated.")
  private Map<String, String> parameters = new LinkedHashMap<>();

  @Option(
      names = "--allow-constant",
      description =
          "Trains even if a feature of documents has the same value in all rows, or is missing in"
              + " all rows.")
  private boolean allowConstant;

  @Option(
      names = "--clicks",
      paramLabel = "FILE",
      description =
          "Trains on single searches instead of grades: searches.tsv of quickscorer judge. The"
              + " trainer, LIGHTGBM or XGBOOST, also learns the attention to each position. The"
              + " judgments are then used only for early stopping and for the evaluation.")
  private @Nullable Path clicks;

  @Option(
      names = "--search",
      description = "Tries several tree sizes and learning rates, and keeps the best model.")
  private boolean search;

  @Option(
      names = "--depth",
      paramLabel = "K",
      description = "Depth of NDCG (default: ${DEFAULT-VALUE}).")
  private int depth = 10;

  @Option(
      names = "--tune-fields",
      split = ",",
      paramLabel = "FIELD",
      description =
          "Tries seven first passes on these fields, the most important field first, and also"
              + " compares the model with the best of them.")
  private List<String> fields = List.of();

  @Option(
      names = "--title-field",
      defaultValue = "title,name",
      split = ",",
      paramLabel = "FIELD",
      description =
          "Fields with the titles of documents for the report; the first one that a document has"
              + " is used, otherwise its id (default: ${DEFAULT-VALUE}).")
  private List<String> titleFields = List.of();

  @Option(
      names = "--cost",
      description =
          "Measures each feature's cost on the cluster, and searches for rankings that cost less:"
              + " fewer features, fewer trees, smaller windows. Trains several dozen models.")
  private boolean cost;

  @Option(
      names = "--pick",
      paramLabel = "best|cheapest-equal",
      description =
          "With --cost: cheapest-equal keeps and uploads the model with the lowest processor time"
              + " whose NDCG is not significantly worse than the best one's (default:"
              + " ${DEFAULT-VALUE}, the model trained on all features).")
  private String pick = BEST;

  @Override
  int run() throws Failure {
    check();
    boolean logs = cluster.isGiven() && log.isGiven();
    System.out.println(logs ? "[1] Look up the judged documents" : "[1] Read the judgments");
    Coverage judged = judgments.read(cluster, logs ? log.index() : null);
    System.out.println("    gain of NDCG: " + judged.measure(parameters, depth).gain());
    Trainer library = trainer.library(catboost);
    TrainingFolder folder = new TrainingFolder(output);
    FolderFiles files = folder.files();
    if (logs) {
      System.out.println("[2] Log features");
      new FeatureLogging(log, cluster)
          .write(judged.judgments().queries(), library::check, files.features());
    } else if (!Files.exists(files.features())) {
      throw Failure.usage(
          files.features()
              + ": no such file; to log features, give --cluster, --index, --feature-set and"
              + " --query");
    }
    System.out.println("[3] Train");
    TrainingFolder.Trained trained =
        folder.train(library, judged, share, candidates(), allowConstant, clicks);
    if (cost) {
      weigh(folder, trained, judged);
    }
    if (!fields.isEmpty()) {
      System.out.println("[4] Find the best first-pass query (without a model)");
      folder.tune(cluster.client(), log.index(), fields, judged, depth, log.size());
    }
    System.out.println("[5] Evaluate on held-out queries");
    String alias = upload.alias();
    if (alias != null) {
      holdAgainst(folder, alias, judged);
    }
    folder.evaluate(judged, depth, titles());
    if (upload.isGiven()) {
      System.out.println("[6] Upload");
      upload.upload(folder, cluster.client(), log.featureSet());
      if (log.isGiven()) {
        System.out.println("[7] Measure searches with the model");
        measure(folder, judged);
      }
    }
    return 0;
  }

  /**
   * Searches for rankings that cost less than the trained model. If the user wants it, replaces the
   * model by the cheapest one that is not significantly worse.
   */
  private void weigh(TrainingFolder folder, TrainingFolder.Trained trained, Coverage judged)
      throws Failure {
    CostStudy study =
        new CostStudy(trained, folder.measure(judged, depth), measurement(folder, judged));
    Frontier frontier = study.run();
    FolderFiles.write(folder.files().cost(), frontier);
    System.out.println("    " + frontier.verdict());
    if (pick.equals(CHEAPEST_EQUAL)) {
      Frontier.Point point = frontier.cheapestEqual();
      ObjectNode made = FolderFiles.JSON.createObjectNode().put("picked", point.name());
      folder.keep(study.trained(point), judged, made.put("picked_window", point.window()));
    }
  }

  private CostMeasurement measurement(TrainingFolder folder, Coverage judged) throws Failure {
    List<JudgedQuery> held = folder.heldOut(judged.judgments().queries());
    return new CostMeasurement(cluster.client(), folder.search(), log.featureSet(), held);
  }

  /**
   * Compares the trained model with the live model, to which the alias points. Without a
   * comparison, the alias is not moved.
   */
  private void holdAgainst(TrainingFolder folder, String alias, Coverage judged) {
    try {
      if (new QuickScorerApi(cluster.client()).model(alias) != null) {
        folder.holdAgainst(cluster, alias, judged);
      }
    } catch (Failure | IllegalStateException | UncheckedIOException e) {
      System.out.println("    not compared with the live model: " + e.getMessage());
    }
  }

  /**
   * Measures the times of searches, and writes the report again. If the searches fail, only prints
   * the reason.
   */
  private void measure(TrainingFolder folder, Coverage judged) throws Failure {
    try {
      CostMeasurement searches = measurement(folder, judged);
      FolderFiles.write(folder.files().latency(), searches.latency(String.valueOf(upload.name())));
    } catch (Failure | IllegalStateException | UncheckedIOException e) {
      System.out.println("    not measured: " + e.getMessage());
      return;
    }
    folder.evaluate(judged, depth, titles());
  }

  /** Returns a function that looks up the titles of documents by their ids, for the report. */
  private Function<Set<String>, Map<String, String>> titles() throws Failure {
    if (!cluster.isGiven() || !log.isGiven()) {
      return ids -> Map.of();
    }
    ClusterClient client = cluster.client();
    String index = log.index();
    return ids -> {
      try {
        return DocumentTitles.of(client, index, titleFields, ids);
      } catch (IllegalStateException | UncheckedIOException e) {
        System.err.println("    the report shows ids instead of titles: " + e.getMessage());
        return Map.of();
      }
    };
  }

  private void check() throws Failure {
    if (!(share > 0 && share < 1)) {
      throw Failure.usage("--held-out: " + share + ", expected a share between 0 and 1");
    }
    if (!cluster.isGiven() && (log.isGiven() || upload.isGiven() || !fields.isEmpty())) {
      throw Failure.usage(
          "--index, --query, --upload and --tune-fields: expected --cluster as well");
    }
    if (!fields.isEmpty()) {
      TunedFirstPass.check(cluster.client(), log.index(), fields);
    }
    if (!List.of(BEST, CHEAPEST_EQUAL).contains(pick) || (pick.equals(CHEAPEST_EQUAL) && !cost)) {
      throw Failure.usage(
          "--pick: " + pick + ", expected best or, only with --cost, cheapest-equal");
    }
    if (cost && !(cluster.isGiven() && log.isGiven())) {
      throw Failure.usage("--cost: expected --cluster, --index, --feature-set and --query as well");
    }
    if (clicks != null && trainer.library(catboost).positions() == Trainer.Positions.NONE) {
      throw Failure.usage("--clicks: expected --trainer LIGHTGBM or XGBOOST, not " + trainer);
    }
    if (trees < 1 || patience < 1 || depth < 1) {
      throw Failure.usage("--trees, --patience and --depth: expected 1 or more");
    }
    upload.check(cluster);
    if (upload.isGiven()) {
      log.featureSet();
    }
  }

  private List<TrainingOptions> candidates() {
    if (!search) {
      return List.of(new TrainingOptions(trees, patience, parameters));
    }
    List<TrainingOptions> candidates = new ArrayList<>();
    for (String size : trainer.sizes) {
      for (String rate : RATES) {
        Map<String, String> tried = new LinkedHashMap<>();
        tried.put(trainer.size, size);
        tried.put("learning_rate", rate);
        tried.putAll(parameters);
        candidates.add(new TrainingOptions(trees, patience, tried));
      }
    }
    return candidates;
  }
}

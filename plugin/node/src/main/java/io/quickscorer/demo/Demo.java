// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo;

import io.quickscorer.demo.Evaluation.Ranking;
import io.quickscorer.demo.corpus.Corpus;
import io.quickscorer.demo.corpus.CorpusFolder;
import io.quickscorer.demo.corpus.GeneratedShop;
import io.quickscorer.node.RunningNode;
import io.quickscorer.train.cluster.QuickScorerApi;
import io.quickscorer.train.data.FeatureRows;
import io.quickscorer.train.data.HeldOut;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.trainer.LightGbmTrainer;
import io.quickscorer.train.trainer.Progress;
import io.quickscorer.train.trainer.TrainedModel;
import io.quickscorer.train.tuning.FirstPass;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Shows on a real node that a model improves the rankings of searches, and measures by how much.
 *
 * <p>System properties: {@code node.home} (the folder of OpenSearch), {@code demo.output} (a
 * folder; its content is replaced), {@code demo.corpus} (a folder with a corpus; empty for a
 * generated corpus), {@code demo.port} (the node's port; 0 for a free one), {@code
 * demo.screenshots} (a folder for pictures of the plugin's page and of the report; empty for no
 * pictures) and {@code demo.exit} (true to stop the node at the end; otherwise it continues to
 * run).
 */
public final class Demo {
  private static final int PRODUCTS = 8_000;
  private static final int QUERIES = 3_000;
  private static final int MAX_TRAINING_QUERIES = 4_000;
  private static final int MAX_TEST_QUERIES = 1_500;
  private static final int TUNING_QUERIES = 500;
  private static final int WARM_UP_QUERIES = 500;
  private static final int BULK = 500;
  private static final int EXPORT = 100;
  private static final int PARITY_ROWS = 50;

  private final Steps steps = new Steps();
  private final Path output;

  private Demo(Path output) {
    this.output = output;
  }

  /** Runs the demo. Throws an exception if a step fails. */
  public static void main(String[] arguments) throws Exception {
    Demo demo =
        new Demo(
            Path.of(System.getProperty("demo.output", "target/demo")).toAbsolutePath().normalize());
    demo.run(System.getProperty("demo.corpus", ""), Boolean.getBoolean("demo.exit"));
  }

  private void run(String folder, boolean exit) throws IOException, InterruptedException {
    steps.next(folder.isEmpty() ? "Generate a catalogue" : "Read the corpus in " + folder);
    Corpus corpus =
        folder.isEmpty()
            ? GeneratedShop.generate(PRODUCTS, QUERIES)
            : CorpusFolder.read(Path.of(folder));
    HeldOut queries = HeldOut.split(corpus.queries(), MAX_TRAINING_QUERIES, MAX_TEST_QUERIES);
    steps.say(
        String.format(
            Locale.ROOT,
            "    %s: %d documents, %d judged queries; %d to learn from, %d held out",
            corpus.name(),
            corpus.documents().size(),
            corpus.queries().size(),
            queries.training().size(),
            queries.test().size()));

    steps.next("Start OpenSearch with the plugin");
    Path data = emptyDataFolder();
    try (RunningNode process =
        RunningNode.start(
            RunningNode.home(),
            data,
            List.of("--http-port", System.getProperty("demo.port", "0")),
            Map.of(),
            Duration.ofMinutes(5))) {
      steps.say("    " + process.address() + " answers; its log is " + process.log());
      DemoNode node = new DemoNode(process.client(), corpus);
      index(node, corpus);
      Map<String, Double> tried = new LinkedHashMap<>();
      FirstPass tuned = tuneByHand(node, corpus, queries.training(), tried);
      TrainedModel model = train(node, queries);
      evaluate(node, corpus, queries, tuned, tried, model);
      String pictures = System.getProperty("demo.screenshots", "");
      if (!pictures.isEmpty()) {
        takeScreenshots(process, node, corpus, queries, Path.of(pictures));
      }
      if (!exit) {
        serve(process, corpus, queries.test().getFirst());
      }
    }
  }

  private Path emptyDataFolder() throws IOException {
    Path data = output.resolve("node");
    if (Files.exists(data)) {
      Files.walkFileTree(
          data,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
                throws IOException {
              Files.delete(folder);
              return FileVisitResult.CONTINUE;
            }
          });
    }
    return Files.createDirectories(data);
  }

  /**
   * Writes a corpus's judgments (grades of documents) to a file that {@code quickscorer train}
   * reads, and returns the file.
   */
  private Path writeJudgments(Corpus corpus) throws IOException {
    Path file = output.resolve("judgments.tsv");
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write("query_id\tquery\tdoc_id\tgrade\n");
      for (JudgedQuery query : corpus.queries()) {
        String text = query.text().replaceAll("\\s+", " ");
        for (Map.Entry<String, Integer> judged : new TreeMap<>(query.judgments()).entrySet()) {
          out.write(query.id() + "\t" + text + "\t" + judged.getKey() + "\t" + judged.getValue());
          out.newLine();
        }
      }
    }
    return file;
  }

  private void index(DemoNode node, Corpus corpus) {
    steps.next("Index " + corpus.documents().size() + " documents");
    node.createIndex();
    List<Corpus.Document> documents = corpus.documents();
    // Hits with equal scores have the order of indexing. To get equal figures in every run,
    // documents are indexed one after the other.
    try (ProgressBar bar = Progress.bar("documents", documents.size())) {
      for (int from = 0; from < documents.size(); from += BULK) {
        int end = Math.min(from + BULK, documents.size());
        node.index(documents.subList(from, end));
        bar.stepTo(end);
      }
    }
    node.finishIndex();
  }

  /**
   * Returns the search without a model that has the highest NDCG (a quality measure) on the
   * training queries. The model must be better than this search.
   *
   * @param tried receives the NDCG of each search that was tried
   */
  private FirstPass tuneByHand(
      DemoNode node, Corpus corpus, List<JudgedQuery> training, Map<String, Double> tried)
      throws InterruptedException {
    steps.next("Try other first passes on training queries");
    List<JudgedQuery> queries = training.subList(0, Math.min(TUNING_QUERIES, training.size()));
    FirstPass best = FirstPass.PLAIN;
    double max = 0;
    for (FirstPass candidate : FirstPass.TUNED) {
      double ndcg =
          steps
              .forEach(
                  candidate.describe(corpus.fields().text()),
                  queries,
                  query -> node.firstPass(candidate, query).ndcg())
              .stream()
              .mapToDouble(Double::doubleValue)
              .average()
              .orElse(0);
      String name = candidate.describe(corpus.fields().text());
      tried.put(name, ndcg);
      steps.say(String.format(Locale.ROOT, "    %-36s %.4f", name, ndcg));
      if (ndcg > max) {
        max = ndcg;
        best = candidate;
      }
    }
    return best;
  }

  private TrainedModel train(DemoNode node, HeldOut queries) throws InterruptedException {
    steps.next("Log features for the training queries");
    List<String> names = node.putFeatureSet();
    FeatureRows rows =
        FeatureRows.of(
            steps
                .forEach(
                    "exports of " + EXPORT + " queries",
                    parts(queries.training()),
                    node::logFeatures)
                .stream()
                .flatMap(List::stream)
                .toList());
    steps.say(
        String.format(
            Locale.ROOT,
            "    %d rows of %d features from %d queries",
            rows.count(),
            names.size(),
            rows.groups().size()));

    steps.next("Train LambdaMART with LightGBM");
    TrainedModel model = LightGbmTrainer.train(rows, names, PARITY_ROWS);

    steps.next(
        "Upload the model with " + model.sample().size() + " rows and LightGBM's scores of them");
    JsonNode stored = node.putModel(model);
    steps.say(
        String.format(
            Locale.ROOT,
            "    version %s: %s trees, %s leaves, scored by %s; %s rows score as LightGBM does, at"
                + " most %s ulp apart",
            stored.get("version").asString(),
            stored.get("trees"),
            stored.get("leaves"),
            stored.get("nodes").iterator().next().get("engine").asString(),
            stored.at("/parity/rows"),
            stored.at("/parity/max_ulp")));
    return model;
  }

  private static List<List<JudgedQuery>> parts(List<JudgedQuery> queries) {
    List<List<JudgedQuery>> parts = new ArrayList<>();
    for (int from = 0; from < queries.size(); from += EXPORT) {
      parts.add(queries.subList(from, Math.min(from + EXPORT, queries.size())));
    }
    return parts;
  }

  private void evaluate(
      DemoNode node,
      Corpus corpus,
      HeldOut queries,
      FirstPass byHand,
      Map<String, Double> tried,
      TrainedModel model)
      throws IOException, InterruptedException {
    steps.next("Search with the held-out queries, before and after");
    Evaluation plain = new Evaluation();
    Evaluation tuned = new Evaluation();
    Evaluation rescored = new Evaluation();
    // Code is slow in its first runs, so all three kinds of searches are warmed up equally.
    steps.forEach(
        "training queries to warm up",
        queries.training().subList(0, Math.min(WARM_UP_QUERIES, queries.training().size())),
        query -> threeWays(node, query, byHand));
    // The counters also include earlier searches, so the report shows differences.
    JsonNode before = node.rescoreStats();
    List<List<Ranking>> rankings =
        steps.forEach("queries", queries.test(), query -> threeWays(node, query, byHand));
    JsonNode after = node.rescoreStats();
    for (List<Ranking> three : rankings) {
      plain.add(three.get(0));
      tuned.add(three.get(1));
      rescored.add(three.get(2));
    }
    DemoReport report =
        new DemoReport(
            corpus,
            plain,
            byHand,
            tried,
            tuned,
            rescored,
            queries.nearDuplicates(),
            difference(before, after));
    report.printSideBySide(steps);
    report.printFigures(steps);
    Path result = output.resolve("result.json");
    report.write(result, queries.training().size());
    Path page = output.resolve("report.html");
    Files.writeString(page, report.html(model, before, after));
    steps.say("    The figures are in " + result + ", with pictures in " + page);
  }

  private static List<Ranking> threeWays(DemoNode node, JudgedQuery query, FirstPass byHand) {
    return List.of(
        node.firstPass(FirstPass.PLAIN, query),
        node.firstPass(byHand, query),
        node.rescored(query));
  }

  private static JsonNode difference(JsonNode before, JsonNode after) {
    ObjectNode difference = after.deepCopy().asObject();
    ObjectNode times = difference.get("time_in_nanos").asObject();
    for (String part : List.copyOf(times.propertyNames())) {
      times.put(part, times.get(part).asLong() - before.at("/time_in_nanos/" + part).asLong());
    }
    return difference;
  }

  private void takeScreenshots(
      RunningNode process, DemoNode node, Corpus corpus, HeldOut queries, Path folder)
      throws IOException, InterruptedException {
    steps.next("Take pictures of the page and of the report");
    List<JudgedQuery> half =
        queries.training().subList(0, Math.max(1, queries.training().size() / 2));
    TrainedModel next =
        LightGbmTrainer.train(
            FeatureRows.of(node.logFeatures(half)), node.putFeatureSet(), PARITY_ROWS);
    new Screenshots(process.client(), corpus, folder)
        .take(
            process.address(),
            QuickScorerApi.envelope(SearchBodies.FEATURE_SET, next),
            queries.test(),
            output.resolve("report.html"));
    steps.say("    They are in " + folder.toAbsolutePath().normalize());
  }

  private void serve(RunningNode process, Corpus corpus, JudgedQuery query)
      throws IOException, InterruptedException {
    ObjectNode body = new SearchBodies(corpus).rescored(query);
    body.put("_source", corpus.fields().title());
    steps.next("Try it yourself until you press Ctrl-C");
    steps.say(
        String.format(
            Locale.ROOT,
            "    curl -s '%s/%s/_search?pretty' -H 'Content-Type: application/json' -d '%s'",
            process.address(),
            corpus.name(),
            body.toString().replace("'", "'\\''")));
    steps.say(
        String.format(
            Locale.ROOT,
            "    curl -s '%s/_plugins/_quickscorer/models/%s?pretty'",
            process.address(),
            SearchBodies.MODEL));
    String text = String.join(",", corpus.fields().text());
    steps.say(
        String.format(
            Locale.ROOT,
            "    scorer-core/bin/quickscorer train --cluster %s --index %s --feature-set %s"
                + " --judgments %s --tune-fields %s --query '%s' --upload mine",
            process.address(),
            corpus.name(),
            SearchBodies.FEATURE_SET,
            writeJudgments(corpus),
            text,
            FirstPass.PLAIN
                .search(corpus.fields().text(), "{{keywords}}", SearchBodies.WINDOW)
                .get("query")));
    steps.say("    " + process.address() + "/_plugins/_quickscorer/ui in a browser");
    process.await();
  }
}

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
import io.quickscorer.train.quality.Ndcg;
import io.quickscorer.train.report.Latency;
import io.quickscorer.train.trainer.LightGbmTrainer;
import io.quickscorer.train.trainer.Progress;
import io.quickscorer.train.trainer.TrainedModel;
import io.quickscorer.train.tuning.FirstPass;
import io.quickscorer.train.tuning.TunedFirstPass;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import me.tongfei.progressbar.ProgressBar;
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
      index(process, node, corpus);
      steps.next("Try first passes on training queries");
      TunedFirstPass byHand =
          TunedFirstPass.choose(
              process.client(),
              corpus.name(),
              corpus.fields().text(),
              queries.training(),
              List.of(),
              Ndcg.DEFAULT,
              0);
      byHand
          .tried()
          .forEach(
              (name, ndcg) -> steps.say(String.format(Locale.ROOT, "    %-36s %.4f", name, ndcg)));
      TrainedModel model = train(node, queries);
      evaluate(node, corpus, queries, byHand, model);
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
      try (Stream<Path> files = Files.walk(data)) {
        // Files come before their folder, because a folder must be empty.
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
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

  private void index(RunningNode process, DemoNode node, Corpus corpus) {
    steps.next("Index " + corpus.documents().size() + " documents");
    node.createIndex();
    List<Corpus.Document> documents = corpus.documents();
    // Hits with equal scores have the order of indexing. To get equal figures in every run,
    // documents are indexed one after the other.
    try (ProgressBar bar = Progress.bar("documents", documents.size())) {
      for (int from = 0; from < documents.size(); from += BULK) {
        int end = Math.min(from + BULK, documents.size());
        Corpus.index(process.client(), corpus.name(), documents.subList(from, end));
        bar.stepTo(end);
      }
    }
    node.finishIndex();
  }

  private TrainedModel train(DemoNode node, HeldOut queries) throws InterruptedException {
    steps.next("Log features for the training queries");
    List<String> names = node.putFeatureSet();
    FeatureRows rows =
        FeatureRows.of(
            steps
                .forEach(
                    "exports of " + EXPORT + " queries",
                    queries.training().stream().gather(Gatherers.windowFixed(EXPORT)).toList(),
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

  private void evaluate(
      DemoNode node, Corpus corpus, HeldOut queries, TunedFirstPass byHand, TrainedModel model)
      throws IOException {
    steps.next("Search with the held-out queries, before and after");
    FirstPass best =
        FirstPass.ALL.stream()
            .filter(f -> f.describe(corpus.fields().text()).equals(byHand.description()))
            .findFirst()
            .orElseThrow();
    Evaluation plain = new Evaluation();
    Evaluation tuned = new Evaluation();
    Evaluation rescored = new Evaluation();
    // Code is slow in its first runs, so all three kinds of searches are warmed up equally.
    steps.forEach(
        "training queries to warm up",
        queries.training().subList(0, Math.min(WARM_UP_QUERIES, queries.training().size())),
        query -> threeWays(node, query, best));
    // The counters also include earlier searches, so the report shows differences.
    JsonNode before = node.rescoreStats();
    List<List<Ranking>> rankings =
        steps.forEach("queries", queries.test(), query -> threeWays(node, query, best));
    JsonNode after = node.rescoreStats();
    for (List<Ranking> three : rankings) {
      plain.add(three.get(0));
      tuned.add(three.get(1));
      rescored.add(three.get(2));
    }
    Latency latency =
        Latency.between(
            before, after, rankings.size(), plain.meanTookMillis(), rescored.meanTookMillis());
    DemoReport report =
        new DemoReport(corpus, plain, byHand, tuned, rescored, queries.nearDuplicates(), latency);
    report.printSideBySide(steps);
    report.printFigures(steps);
    Path result = output.resolve("result.json");
    report.write(result, queries.training().size());
    Path page = output.resolve("report.html");
    Files.writeString(page, report.html(model));
    steps.say("    The figures are in " + result + ", with pictures in " + page);
  }

  private static List<Ranking> threeWays(DemoNode node, JudgedQuery query, FirstPass best) {
    return List.of(
        node.firstPass(FirstPass.PLAIN, query), node.firstPass(best, query), node.rescored(query));
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

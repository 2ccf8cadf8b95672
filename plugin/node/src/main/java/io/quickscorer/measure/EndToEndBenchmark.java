// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.measure;

import io.quickscorer.demo.corpus.Corpus;
import io.quickscorer.demo.corpus.CorpusFolder;
import io.quickscorer.demo.corpus.GeneratedShop;
import io.quickscorer.measure.EndToEndOptions.Cell;
import io.quickscorer.measure.MeasuredSide.Cost;
import io.quickscorer.node.RunningNode;
import io.quickscorer.train.data.JudgedQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Measures the cost of whole searches. A <em>way</em> is a kind of search: without rescoring, with
 * the plugin's rescoring, or with OpenSearch's own rescorer, which needs one query clause per
 * feature. The net cost of a way is its cost minus that of searches that only collect the hits to
 * rescore. All ways run alternately, in rounds, on one index. Costs are the median processor time
 * and allocated bytes of the node per search. Latencies are measured with searches that start at
 * fixed times, at half the maximum rate.
 */
public final class EndToEndBenchmark {
  private static final int PRODUCTS = 9_750;
  private static final int QUERIES = 60;
  private static final int CANDIDATES = 400;
  private static final int WARM_UP_ROUNDS = 3;

  /**
   * Number of rounds before the first measurement, so that the JIT compiles the code that all
   * searches use.
   */
  private static final int FIRST_WARM_UP_ROUNDS = 30;

  private static final int COMPARED = 5;

  private final EndToEndOptions options;
  private final Corpus corpus;
  private final EndToEndReport report = new EndToEndReport();
  private final Growth growth;
  private List<String> queries = List.of();

  private EndToEndBenchmark(EndToEndOptions options, Corpus corpus) {
    this.options = options;
    this.corpus = corpus;
    this.growth = new Growth(options.cells());
  }

  /**
   * Runs the benchmark. Throws an exception if a request fails, or if the hits of two builds
   * differ.
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    EndToEndOptions options = EndToEndOptions.read();
    Path folder = options.corpus();
    Corpus corpus =
        folder == null ? GeneratedShop.generate(PRODUCTS, 500) : CorpusFolder.read(folder);
    new EndToEndBenchmark(options, corpus).run();
  }

  /**
   * A build of the plugin to measure.
   *
   * @param home the OpenSearch folder with this build
   * @param data the folder of the node's data
   */
  private record Build(String name, Path home, Path data) {}

  private void run() throws IOException, InterruptedException {
    Path folder = options.data();
    Path data =
        folder == null ? Files.createTempDirectory("endtoend") : Files.createDirectories(folder);
    Path home = RunningNode.home();
    prepare(home, Files.createDirectories(data.resolve("node")));
    List<Build> builds = new ArrayList<>();
    Path before = options.before();
    if (before != null) {
      Path copy = Files.createTempDirectory("endtoend-before");
      MeasuredHome.copy(data.resolve("node"), copy.resolve("node"), copy);
      Path earlier = MeasuredHome.withPlugin(home, before, copy.resolve("home"));
      builds.add(new Build("before", earlier, copy.resolve("node")));
    }
    builds.add(new Build(before == null ? "" : "after", home, data.resolve("node")));
    List<MeasuredSide> sides = new ArrayList<>();
    try {
      for (Build build : builds) {
        sides.add(MeasuredSide.start(build.name, corpus, build.home, build.data));
      }
      new MeasuredModels(options, corpus.fields()).put(sides, queries);
      int warmUpRounds = FIRST_WARM_UP_ROUNDS;
      for (Cell cell : options.cells()) {
        compare(cell, sides);
        measure(cell, sides, warmUpRounds);
        warmUpRounds = WARM_UP_ROUNDS;
      }
    } finally {
      for (MeasuredSide side : sides) {
        side.close();
      }
    }
    if (options.fresh() > 0) {
      report.say("");
      for (Build build : builds) {
        fresh(build);
      }
    }
    report.write(options.output());
    growth.write(options.output());
  }

  /** Indexes the corpus unless an earlier run did so, and selects queries with many hits. */
  private void prepare(Path home, Path data) throws IOException, InterruptedException {
    try (MeasuredSide side = MeasuredSide.start("", corpus, home, data)) {
      int max = Collections.max(options.segments());
      for (Cell cell : options.cells()) {
        MeasuredNode all = side.node(cell.shards(), max, 1);
        if (!all.hasIndex()) {
          report.say("indexing for %s", cell);
          all.createIndex(cell.shards());
          all.addSegments(options.copies(), max);
        }
        MeasuredNode merged = side.node(cell.shards(), cell.segments(), 1);
        if (!merged.hasIndex()) {
          all.cloneTo(merged);
        }
        if (merged.segments() > cell.segments() * cell.shards()) {
          merged.merge(cell.segments());
        }
      }
      MeasuredNode node = side.node(options.cells().getFirst());
      record Hits(String text, int count) {}
      List<Hits> hits =
          corpus.queries().stream()
              .map(JudgedQuery::text)
              .distinct()
              .limit(CANDIDATES)
              .map(
                  text ->
                      new Hits(
                          text,
                          node.search(node.firstPass(text, 0).put("track_total_hits", true))
                              .at("/hits/total/value")
                              .asInt()))
              .toList();
      List<Hits> chosen = new ArrayList<>(hits);
      int window = Collections.max(options.windows());
      chosen.removeIf(hit -> hit.count < window);
      int filled = Math.min(QUERIES, chosen.size());
      if (filled < QUERIES) {
        chosen = new ArrayList<>(hits);
        chosen.sort(Comparator.comparingInt(Hits::count).reversed());
      }
      queries = chosen.stream().limit(QUERIES).map(Hits::text).toList();
      report.setUp(
          corpus.name(), options.copies() * corpus.documents().size(), filled, queries.size());
    }
  }

  /**
   * A kind of search to measure, on the node of one build.
   *
   * @param threads maximum number of threads that rank hits; 0 for the node's setting
   * @param body returns the body of the search for a query's text
   */
  private record Way(
      MeasuredSide side,
      MeasuredNode node,
      String name,
      int threads,
      Function<String, ObjectNode> body) {
    Way(MeasuredSide side, MeasuredNode node, String name, Function<String, ObjectNode> body) {
      this(side, node, name, 0, body);
    }

    /** Sets the node's settings for this kind of search. All other searches must have ended. */
    void begin() {
      if (threads > 0) {
        node.setMaxThreads(threads);
      }
    }

    String label() {
      return side.name().isEmpty() ? name : side.name() + ": " + name;
    }

    void search(String text) {
      node.search(body.apply(text));
    }
  }

  private static final String COLLECTING = "collecting";

  private List<Way> ways(Cell cell, MeasuredSide side) {
    MeasuredNode node = side.node(cell);
    int window = cell.window();
    List<Way> ways = new ArrayList<>();
    ways.add(new Way(side, node, "plain", text -> node.firstPass(text, 10)));
    ways.add(new Way(side, node, COLLECTING, text -> node.idle(text, window)));
    for (int threads : options.threads()) {
      String name = threads == 0 ? "ours" : "ours, threads: " + threads;
      ways.add(
          new Way(
              side,
              node,
              name,
              threads,
              text -> node.extracted(text, window, MeasuredModels.model(cell))));
    }
    if (Collections.max(options.shards()) > 1) {
      ways.add(
          new Way(
              side, node, "global", text -> node.global(text, window, MeasuredModels.model(cell))));
    }
    if (options.keep() > 0) {
      String cheap = MeasuredModels.cheap(cell.features());
      ways.add(
          new Way(
              side,
              node,
              "stages, keep " + options.keep(),
              text ->
                  node.staged(text, window, cheap, options.keep(), MeasuredModels.model(cell))));
      ways.add(new Way(side, node, "cheap alone", text -> node.extracted(text, window, cheap)));
    }
    if (options.beside() > 0) {
      ways.add(
          new Way(
              side,
              node,
              "collecting, " + options.beside(),
              text -> node.idle(text, options.beside())));
      ways.add(
          new Way(
              side,
              node,
              "ours, " + options.beside(),
              text -> node.extracted(text, options.beside(), MeasuredModels.model(cell))));
    }
    ways.add(new Way(side, node, "rescore_query", text -> node.clauses(text, window)));
    return ways;
  }

  /** Checks that the nodes of both builds return the same hits and scores. */
  private void compare(Cell cell, List<MeasuredSide> sides) {
    int compared = 0;
    for (String text : queries.subList(0, Math.min(COMPARED, queries.size()))) {
      JsonNode first = null;
      for (MeasuredSide side : sides) {
        MeasuredNode node = side.node(cell);
        JsonNode hits =
            node.search(node.extracted(text, cell.window(), MeasuredModels.model(cell)))
                .at("/hits/hits");
        if (first != null && !first.equals(hits)) {
          throw new IllegalStateException(
              cell + ": the builds return different hits for query [" + text + "]");
        }
        compared += first == null ? 0 : hits.size();
        first = hits;
      }
    }
    if (compared > 0) {
      report.say("%n%d hits and scores of both builds are equal", compared);
    }
  }

  private void measure(Cell cell, List<MeasuredSide> sides, int warmUpRounds)
      throws InterruptedException {
    List<Way> ways = new ArrayList<>();
    for (MeasuredSide side : sides) {
      for (Way way : ways(cell, side)) {
        try {
          way.search(queries.getFirst());
          ways.add(way);
        } catch (IllegalStateException e) {
          report.refused(way.label(), String.valueOf(e.getMessage()));
        }
      }
    }
    Map<Way, List<Cost>> costs = new LinkedHashMap<>();
    Map<Way, List<Double>> rates = new LinkedHashMap<>();
    for (int round = -warmUpRounds; round < options.rounds(); round++) {
      for (Way way : ways) {
        way.begin();
        long start = System.nanoTime();
        Cost cost = way.side.cost(options.searches(), () -> closedLoop(cell, way));
        double rate = options.searches() * 1e9 / (System.nanoTime() - start);
        if (round >= 0) {
          costs.computeIfAbsent(way, w -> new ArrayList<>()).add(cost);
          rates.computeIfAbsent(way, w -> new ArrayList<>()).add(rate);
        }
      }
    }
    Map<MeasuredSide, Cost> collecting = new LinkedHashMap<>();
    Map<Way, Cost> medians = new LinkedHashMap<>();
    for (Way way : ways) {
      List<Cost> rounds = costs.getOrDefault(way, List.of());
      Cost median =
          new Cost(
              median(rounds.stream().map(Cost::cpuMillis).toList()),
              median(rounds.stream().map(Cost::bytes).toList()));
      medians.put(way, median);
      if (way.name.equals(COLLECTING)) {
        collecting.put(way.side, median);
      }
    }
    List<EndToEndReport.Figures> figures = new ArrayList<>();
    for (Way way : ways) {
      Cost cost = medians.getOrDefault(way, new Cost(0, 0));
      Cost base = collecting.getOrDefault(way.side, new Cost(0, 0));
      double rate = median(rates.getOrDefault(way, List.of()));
      way.begin();
      long[] latencies = openLoop(cell, way, options.rounds() * options.searches(), 2e9 / rate);
      figures.add(
          new EndToEndReport.Figures(
              way.label(),
              cost,
              new Cost(cost.cpuMillis() - base.cpuMillis(), cost.bytes() - base.bytes()),
              latencies,
              rate));
    }
    report.cell(cell, figures);
    growth.add(cell, figures);
  }

  private void closedLoop(Cell cell, Way way) {
    try {
      openLoop(cell, way, options.searches(), 0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private long[] openLoop(Cell cell, Way way, int searches, double intervalNanos)
      throws InterruptedException {
    return OpenLoop.run(
        cell.clients(),
        searches,
        (long) intervalNanos,
        i -> way.search(queries.get(i % queries.size())));
  }

  /** Returns the median; if the number of values is even, the larger one of the middle two. */
  static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.isEmpty() ? 0 : sorted.get(sorted.size() / 2);
  }

  /** Measures the first searches of each kind after the start of a node. */
  private void fresh(Build build) throws IOException, InterruptedException {
    Cell cell = options.cells().getFirst();
    for (String name : List.of("plain", "ours")) {
      try (MeasuredSide side = MeasuredSide.start(build.name, corpus, build.home, build.data)) {
        side.awaitIdle();
        for (Way way : ways(cell, side)) {
          if (way.name.startsWith(name)) {
            way.begin();
            report.fresh(way.label(), firstSearches(way));
          }
        }
      }
    }
  }

  private double[] firstSearches(Way way) {
    double[] millis = new double[options.fresh()];
    double sum = 0;
    for (int i = 0; i < millis.length; i++) {
      String text = queries.get(i % queries.size());
      sum += way.side.cost(1, () -> way.search(text)).cpuMillis();
      millis[i] = sum;
    }
    return millis;
  }
}

package io.quickscorer.extraction;

import io.quickscorer.demo.corpus.Corpus;
import io.quickscorer.demo.corpus.CorpusFolder;
import io.quickscorer.demo.corpus.GeneratedShop;
import io.quickscorer.demo.corpus.JudgedQuery;
import io.quickscorer.extraction.ExtractionFeatures.Feature;
import io.quickscorer.extraction.ExtractionFeatures.Kind;
import io.quickscorer.node.RunningNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import tools.jackson.databind.node.ObjectNode;

/**
 * What features cost per request, document and kind, beside the server's own rescorer with one
 * clause per feature. All ways to search take turns in rounds; a round's figure is the processor
 * time of the node's process, which other work on the machine disturbs less than it does the
 * clock's, and each way's figure is the median of its rounds.
 *
 * <p>System properties: {@code node.home}, {@code demo.corpus} (a folder with a corpus; empty for a
 * generated one), {@code extraction.copies}, {@code extraction.rounds}, {@code extraction.queries}
 * (per round) and {@code extraction.data} (a folder that keeps the index for further runs).
 */
public final class ExtractionBenchmark {
  private static final int SEGMENTS = 16;
  private static final int WINDOW = 1_000;
  private static final int COMPARED_QUERIES = 3;
  private static final int PRODUCTS = 9_750;

  private final RunningNode process;
  private final ExtractionNode node;
  private final List<Feature> features;
  private final int rounds = Integer.getInteger("extraction.rounds", 9);
  private final int queriesPerRound = Integer.getInteger("extraction.queries", 100);
  private List<String> queries = List.of();

  private ExtractionBenchmark(RunningNode process, ExtractionNode node, List<Feature> features) {
    this.process = process;
    this.node = node;
    this.features = features;
  }

  /** Runs the benchmark; an exception means that it failed, or that a feature's value is wrong. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    String folder = System.getProperty("demo.corpus", "");
    Corpus corpus =
        folder.isEmpty()
            ? GeneratedShop.generate(PRODUCTS, 500)
            : CorpusFolder.read(Path.of(folder));
    List<Feature> features = ExtractionFeatures.of(corpus.fields());
    String kept = System.getProperty("extraction.data", "");
    Path data =
        kept.isEmpty()
            ? Files.createTempDirectory("extraction")
            : Files.createDirectories(Path.of(kept));
    try (RunningNode process =
        RunningNode.start(RunningNode.home(), data, List.of(), Map.of(), Duration.ofMinutes(10))) {
      ExtractionNode node = new ExtractionNode(process.client(), corpus, features);
      new ExtractionBenchmark(process, node, features).run(corpus);
    }
  }

  private void run(Corpus corpus) {
    if (!node.hasIndex()) {
      index(corpus);
    }
    for (Kind kind : Kind.values()) {
      node.putFeatureSet(name(kind), ExtractionFeatures.set(features, kind::equals));
    }
    node.putFeatureSet("all", ExtractionFeatures.set(features, kind -> true));
    queries =
        corpus.queries().stream().map(JudgedQuery::text).filter(this::fills).limit(60).toList();
    say("%d queries that fill a window of %d", queries.size(), WINDOW);
    if (node.segments() > 1) {
      measure();
      node.mergeAll();
    }
    measure();
  }

  private void index(Corpus corpus) {
    int copies = Integer.getInteger("extraction.copies", 20);
    CopiedCorpus copied = new CopiedCorpus(corpus);
    List<Corpus.Document> documents = new ArrayList<>();
    node.createIndex();
    int total = copies * corpus.documents().size();
    int segment = 0;
    for (int copy = 0; copy < copies; copy++) {
      documents.addAll(copied.copy(copy));
      int done = (copy + 1) * corpus.documents().size();
      while (segment < SEGMENTS && (long) done * SEGMENTS >= (long) (segment + 1) * total) {
        int size =
            (int) ((long) (segment + 1) * total / SEGMENTS - (long) segment * total / SEGMENTS);
        node.addSegment(documents.subList(0, size));
        documents.subList(0, size).clear();
        segment++;
      }
    }
    say("%s: %d documents in %d segments", corpus.name(), total, node.segments());
  }

  private boolean fills(String text) {
    return node.search(node.firstPass(text, 0)).at("/hits/total/value").asInt() >= WINDOW;
  }

  private static String name(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static void say(String format, Object... arguments) {
    System.out.printf(Locale.ROOT, format + "%n", arguments);
  }

  /** One way to search: a text and a window give the body. */
  private Map<String, BiFunction<String, Integer, ObjectNode>> ways() {
    Map<String, BiFunction<String, Integer, ObjectNode>> ways = new LinkedHashMap<>();
    ways.put("idle", node::idle);
    ways.put("clauses", node::clauses);
    ways.put("all", (text, window) -> node.extracted(text, window, "all"));
    for (Kind kind : Kind.values()) {
      ways.put(name(kind), (text, window) -> node.extracted(text, window, name(kind)));
    }
    return ways;
  }

  private void measure() {
    say("%n%d segments", node.segments());
    int compared = 0;
    for (String query : queries.subList(0, Math.min(COMPARED_QUERIES, queries.size()))) {
      compared += node.compare(query, WINDOW, "all");
    }
    say("%d values of features compared with searches for their queries: the same bits", compared);
    Map<String, List<Double>> small = new LinkedHashMap<>();
    Map<String, List<Double>> large = new LinkedHashMap<>();
    // The first rounds warm the node up.
    for (int round = -3; round < rounds; round++) {
      for (Map.Entry<String, BiFunction<String, Integer, ObjectNode>> way : ways().entrySet()) {
        for (int window : new int[] {1, WINDOW}) {
          double millis = round(way.getValue(), window, round);
          if (round >= 0) {
            (window == 1 ? small : large)
                .computeIfAbsent(way.getKey(), key -> new ArrayList<>())
                .add(millis);
          }
        }
      }
    }
    report(small, large);
  }

  /** Milliseconds of processor time per search. */
  private double round(BiFunction<String, Integer, ObjectNode> way, int window, int round) {
    long start = process.processorTime().toNanos();
    for (int i = 0; i < queriesPerRound; i++) {
      String query = queries.get(Math.floorMod(round * queriesPerRound + i, queries.size()));
      node.search(way.apply(query, window));
    }
    return (process.processorTime().toNanos() - start) / 1e6 / queriesPerRound;
  }

  private void report(Map<String, List<Double>> small, Map<String, List<Double>> large) {
    double idleSmall = median(small, "idle");
    double idleLarge = median(large, "idle");
    say("processor time; fixed: window 1 over idle; per document: window %d over both", WINDOW);
    say(
        "%-14s %8s %10s %10s %9s %9s %12s",
        "", "features", "w1 ms", "w" + WINDOW + " ms", "fixed ms", "us/doc", "ns/doc/feature");
    for (String way : large.keySet()) {
      double one = median(small, way);
      double all = median(large, way);
      double fixed = one - idleSmall;
      double perDocument = (all - idleLarge - fixed) * 1000 / (WINDOW - 1);
      long count =
          features.stream()
              .filter(f -> way.equals("all") || way.equals("clauses") || name(f.kind()).equals(way))
              .count();
      say(
          "%-14s %8d %10.2f %10.2f %9.2f %9.2f %12.0f",
          way, count, one, all, fixed, perDocument, count == 0 ? 0 : perDocument * 1000 / count);
    }
    say(
        "clauses cost %.2f times as much as all features in a window of %d",
        (median(large, "clauses") - idleLarge) / (median(large, "all") - idleLarge), WINDOW);
  }

  private static double median(Map<String, List<Double>> figures, String way) {
    List<Double> sorted = figures.getOrDefault(way, List.of()).stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }
}

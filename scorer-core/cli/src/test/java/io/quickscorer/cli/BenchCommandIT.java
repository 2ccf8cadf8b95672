// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.Engines;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.scorer.Algorithm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Benchmarks as short as can be, in this JVM or by the script {@code bin/quickscorer}. */
final class BenchCommandIT {
  private static final String NUMBER = "-?[0-9.]+(E-?[0-9]+)?";

  private static final Pattern ROW =
      Pattern.compile(
          "\\{\"engine\":\"(?<engine>[^\"]+)\",\"width\":(\\d+|null),"
              + "\"plan\":(\"[^\"]+\"|null),\"docs\":(?<docs>\\d+),\"trees\":\\d+,"
              + "\"leaves\":\\d+,\"features\":\\d+,\"threads\":(?<threads>\\d+),"
              + "\"ns_per_doc_tree\":N,\"spread\":\\[N,N\\],\"bytes_per_tree\":(\\d+|null),"
                  .replace("N", NUMBER)
              + ("\"alloc_bytes_per_doc\":" + NUMBER + "\\},?"));

  @TempDir private Path folder;

  private Run bench(String fixture, String... options) throws Exception {
    return Run.here(arguments(fixture, options));
  }

  private Run script(String fixture, String... options) throws Exception {
    return Run.of(folder, arguments(fixture, options));
  }

  private String[] arguments(String fixture, String... options) throws Exception {
    Path model = folder.resolve("model.txt");
    Files.write(
        model,
        Fixture.all().stream()
            .filter(f -> f.trainer().equals("lightgbm-4.3.0") && f.name().equals(fixture))
            .findFirst()
            .orElseThrow()
            .model("txt"));
    List<String> arguments = new ArrayList<>(List.of("bench", model.toString()));
    arguments.addAll(List.of(options));
    if (!arguments.contains("--warmup")) {
      arguments.addAll(List.of("--warmup", "0"));
    }
    if (!arguments.contains("--rounds")) {
      arguments.addAll(List.of("--rounds", "2"));
    }
    return arguments.toArray(String[]::new);
  }

  /** The engines of the rows with so many documents and threads, in their order. */
  private static List<String> engines(Run run, int documents, int threads) {
    assertEquals(0, run.status(), run.err());
    List<String> lines = run.out().lines().toList();
    assertEquals("[", lines.getFirst());
    assertEquals("]", lines.getLast());
    List<String> engines = new ArrayList<>();
    for (String line : lines.subList(1, lines.size() - 1)) {
      Matcher row = ROW.matcher(line);
      assertTrue(row.matches(), line);
      if (Integer.parseInt(row.group("docs")) == documents
          && Integer.parseInt(row.group("threads")) == threads) {
        engines.add(row.group("engine"));
      }
    }
    return engines;
  }

  @Test
  void linearModelsAreRefused() throws Exception {
    Path model = Files.writeString(folder.resolve("linear.json"), "{\"a\":1,\"b\":2}");
    Run run = Run.here("bench", model.toString());
    assertEquals(3, run.status(), run.err());
    assertTrue(run.err().contains("expected a model with trees"), run.err());
  }

  @Test
  void rowsOfEverySizeAndThreadCount() throws Exception {
    Run run =
        bench(
            "lambdarank_nan",
            "--json",
            "--docs",
            "3,70",
            "--threads",
            "1,2",
            "--engines",
            "cpu,qs");
    List<String> alone = List.of("cpu", "cpu from rows", "qs", "qs from rows", "qs");
    assertEquals(alone, engines(run, 3, 1));
    assertEquals(alone, engines(run, 70, 1));
    assertEquals(List.of("qs"), engines(run, 3, 2));
    assertEquals(List.of("qs"), engines(run, 70, 2));
    assertEquals(
        "left out: cpu on 2 threads: the engine cannot divide a batch among threads\n", run.err());
  }

  @Test
  void everyEngineTakesPartOrIsNamed() throws Exception {
    Run run = script("leaves_65", "--json", "--docs", "5");
    List<String> engines = engines(run, 5, 1);
    for (Algorithm algorithm : Engines.names()) {
      assertTrue(
          engines.contains(algorithm.label())
              ^ run.err().contains("left out: " + algorithm.label() + ":"),
          algorithm + "\n" + run.err());
    }
    assertTrue(run.err().contains("left out: qs: QuickScorer: tree 0 has 65 leaves"), run.err());
  }

  @Test
  void peersTakePartOrAreNamed() throws Exception {
    Run run = script("regression_plain", "--json", "--docs", "9", "--engines", "auto", "--peers");
    List<String> engines = engines(run, 9, 1);
    for (String peer : List.of("lightgbm", "xgboost", "onnxruntime", "catboost")) {
      assertTrue(
          engines.contains(peer) ^ run.err().contains("left out: " + peer + ":"),
          engines + "\n" + run.err());
    }
    String unsuited = script("regression_categorical", "--engines", "auto", "--peers").err();
    assertTrue(unsuited.contains("left out: xgboost: "), unsuited);
    assertTrue(unsuited.contains("left out: onnxruntime: "), unsuited);
  }

  @Test
  void documentsFromAFile() throws Exception {
    Path data = folder.resolve("data.txt");
    Files.writeString(data, "1 qid:1 1:0.5 2:1\n0 qid:1 3:-2\n");
    String[] options = {data.toString(), "--first-feature", "1", "--engines", "auto,object"};
    Run run = bench("regression_plain", options);
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().startsWith("8 trees, "), run.out());
    Files.writeString(data, "# nothing\n");
    run = bench("regression_plain", options);
    assertEquals(4, run.status(), run.err());
  }

  @Test
  void thePageStandsAlone() throws Exception {
    Path page = folder.resolve("bench.html");
    Run run =
        bench("regression_plain", "--docs", "3,70", "--engines", "auto,qs", "--report", "" + page);
    assertEquals(0, run.status(), run.err());
    String text = Files.readString(page);
    for (String shown : List.of("<h2>3 documents", "<h2>70 documents", "<td>qs</td>")) {
      assertTrue(text.contains(shown), shown);
    }
    assertEquals(2, text.split("<svg", -1).length - 1, text);
    assertEquals(2, text.split(">qs</text>", -1).length - 1, text);
    String sizing = text.substring(text.indexOf("<h2>Sizing"));
    assertTrue(sizing.contains(">3</td>") && sizing.contains(">70</td>"), sizing);
    for (String request : List.of("src=", "<script", "<link", "@import", "url(http", "<!DOCTYPE")) {
      assertFalse(text.contains(request), request);
    }
    run = bench("regression_plain", "--engines", "qs", "--report", folder + "/none/bench.html");
    assertEquals(2, run.status(), run.err());
  }

  @Test
  void wrongUsageIsRefused() throws Exception {
    for (String[] options :
        new String[][] {
          {"--docs", "0"},
          {"--docs", "9999999"},
          {"--threads", "0"},
          {"--rounds", "0"},
          {"--warmup", "-1"},
          {"--engines", "qs,nosuch"}
        }) {
      Run run = bench("regression_plain", options);
      assertEquals(2, run.status(), run.err());
      assertTrue(run.err().startsWith(options[0] + ": "), run.err());
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Counts the files of the plugin whose code one plain search enters on the threads that serve it,
 * and holds the list of {@code CONTRIBUTING.md} against them.
 */
final class OneSearchIT {
  private static final String ROOT = "/_plugins/_quickscorer";
  private static final Path SOURCES = Path.of("../src/main/java");
  private static final Path CONTRIBUTING = Path.of("../../CONTRIBUTING.md");
  private static final Pattern NO_CODE = Pattern.compile("\\s*(//|\\*|/\\*|import |package |$)");
  private static final Pattern NAME = Pattern.compile("`([A-Z][A-Za-z]+)`");
  private static final int MAX_FILES = 99;
  private static final int MAX_LINES = 10_880;

  /** The threads that serve searches; others work in the background. */
  private static final Pattern SERVING =
      Pattern.compile("\\[(transport_worker|search|index_searcher)\\]");

  private static final String MODEL =
      """
      [{"nodeid": 0, "split": "likes", "split_condition": 20, "yes": 1, "no": 2, "missing": 1,
        "children": [{"nodeid": 1, "leaf": 1.5},
                     {"nodeid": 2, "split": "title", "split_condition": 0.1, "yes": 3, "no": 4,
                      "missing": 3,
                      "children": [{"nodeid": 3, "leaf": 2.5}, {"nodeid": 4, "leaf": 3.5}]}]}]
      """;

  private static final String SEARCH =
      """
      {"query": {"match": {"title": "red shoe"}},
       "rescore": {"window_size": 50,
                   "quickscorer": {"model": "plain", "params": {"keywords": "red"}}}}
      """;

  @TempDir private Path data;

  @Test
  void aPlainSearchRunsThroughFewFiles() throws Exception {
    try (MethodTrace trace = MethodTrace.listen();
        RunningNode node =
            RunningNode.start(
                RunningNode.home(),
                data,
                // Its searches run through the same files, and more.
                List.of("-Equickscorer.model.warm_up=0s"),
                Map.of("NODE_JAVA_OPTS", trace.option()),
                SharedNode.START)) {
      NodeClient client = node.client();
      StringBuilder bulk = new StringBuilder();
      for (int i = 0; i < 40; i++) {
        bulk.append("{\"index\": {}}\n{\"title\": \"red shoe\", \"likes\": ").append(i);
        bulk.append("}\n");
      }
      client.post("/docs/_bulk?refresh=true", bulk.toString());
      client.put(
          ROOT + "/feature_sets/plain",
          """
          {"features": [
             {"name": "likes", "type": "field", "field": "likes"},
             {"name": "title", "type": "query",
              "template": {"match": {"title": "{{keywords}}"}}}]}
          """);
      client.put(ROOT + "/models/plain?feature_set=plain", MODEL);
      client.get(ROOT + "/ready?timeout=1m");
      // The first search of a model takes other ways, such as building the engine.
      client.post("/docs/_search", SEARCH);
      awaitIdle(client);
      trace.begin("io.quickscorer.*", SERVING);
      assertEquals(10, client.post("/docs/_search", SEARCH).at("/hits/hits").size());
      // Its code is entered after that of the search.
      client.get(ROOT + "/ready");
      List<String> files =
          trace.filesBefore("/plugin/Endpoints.java").stream()
              .filter(file -> file.contains("/plugin/"))
              .toList();
      long lines = 0;
      for (String file : files) {
        long length =
            Files.readAllLines(SOURCES.resolve(file)).stream()
                .filter(line -> !NO_CODE.matcher(line).lookingAt())
                .count();
        System.out.println(file + ": " + length + " lines of code");
        lines += length;
      }
      System.out.println(
          "One plain search: " + files.size() + " files, " + lines + " lines of code");
      assertTrue(files.size() > 10, files::toString);
      assertTrue(files.size() <= MAX_FILES, files::toString);
      assertTrue(lines <= MAX_LINES, lines + " lines of code");
      List<String> entered = files.stream().map(OneSearchIT::name).toList();
      List<String> documented = documented();
      assertTrue(documented.size() > 20, documented::toString);
      assertEquals(entered.stream().filter(documented::contains).toList(), documented);
    }
  }

  /** Waits for the threads of an earlier search, which do more after its response is sent. */
  private static void awaitIdle(NodeClient client) {
    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    JsonNode pools;
    do {
      assertTrue(System.nanoTime() < end, "searches do not end");
      JsonNode stats = client.get("/_nodes/stats/thread_pool");
      pools = stats.get("nodes").iterator().next().get("thread_pool");
    } while (pools.get("search").get("active").asInt() > 0
        || pools.get("index_searcher").get("active").asInt() > 0);
  }

  private static String name(String file) {
    return Path.of(file).getFileName().toString().replace(".java", "");
  }

  /** Returns the names of files in the numbered steps of CONTRIBUTING, by first mention. */
  private static List<String> documented() throws IOException {
    String page = Files.readString(CONTRIBUTING);
    int begin = page.indexOf("## How does one search run");
    return page.substring(begin, page.indexOf("\n## ", begin))
        .lines()
        .filter(line -> line.matches("\\d+\\. .*"))
        .flatMap(line -> NAME.matcher(line).results())
        .map(result -> result.group(1))
        .distinct()
        .toList();
  }
}

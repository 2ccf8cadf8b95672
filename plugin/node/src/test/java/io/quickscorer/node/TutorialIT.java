// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The tutorial's commands, as they stand on its page, in a shell against a node of their own. */
final class TutorialIT {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String BEGIN = "```sh";
  private static final String END = "```";

  @TempDir private Path folder;

  private static List<String> commands() throws IOException {
    List<String> commands = new ArrayList<>();
    boolean inside = false;
    for (String line : Files.readAllLines(Path.of("../docs/tutorial.md"))) {
      if (line.equals(BEGIN) || line.equals(END)) {
        inside = line.equals(BEGIN);
      } else if (inside) {
        commands.add(line);
      }
    }
    return commands;
  }

  private JsonNode json(String file) throws IOException {
    return JSON.readTree(Files.readString(folder.resolve(file)));
  }

  @Test
  void endsWithARescoredSearch() throws Exception {
    try (RunningNode node = SharedNode.another(Files.createDirectory(folder.resolve("node")))) {
      List<String> lines = new ArrayList<>(List.of("set -eu"));
      lines.addAll(commands());
      assertTrue(lines.size() > 40, "the page has its commands");
      Path script = Files.write(folder.resolve("tutorial.sh"), lines);
      Path log = folder.resolve("tutorial.log");
      ProcessBuilder builder =
          new ProcessBuilder("/bin/sh", script.toString())
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile());
      builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
      builder.environment().put("OPENSEARCH", node.address().toString());
      Path commands = Path.of("../../scorer-core/bin").toAbsolutePath().normalize();
      builder.environment().merge("PATH", commands.toString(), (path, own) -> own + ":" + path);
      int status = builder.start().waitFor();
      String said = Files.readString(log);
      assertEquals(0, status, said);
      assertTrue(
          said.contains("better than the first pass and than the best first pass tuned by hand"),
          said);
      String report = Files.readString(folder.resolve("training/report.html"));
      assertTrue(report.contains("<h2>Sizing</h2>"), "searches were measured");
      assertTrue(said.contains("alias shop points to shop-1"), said);
      assertTrue(said.contains("\"warnings\":[]"), said);
      assertFalse(json("bulk.json").get("errors").asBoolean());
      JsonNode rescored = json("rescored.json");
      assertEquals("shop-1", rescored.at("/ext/quickscorer/0/models/0/model").asString(), said);
      assertEquals(5, rescored.at("/hits/hits").size());
      assertEquals(rescored.at("/hits/hits"), json("ranked.json").at("/hits/hits"), said);
      String explained = json("explained.json").toString();
      assertTrue(explained.contains("feature [popularity]"), explained);
      assertTrue(json("training/result.json").at("/ndcg_gain/significant").asBoolean());
      JsonNode model = node.client().get("/_plugins/_quickscorer/models/shop-1");
      assertTrue(model.get("trees").asInt() > 30, "the data takes many trees: " + model);
      JsonNode alias = node.client().get("/_plugins/_quickscorer/aliases/shop");
      assertEquals("shop-1", alias.get("model").asString(), alias.toString());
    }
  }
}

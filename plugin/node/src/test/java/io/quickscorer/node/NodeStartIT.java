package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The assembled home starts as a real node with the plugin and with the JVM's vector module, and
 * says why if not.
 */
final class NodeStartIT {
  private static final Duration START = Duration.ofMinutes(3);

  @TempDir private Path data;

  @Test
  void nodeListsThePluginAndHasTheVectorModule() throws Exception {
    try (RunningNode node = RunningNode.start(RunningNode.home(), data, List.of(), START)) {
      assertEquals("3.8.0", node.client().get("/").at("/version/number").asString());
      JsonNode nodes = node.client().get("/_nodes/jvm,plugins").get("nodes");
      JsonNode info = nodes.iterator().next();
      assertEquals("opensearch-quickscorer", info.at("/plugins/0/name").asString());
      List<String> arguments =
          info.at("/jvm/input_arguments").valueStream().map(JsonNode::asString).toList();
      assertTrue(arguments.contains("--add-modules=jdk.incubator.vector"), arguments::toString);
      assertTrue(
          arguments.stream().anyMatch(argument -> argument.startsWith("-javaagent:")),
          arguments::toString);
    }
    assertTrue(
        Files.readString(data.resolve("node.log"))
            .contains("loaded plugin [opensearch-quickscorer]"));
  }

  @Test
  void nodeThatCannotStartSaysWhy() {
    IOException failure =
        assertThrows(
            IOException.class,
            () ->
                RunningNode.start(RunningNode.home(), data, List.of("-Eno.such.setting=1"), START));
    assertTrue(
        failure.getMessage().contains("unknown setting [no.such.setting]"), failure.getMessage());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * The assembled home starts as a real node with the plugin and with the JVM's vector module, and
 * says why if not.
 */
final class NodeStartIT {
  @TempDir private Path data;

  @Test
  void nodeListsThePluginAndHasTheVectorModule() throws Exception {
    RunningNode node = SharedNode.get();
    assertEquals(
        System.getProperty("opensearch.version"),
        node.client().get("/").at("/version/number").asString());
    JsonNode info = node.client().get("/_nodes/jvm,plugins").get("nodes").iterator().next();
    assertEquals("opensearch-quickscorer", info.at("/plugins/0/name").asString());
    List<String> arguments =
        info.at("/jvm/input_arguments").valueStream().map(JsonNode::asString).toList();
    assertTrue(arguments.contains("--add-modules=jdk.incubator.vector"), arguments::toString);
    assertTrue(arguments.stream().anyMatch(a -> a.startsWith("-javaagent:")), arguments::toString);
    assertTrue(Files.readString(node.log()).contains("loaded plugin [opensearch-quickscorer]"));
  }

  @Test
  void nodeThatCannotStartSaysWhy() {
    IOException failure =
        assertThrows(IOException.class, () -> SharedNode.another(data, "-Eno.such.setting=1"));
    assertTrue(
        failure.getMessage().contains("unknown setting [no.such.setting]"), failure.getMessage());
  }

  /** The transport's port is bound before the node has any cluster state, that of HTTP after. */
  @ParameterizedTest
  @ValueSource(strings = {"--transport-port", "--http-port"})
  void aPortThatIsTakenIsTheOnlyCause(String port) throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      String number = Integer.toString(taken.getLocalPort());
      assertThrows(IOException.class, () -> SharedNode.another(data, port, number));
    }
    String log = Files.readString(data.resolve("node.log"));
    assertTrue(log.contains("Address already in use"), log);
    assertFalse(log.contains("NullPointerException"), log);
    assertFalse(log.contains("io.quickscorer."), log);
  }
}

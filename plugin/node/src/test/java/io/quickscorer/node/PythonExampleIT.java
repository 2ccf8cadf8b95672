// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The example of the documentation, by the Python that is installed. */
final class PythonExampleIT {
  private static final String EXAMPLE = "../docs/example.py";
  private static final String LIGHTGBM = "import lightgbm, numpy";

  /** A test that was left out made neither. */
  @AfterEach
  void forget() throws Exception {
    NodeClient client = SharedNode.get().client();
    client.send("DELETE", "/_plugins/_quickscorer/models/python-shop", "");
    client.send("DELETE", "/python-shop", "");
  }

  /** A Python that sees no installed packages trains by what it has itself. */
  @Test
  void trainsALinearModelUploadsAndSearches() throws Exception {
    assertTrue(run("-S", "-E").contains("trained by gradient descent"));
  }

  @Test
  void saysWhyItEnds() throws Exception {
    SharedNode.get().client().send("PUT", "/python-shop", "{}");
    String said = assertThrows(IOException.class, () -> run("-S", "-E")).getMessage();
    assertTrue(said.contains("PUT /python-shop: 400, index [python-shop/"), said);
    assertTrue(said.contains("already exists"), said);
    assertFalse(said.contains("Traceback"), said);
  }

  @Test
  void namesAClusterThatDoesNotAnswer() {
    String said =
        assertThrows(
                IOException.class,
                () ->
                    Program.run(
                        Path.of("."), "", "python3", EXAMPLE, "http://no-such-host.invalid:9200"))
            .getMessage();
    assertTrue(said.contains("http://no-such-host.invalid:9200 does not answer: "), said);
    assertFalse(said.contains("Traceback"), said);
  }

  @Test
  void trainsWithLightGbmUploadsAndSearches() throws Exception {
    try {
      Program.run(Path.of("."), "", "python3", "-c", LIGHTGBM);
    } catch (IOException e) {
      Assumptions.abort("python3 has no lightgbm: pip install lightgbm");
    }
    assertTrue(run().contains("trained by LightGBM"));
  }

  private static String run(String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of("python3"));
    command.addAll(List.of(options));
    command.addAll(List.of(EXAMPLE, SharedNode.get().address().toString()));
    String said = Program.run(Path.of("."), "", command.toArray(String[]::new));
    List<Double> ndcg =
        said.lines()
            .filter(line -> line.startsWith("NDCG@10"))
            .map(line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1)))
            .toList();
    assertEquals(2, ndcg.size(), said);
    assertTrue(ndcg.getLast() > ndcg.getFirst() + 0.2, said);
    assertTrue(said.contains("rows that score alike: 20"), said);
    return said;
  }
}

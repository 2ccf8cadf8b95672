// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The example of the documentation, by the Python that is installed. */
final class PythonExampleIT {
  @Test
  void trainsUploadsAndSearches() throws Exception {
    RunningNode node = SharedNode.get();
    String said =
        Program.run(Path.of("."), "", "python3", "../docs/example.py", node.address().toString());
    List<Double> ndcg =
        said.lines()
            .filter(line -> line.startsWith("NDCG@10"))
            .map(line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1)))
            .toList();
    assertEquals(2, ndcg.size(), said);
    assertTrue(ndcg.getLast() > ndcg.getFirst() + 0.2, said);
    assertTrue(said.contains("rows that score alike: 20"), said);
    node.client().call("DELETE", "/_plugins/_quickscorer/models/python-shop", "");
    node.client().call("DELETE", "/python-shop", "");
  }
}

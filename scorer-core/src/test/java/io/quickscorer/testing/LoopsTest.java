// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class LoopsTest {
  @Test
  void plantedOnesAreFound() throws Exception {
    Set<String> found = new TreeSet<>();
    try (InputStream in = PlantedLoops.class.getResourceAsStream("PlantedLoops.class")) {
      Loops.in(
              List.of(ClassFile.of().parse(in.readAllBytes())),
              Set.of("io/quickscorer/testing/PlantedLoops.step"))
          .forEach(method -> found.add(CallGraph.shown(method)));
    }
    assertEquals(
        Set.of(
            "PlantedLoops.foundByCall",
            "PlantedLoops.foundByInsertion",
            "PlantedLoops.foundByPattern",
            "PlantedLoops.foundByRemoval",
            "PlantedLoops.foundBySearch",
            "PlantedLoops.foundBySearchBesideAStep",
            "PlantedLoops.foundInALambda",
            "PlantedLoops.foundInAStream",
            "PlantedLoops.foundNested"),
        found);
  }
}

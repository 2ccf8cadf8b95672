// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.engine.traversal.ReferenceScorer;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class FusedComparisonsTest {
  /** What they decide is which engine is taken. All of them return the same scores. */
  private static final Set<String> ALLOWED = Set.of("AlgorithmSelector.select");

  @Test
  void noneInTheEngine() throws Exception {
    assertEquals(List.of(), FusedComparisons.inModuleOf(ReferenceScorer.class, ALLOWED));
  }

  @Test
  void plantedOnesAreFound() throws Exception {
    Set<String> found = new TreeSet<>();
    try (InputStream in =
        PlantedComparisons.class.getResourceAsStream("PlantedComparisons.class")) {
      for (String place : FusedComparisons.in(List.of(ClassFile.of().parse(in.readAllBytes())))) {
        found.add(place.substring(place.indexOf('.') + 1, place.indexOf(':')));
      }
    }
    Set<String> planted = new TreeSet<>();
    Arrays.stream(PlantedComparisons.class.getDeclaredMethods())
        .map(method -> method.getName())
        .filter(name -> name.startsWith("found"))
        .forEach(planted::add);
    assertEquals(planted, found);
  }
}

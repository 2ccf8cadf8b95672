// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.testing.PlantedFaults;
import io.quickscorer.testing.RunTests;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The list of planted faults fits the code; with {@code -Pplanted}, the tests find all of them. */
final class PlantedFaultsTest {
  private static PlantedFaults faults() throws Exception {
    return new PlantedFaults(Path.of(System.getProperty("gpu.module", ".")), RunTests.class);
  }

  @Test
  void listFitsTheCode() throws Exception {
    assertEquals(List.of(), faults().outdated());
  }

  @Test
  @EnabledIfSystemProperty(named = "planted", matches = "true")
  void testsFindAll(@TempDir Path folder) throws Exception {
    assertEquals(List.of(), faults().unfound(folder));
  }
}

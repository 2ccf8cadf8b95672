// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The list of planted faults of a module fits the code; with {@code -Pplanted}, the tests find all
 * of them.
 */
public abstract class PlantedFaultsContract {
  private final Path module;

  /**
   * @param module the folder of the module with the list
   */
  protected PlantedFaultsContract(Path module) {
    this.module = module;
  }

  private PlantedFaults faults() throws Exception {
    return new PlantedFaults(module, RunTests.class);
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

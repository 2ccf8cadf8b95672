// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.testing.PlantedFaultsContract;
import java.nio.file.Path;

/** The planted faults of this module. */
final class PlantedFaultsTest extends PlantedFaultsContract {
  PlantedFaultsTest() {
    super(Path.of(System.getProperty("gpu.module", ".")));
  }
}

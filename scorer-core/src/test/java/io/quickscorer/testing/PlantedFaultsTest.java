// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.nio.file.Path;

/** The planted faults of the library. */
final class PlantedFaultsTest extends PlantedFaultsContract {
  PlantedFaultsTest() {
    super(Path.of(""));
  }
}

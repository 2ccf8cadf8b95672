// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.testing.FusedComparisons;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The rule of the engine's module, over this one's classes. */
final class FusedComparisonsTest {
  @Test
  void noneOnTheHost() throws Exception {
    assertEquals(List.of(), FusedComparisons.inModuleOf(GpuProvider.class, Set.of()));
  }
}

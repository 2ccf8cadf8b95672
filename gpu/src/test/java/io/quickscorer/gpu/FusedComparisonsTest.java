// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.testing.FusedComparisons;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The rule of the engine's module, over this one's classes. */
final class FusedComparisonsTest {
  /** A prediction of time, which decides only where a batch is scored. */
  private static final Set<String> ALLOWED = Set.of("WalkPlan.nanos");

  @Test
  void noneOnTheHost() throws Exception {
    assertEquals(List.of(), FusedComparisons.inModuleOf(GpuTraversalProvider.class, ALLOWED));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.testing.FusedComparisons;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The rule of the library, over this module's classes. */
final class FusedComparisonsTest {
  /** It decides which plan is timed. All of them return the same scores. */
  private static final Set<String> ALLOWED = Set.of("RangeCase.fits");

  @Test
  void noneInTheEngines() throws Exception {
    assertEquals(List.of(), FusedComparisons.inModuleOf(PapersProvider.class, ALLOWED));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing.planted.first;

import io.quickscorer.engine.columns.FloatOrder;
import io.quickscorer.testing.planted.second.Second;
import java.util.stream.IntStream;

/** One half of a cycle between two packages, for the test of the rule against them. */
public final class First {
  /** A static that can be assigned again, for the test of the rule against those. */
  static int assigned;

  /** A use of what the library does not export, for the test of the rule against that. */
  int key(float value) {
    return FloatOrder.key(value);
  }

  /** An unchecked sum of ints, for the test of the rule against those. */
  int sum(int[] sizes) {
    return IntStream.of(sizes).sum();
  }

  Second other() {
    return new Second();
  }
}

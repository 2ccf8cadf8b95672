// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing.planted.first;

import io.quickscorer.testing.planted.second.Second;

/** One half of a cycle between two packages, for the test of the rule against them. */
public final class First {
  /** A static that can be assigned again, for the test of the rule against those. */
  static int assigned;

  Second other() {
    return new Second();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import java.util.List;

/**
 * Defects of the JIT compiler that can make a score wrong, by JDK version. {@code
 * docs/jit-defects.md} describes them. No code of this library is known to be affected.
 */
public final class JdkDefects {
  /** JDK bug: the C2 compiler fuses two comparisons of an int, and may use the wrong result. */
  static final String FUSED_COMPARISONS = "JDK-8376400";

  /** The last update of JDK 25 with the defect {@link #FUSED_COMPARISONS}. */
  private static final int LAST_UPDATE_OF_25 = 3;

  /** The last update of JDK 26 with the defect {@link #FUSED_COMPARISONS}. */
  private static final int LAST_UPDATE_OF_26 = 1;

  /** First JDK version without the defect {@link #FUSED_COMPARISONS} in any of its releases. */
  private static final int FIRST_FREE = 27;

  private JdkDefects() {}

  /** Returns the known defects of this JVM; empty if there are none. */
  public static List<String> ofThisJvm() {
    return of(Runtime.version());
  }

  static List<String> of(Runtime.Version version) {
    int last =
        switch (version.feature()) {
          case 25 -> LAST_UPDATE_OF_25;
          case 26 -> LAST_UPDATE_OF_26;
          default -> version.feature() < FIRST_FREE ? Integer.MAX_VALUE : -1;
        };
    return version.update() <= last ? List.of(FUSED_COMPARISONS) : List.of();
  }
}

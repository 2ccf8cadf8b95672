// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import java.util.List;

/**
 * Defects of a JDK's JIT that can make a score wrong, by version; {@code docs/jit-defects.md}
 * describes them and the source of the versions. No code of this library is known to be affected.
 */
public final class JdkDefects {
  /** C2 fuses two comparisons of an int and continues at the wrong one. */
  static final String FUSED_COMPARISONS = "JDK-8376400";

  /** The last updates that were released before the defect was fixed anywhere. */
  private static final int LAST_UPDATE_OF_25 = 3;

  private static final int LAST_UPDATE_OF_26 = 1;

  private static final int FIRST_FREE = 27;

  private JdkDefects() {}

  /** Returns the defects that this JVM is known to have; empty if none is known. */
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

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.common;

import io.quickscorer.ensemble.NumberedNames;
import java.util.List;

/** Creates feature names for files that have none, and shortens names for messages. */
public final class FeatureNames {
  private static final int MAX_SHOWN = 60;

  private FeatureNames() {}

  /** Returns the names {@code f0, f1, ...}, as XGBoost does. */
  public static List<String> indexed(int count) {
    return new NumberedNames("f", 0, count);
  }

  /**
   * Returns an untrusted name for a message: at most {@value #MAX_SHOWN} characters, with special
   * characters replaced by question marks.
   */
  public static String shown(String name) {
    String cut = name.length() > MAX_SHOWN ? name.substring(0, MAX_SHOWN) : name;
    return cut.replaceAll("[^\\w .:-]", "?");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.common;

import io.quickscorer.ensemble.NumberedNames;
import java.util.List;

/** Creates names for features that have none in the file, and shortens names for messages. */
public final class FeatureNames {
  private static final int MAX_SHOWN = 60;

  private FeatureNames() {}

  /** Returns the names {@code f0, f1, ...}, which XGBoost also uses. */
  public static List<String> indexed(int count) {
    return new NumberedNames("f", 0, count);
  }

  /**
   * Returns a name from a file in the form for messages: at most {@value #MAX_SHOWN} characters,
   * with question marks in place of special characters.
   */
  public static String shown(String name) {
    String cut = name.length() > MAX_SHOWN ? name.substring(0, MAX_SHOWN) : name;
    return cut.replaceAll("[^\\w .:-]", "?");
  }
}

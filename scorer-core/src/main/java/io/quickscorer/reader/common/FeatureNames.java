// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.common;

import java.util.ArrayList;
import java.util.List;

/** Names of features for files that have none. */
public final class FeatureNames {
  private FeatureNames() {}

  /** The names that XGBoost gives: {@code f0, f1, ...}. */
  public static List<String> indexed(int count) {
    List<String> names = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      names.add("f" + i);
    }
    return names;
  }
}

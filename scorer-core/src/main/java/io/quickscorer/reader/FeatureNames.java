package io.quickscorer.reader;

import java.util.ArrayList;
import java.util.List;

/** Names of features for files that have none. */
final class FeatureNames {
  private FeatureNames() {}

  /** The names that XGBoost gives: {@code f0, f1, ...}. */
  static List<String> indexed(int count) {
    List<String> names = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      names.add("f" + i);
    }
    return names;
  }
}

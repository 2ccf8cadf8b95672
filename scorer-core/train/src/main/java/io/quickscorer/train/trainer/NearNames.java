// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.trainer;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Suggests existing names that are similar to a mistyped name. */
final class NearNames {
  private static final int MAX_NAMES = 3;

  private NearNames() {}

  /** Returns the end of a sentence that suggests similar names; empty if there are none. */
  static String of(String name, Map<String, ?> known) {
    int limit = Math.max(2, name.length() / 3);
    List<String> near =
        known.keySet().stream()
            .filter(other -> distance(name, other) <= limit)
            .sorted(
                Comparator.comparingInt((String other) -> distance(name, other))
                    .thenComparing(Comparator.naturalOrder()))
            .limit(MAX_NAMES)
            .toList();
    return near.isEmpty() ? "" : "; similar names: " + String.join(", ", near);
  }

  /** Returns the Levenshtein distance: how many characters are inserted, deleted or replaced. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}

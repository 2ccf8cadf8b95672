// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.upload;

import io.quickscorer.plugin.door.Input;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * By feature of a model that was trained on texts, the texts that its numbers 0, 1, ... stand for.
 */
final class CategoryLists {
  private CategoryLists() {}

  /** Reads {@code {"feature": ["text", …], …}}. */
  static Map<String, List<String>> read(Input in) throws IOException {
    Map<String, List<String>> lists = new TreeMap<>();
    in.object(
        Input.MAX_ITEMS,
        feature -> {
          Set<String> texts = new LinkedHashSet<>();
          in.list(
              Input.MAX_ITEMS,
              () -> {
                if (!texts.add(in.text())) {
                  throw in.wrong("stands in the list before");
                }
              });
          lists.put(feature, List.copyOf(texts));
        });
    return lists;
  }

  /** How many texts each feature has: what an answer shows of them. */
  static Map<String, Integer> counts(Map<String, List<String>> lists) {
    Map<String, Integer> counts = new TreeMap<>();
    lists.forEach((feature, texts) -> counts.put(feature, texts.size()));
    return counts;
  }
}

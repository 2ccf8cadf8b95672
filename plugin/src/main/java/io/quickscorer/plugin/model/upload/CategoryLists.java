// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.upload;

import io.quickscorer.plugin.feature.template.WellFormed;
import io.quickscorer.plugin.model.FeatureBinding;
import io.quickscorer.plugin.model.Json;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.core.xcontent.XContentParser.Token;

/**
 * By feature of a model that was trained on texts, the texts that its numbers 0, 1, ... stand for.
 */
final class CategoryLists {
  /** A string's objects and its places in a list and a set, besides its characters. */
  private static final int TEXT_BYTES = 100;

  private CategoryLists() {}

  /** Reads {@code {"feature": ["text", …], …}}. */
  static Map<String, List<String>> parse(XContentParser parser) throws IOException {
    Json.expect(parser, Token.START_OBJECT, "categories");
    Map<String, List<String>> lists = new TreeMap<>();
    while (parser.nextToken() == Token.FIELD_NAME) {
      String feature = WellFormed.text("categories", parser.currentName());
      String where = "categories: [" + FeatureBinding.shown(feature) + "]";
      parser.nextToken();
      Json.expect(parser, Token.START_ARRAY, where);
      Set<String> texts = new LinkedHashSet<>();
      while (parser.nextToken() != Token.END_ARRAY) {
        String place = where + ", text " + texts.size();
        if (!texts.add(Json.string(parser, place))) {
          throw new IllegalArgumentException(place + ": stands in the list before");
        }
      }
      lists.put(feature, List.copyOf(texts));
    }
    return lists;
  }

  /** How many texts each feature has: what an answer shows of them. */
  static Map<String, Integer> counts(Map<String, List<String>> lists) {
    Map<String, Integer> counts = new TreeMap<>();
    lists.forEach((feature, texts) -> counts.put(feature, texts.size()));
    return counts;
  }

  /** Bytes on the heap. */
  static long bytes(Map<String, List<String>> lists) {
    long bytes = 0;
    for (List<String> texts : lists.values()) {
      for (String text : texts) {
        bytes += TEXT_BYTES + (long) Character.BYTES * text.length();
      }
    }
    return bytes;
  }
}

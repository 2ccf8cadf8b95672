// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.apache.lucene.search.Explanation;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.document.DocumentField;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;

/** The part of a response's hits about rescoring: its memory, and its last form. */
public final class ShownHits {
  public static final String FIELD = "_quickscorer";

  public static final String FEATURES = "features";

  /** A hit's maps and names. */
  private static final int ROW_BYTES = 600;

  /** The longest text of a float with its comma. */
  private static final int TEXT_BYTES = 16;

  /** An explanation's object with its description, or both as text. */
  private static final int EXPLANATION_BYTES = 200;

  private ShownHits() {}

  /** Returns the size of a hit's values before they are written. */
  public static long rowBytes(int features) {
    return ROW_BYTES + (long) Float.BYTES * features;
  }

  /** Returns the size of this number of explanation parts before they are written. */
  static long explanationBytes(long parts) {
    return parts * EXPLANATION_BYTES;
  }

  /** Estimates the size of the hits' values and explanations as text. */
  public static long textBytes(SearchHits hits) {
    long bytes = 0;
    for (SearchHit hit : hits.getHits()) {
      DocumentField field = hit.field(FIELD);
      if (field != null) {
        for (Object row : field.getValues()) {
          bytes += ROW_BYTES + (long) TEXT_BYTES * features(row);
        }
      }
      bytes += bytes(hit.getExplanation());
      for (SearchHits inner : innerHits(hit)) {
        bytes += textBytes(inner);
      }
    }
    return bytes;
  }

  private static int features(Object row) {
    Object features = row instanceof Map<?, ?> map ? map.get(FEATURES) : null;
    return features instanceof float[] values ? values.length : 0;
  }

  private static long bytes(@Nullable Explanation explanation) {
    if (explanation == null) {
      return 0;
    }
    long bytes = 0;
    Deque<Explanation> open = new ArrayDeque<>();
    open.push(explanation);
    while (!open.isEmpty()) {
      Explanation part = open.pop();
      bytes += EXPLANATION_BYTES + part.getDescription().length();
      for (Explanation detail : part.getDetails()) {
        open.push(detail);
      }
    }
    return bytes;
  }

  /**
   * Converts the values of the hits for the response. Shards send floats; the response has null for
   * a missing value.
   */
  public static void write(SearchHits hits) {
    for (SearchHit hit : hits.getHits()) {
      DocumentField field = hit.field(FIELD);
      if (field != null) {
        field.getValues().forEach(ShownHits::write);
      }
      innerHits(hit).forEach(ShownHits::write);
    }
  }

  private static Collection<SearchHits> innerHits(SearchHit hit) {
    return hit.getInnerHits() == null ? List.of() : hit.getInnerHits().values();
  }

  @SuppressWarnings("unchecked") // the rows are our own
  private static void write(Object row) {
    if (row instanceof Map<?, ?> map && map.get(FEATURES) instanceof float[] values) {
      ((Map<String, Object>) map).put(FEATURES, new FeatureValues(values));
    }
  }
}

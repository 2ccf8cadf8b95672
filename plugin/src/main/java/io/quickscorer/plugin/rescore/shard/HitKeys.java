// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.plugin.feature.window.Window;
import org.apache.lucene.util.NumericUtils;

/** Encodes hits as numbers that sort by descending score, then by ascending doc id. */
final class HitKeys {
  private HitKeys() {}

  public static long of(float score, int doc) {
    return (long) ~NumericUtils.floatToSortableInt(score) << 32 | doc;
  }

  public static float score(long key) {
    return NumericUtils.sortableIntToFloat(~(int) (key >> 32));
  }

  public static int doc(long key) {
    return (int) key;
  }

  /**
   * Returns the sort keys of a window's hits, which are not sorted yet.
   *
   * @param scores the scores of the window's documents
   * @param length the length of the returned array; the caller fills the elements after the
   *     window's hits
   */
  public static long[] of(Window window, float[] scores, int length) {
    long[] keys = new long[length];
    for (int i = 0; i < window.size(); i++) {
      keys[i] = of(scores[i], window.docs()[i]);
    }
    return keys;
  }
}

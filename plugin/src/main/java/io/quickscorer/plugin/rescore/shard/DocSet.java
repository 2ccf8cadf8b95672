// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A set of doc ids in sorted arrays, without an object for each id. Each array is at least twice as
 * long as the next one, so the number of arrays is small. Not safe for use by several threads.
 */
final class DocSet extends AbstractSet<Integer> {
  private final List<int[]> runs = new ArrayList<>();

  /**
   * Adds doc ids to the set.
   *
   * @param docs the ids, ascending; the array must not change afterwards
   */
  public void add(int[] docs) {
    int[] run = docs;
    while (!runs.isEmpty() && runs.getLast().length < 2L * run.length) {
      run = merged(runs.removeLast(), run);
    }
    runs.add(run);
  }

  private static int[] merged(int[] a, int[] b) {
    int[] merged = new int[a.length + b.length];
    int length = 0;
    int j = 0;
    for (int doc : a) {
      while (j < b.length && b[j] < doc) {
        merged[length++] = b[j++];
      }
      if (j < b.length && b[j] == doc) {
        j++;
      }
      merged[length++] = doc;
    }
    while (j < b.length) {
      merged[length++] = b[j++];
    }
    return Arrays.copyOf(merged, length);
  }

  @Override
  public boolean contains(@Nullable Object doc) {
    return doc instanceof Integer id
        && runs.stream().anyMatch(run -> Arrays.binarySearch(run, id) >= 0);
  }

  @Override
  public Iterator<Integer> iterator() {
    return IntStream.of(whole()).iterator();
  }

  @Override
  public int size() {
    return whole().length;
  }

  private int[] whole() {
    int[] whole = new int[0];
    for (int[] run : runs.reversed()) {
      whole = merged(run, whole);
    }
    runs.clear();
    runs.add(whole);
    return whole;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
      run = union(Stream.of(runs.removeLast(), run)).toArray();
    }
    runs.add(run);
  }

  @Override
  public boolean contains(@Nullable Object doc) {
    return doc instanceof Integer id
        && runs.stream().anyMatch(run -> Arrays.binarySearch(run, id) >= 0);
  }

  @Override
  public Iterator<Integer> iterator() {
    return union(runs.stream()).iterator();
  }

  @Override
  public int size() {
    return (int) union(runs.stream()).count();
  }

  private static IntStream union(Stream<int[]> sorted) {
    return sorted.flatMapToInt(IntStream::of).sorted().distinct();
  }
}

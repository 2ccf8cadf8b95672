// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.columns;

import io.quickscorer.ensemble.CategorySet;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Assigns consecutive numbers from 0 to the categories in a feature's sets. Tables of the sets then
 * need no memory for categories that no set contains. If all categories are below {@value #FREE},
 * or the sets contain at least one sixteenth of all categories up to the largest, each category is
 * its own number.
 *
 * <p>Numbers ascend with the categories, and category 0 is number 0. So feature values below 1 stay
 * unchanged: they are category 0, no category, or missing. Immutable.
 *
 * @param known the renumbered categories, ascending; null if each category is its own number. Not a
 *     copy
 * @param end the largest number that a category can have. No category in a set has this number
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record CategoryNumbers(int @Nullable [] known, int end) {
  /** Leaves all categories unchanged, for features without large categories. */
  public static final CategoryNumbers IDENTITY = new CategoryNumbers(null, 0);

  /** Categories are not renumbered if all of them are below this number. */
  private static final int FREE = 1 << 12;

  /**
   * Categories are renumbered only if the largest one is more than this many times the number of
   * categories in the sets.
   */
  private static final int MAX_CATEGORIES_PER_NUMBER = 16;

  public static CategoryNumbers of(List<CategorySet> sets) {
    int largest = sets.stream().mapToInt(CategorySet::end).max().orElse(0);
    if (largest > FREE) {
      int[] known = union(sets);
      if (known.length < largest / MAX_CATEGORIES_PER_NUMBER) {
        return new CategoryNumbers(known, known.length);
      }
    }
    return new CategoryNumbers(null, largest);
  }

  private static int[] union(List<CategorySet> sets) {
    Map<Integer, Long> words = new HashMap<>(Map.of(0, 1L));
    for (CategorySet set : sets) {
      int[] places = set.places();
      long[] bits = set.words();
      for (int i = 0; i < places.length; i++) {
        words.merge(places[i], bits[i], (a, b) -> a | b);
      }
    }
    int[] known = new int[words.values().stream().mapToInt(Long::bitCount).sum()];
    int count = 0;
    for (Map.Entry<Integer, Long> word : words.entrySet()) {
      for (long rest = word.getValue(); rest != 0; rest &= rest - 1) {
        known[count++] = word.getKey() * Long.SIZE + Long.numberOfTrailingZeros(rest);
      }
    }
    Arrays.sort(known);
    return known;
  }

  /** Returns whether each category is its own number. */
  public boolean isIdentity() {
    return known == null;
  }

  public int of(int category) {
    if (known == null) {
      return Math.min(category, end);
    }
    int place = Arrays.binarySearch(known, category);
    return place < 0 ? end : place;
  }

  /** Returns the category that has the given number, which must be less than {@link #end}. */
  int category(int number) {
    return known == null ? number : known[number];
  }

  /**
   * Returns the number of a value's category, which replaces the value; values below 1 and NaN stay
   * unchanged. Floats represent up to 2^24 numbers exactly.
   */
  public float of(float value) {
    return value >= 1 ? of((int) value) : value;
  }

  /** Returns a set in which each category of {@code set} is replaced by its number. */
  public CategorySet of(CategorySet set) {
    return known == null
        ? set
        : CategorySet.of(Arrays.stream(set.categories()).map(this::of).toArray(), set.rounding());
  }

  /** Returns the memory of the list of categories in bytes; 0 if there is none. */
  public long bytes() {
    return known == null ? 0 : (long) known.length * Integer.BYTES;
  }
}

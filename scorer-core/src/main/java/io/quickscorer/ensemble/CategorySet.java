// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The categories that go left at a categorical split; all other values that are not missing go
 * right.
 *
 * <p>A value is truncated toward zero to a category, as the trainers do. Values below zero have no
 * category, but {@link Rounding#TOWARD_ZERO} treats values between -1 and 0 as category 0. If a
 * trainer sends the members of a set right, the reader exchanges the children.
 *
 * <p>A set is a bitmap of 64-bit words: category c is bit c % 64 of the word with index c / 64.
 * This index is the <i>place</i> of the word. If most words are zero, only the other words are
 * stored, together with their places. So the size in memory depends on the number of members and
 * not on the largest member. Immutable.
 */
public final class CategorySet {
  /** The rule for values between -1 and 0: whether they are category 0 or have no category. */
  public enum Rounding {
    /** Values between -1 and 0 are category 0, as in LightGBM. */
    TOWARD_ZERO,
    /** Values between -1 and 0 have no category, as in XGBoost. */
    NEGATIVE_IS_NONE
  }

  /** A set without members: only missing values can go left. */
  public static final CategorySet EMPTY = ofBitmap(new long[0], Rounding.NEGATIVE_IS_NONE);

  /** Bitmaps of up to this many 64-bit words are always stored with their zero words. */
  private static final int MIN_SPARSE = 32;

  /**
   * Maximum ratio of all words of a bitmap to its non-zero words. If the ratio is larger, the zero
   * words are not stored, unless the bitmap has at most {@link #MIN_SPARSE} words.
   */
  private static final int MAX_WORDS_PER_PLACE = 4;

  private final int @Nullable [] places;
  private final long[] words;
  private final Rounding rounding;

  private CategorySet(int @Nullable [] places, long[] words, Rounding rounding) {
    this.places = places;
    this.words = words;
    this.rounding = rounding;
  }

  /**
   * Returns a set of categories, each 0 or more, in any order.
   *
   * @throws InvalidModelException if a category is {@link Integer#MAX_VALUE}
   */
  public static CategorySet of(int[] categories, Rounding rounding) {
    int[] sorted = categories.clone();
    Arrays.sort(sorted);
    int[] places = new int[sorted.length];
    long[] words = new long[sorted.length];
    int count = 0;
    for (int category : sorted) {
      if (count == 0 || places[count - 1] != category >> 6) {
        places[count++] = category >> 6;
      }
      words[count - 1] |= 1L << category;
    }
    return ofWords(Arrays.copyOf(places, count), Arrays.copyOf(words, count), rounding);
  }

  /** Returns the set of the categories c for which bit c of a bitmap is 1. */
  public static CategorySet ofBitmap(long[] bitmap, Rounding rounding) {
    int[] places = new int[bitmap.length];
    long[] words = new long[bitmap.length];
    int count = 0;
    for (int place = 0; place < bitmap.length; place++) {
      if (bitmap[place] != 0) {
        places[count] = place;
        words[count++] = bitmap[place];
      }
    }
    return ofWords(Arrays.copyOf(places, count), Arrays.copyOf(words, count), rounding);
  }

  /**
   * Returns a set from those 64-bit words of a bitmap that are not zero.
   *
   * @param places the index of each word in the whole bitmap; ascending, 0 or more
   * @throws InvalidModelException if a member is {@link Integer#MAX_VALUE}
   */
  public static CategorySet ofWords(int[] places, long[] words, Rounding rounding) {
    int length = places.length == 0 ? 0 : places[places.length - 1] + 1;
    // Integer.MAX_VALUE cannot be a category, because all values beyond the range of int are
    // truncated to it.
    if (length > Integer.MAX_VALUE >> 6 && words[words.length - 1] < 0) {
      throw new InvalidModelException(
          "category " + Integer.MAX_VALUE + ": expected a smaller number");
    }
    if (length > MIN_SPARSE && length > MAX_WORDS_PER_PLACE * places.length) {
      return new CategorySet(places, words, rounding);
    }
    long[] bitmap = new long[length];
    for (int i = 0; i < places.length; i++) {
      bitmap[places[i]] = words[i];
    }
    return new CategorySet(null, bitmap, rounding);
  }

  /** Returns whether the category of a feature value is a member of this set; false for NaN. */
  public boolean contains(float value) {
    if (value >= 0) {
      return containsCategory((int) value);
    }
    return value > -1 && rounding == Rounding.TOWARD_ZERO && containsCategory(0);
  }

  private boolean containsCategory(int category) {
    int word = category >>> 6;
    if (places != null) {
      int at = Arrays.binarySearch(places, word);
      return at >= 0 && (words[at] >>> category & 1) != 0;
    }
    return word < words.length && (words[word] >>> category & 1) != 0;
  }

  /** Returns the largest member plus 1; 0 for the empty set. */
  public int end() {
    int last = words.length - 1;
    return last < 0
        ? 0
        : (places == null ? last : places[last]) * Long.SIZE
            + Long.SIZE
            - Long.numberOfLeadingZeros(words[last]);
  }

  public int size() {
    return Arrays.stream(words).mapToInt(Long::bitCount).sum();
  }

  public Rounding rounding() {
    return rounding;
  }

  /** Returns a copy of the bitmap's stored 64-bit words, in ascending order of {@link #places}. */
  public long[] words() {
    return words.clone();
  }

  /** Returns, for each stored word, its index in the whole bitmap. The array is a copy. */
  public int[] places() {
    if (places != null) {
      return places.clone();
    }
    int[] all = new int[words.length];
    Arrays.setAll(all, place -> place);
    return all;
  }

  /** Returns the members of this set, ascending. */
  public int[] categories() {
    int[] members = new int[size()];
    int count = 0;
    for (int i = 0; i < words.length; i++) {
      int first = (places == null ? i : places[i]) * Long.SIZE;
      for (long rest = words[i]; rest != 0; rest &= rest - 1) {
        members[count++] = first + Long.numberOfTrailingZeros(rest);
      }
    }
    return members;
  }

  /** Returns a copy of the whole bitmap, without zero words at its end. */
  public long[] toBitmap() {
    if (places == null) {
      return words.clone();
    }
    long[] bitmap = new long[places[places.length - 1] + 1];
    for (int i = 0; i < places.length; i++) {
      bitmap[places[i]] = words[i];
    }
    return bitmap;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CategorySet that
        && rounding == that.rounding
        && Arrays.equals(places, that.places)
        && Arrays.equals(words, that.words);
  }

  @Override
  public int hashCode() {
    return Objects.hash(rounding, Arrays.hashCode(places), Arrays.hashCode(words));
  }
}

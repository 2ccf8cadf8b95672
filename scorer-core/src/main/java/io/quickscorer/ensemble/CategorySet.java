// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.Arrays;
import java.util.Objects;

/**
 * The categories that go left at a categorical split; every other present value goes right.
 *
 * <p>A value is turned into a category by truncation toward zero, as the trainers do. Values below
 * zero belong to no category, except that {@link Rounding#TOWARD_ZERO} takes (-1, 0) for category
 * 0. A reader whose trainer sends members right exchanges the children.
 */
public final class CategorySet {
  /** What becomes of a value between -1 and 0. */
  public enum Rounding {
    /** It is category 0 (LightGBM). */
    TOWARD_ZERO,
    /** It is negative, hence no category (XGBoost). */
    NEGATIVE_IS_NONE
  }

  /** A set without members: no present value goes left. */
  public static final CategorySet EMPTY = new CategorySet(new long[0], Rounding.NEGATIVE_IS_NONE);

  private final long[] words;
  private final Rounding rounding;

  private CategorySet(long[] words, Rounding rounding) {
    this.words = words;
    this.rounding = rounding;
  }

  /** A set from a bitmap: category c is a member when bit c % 64 of word c / 64 is set. */
  public static CategorySet ofBitmap(long[] bitmap, Rounding rounding) {
    int length = bitmap.length;
    while (length > 0 && bitmap[length - 1] == 0) {
      length--;
    }
    return new CategorySet(Arrays.copyOf(bitmap, length), rounding);
  }

  /** Whether a present value is a member. NaN never is. */
  public boolean contains(float value) {
    if (value >= 0) {
      return value < words.length * 64L && containsCategory((int) value);
    }
    return value > -1 && rounding == Rounding.TOWARD_ZERO && containsCategory(0);
  }

  private boolean containsCategory(int category) {
    int word = category >>> 6;
    return word < words.length && (words[word] >>> category & 1) != 0;
  }

  /** One more than the largest member; 0 for the empty set. */
  public int end() {
    return words.length == 0
        ? 0
        : words.length * 64 - Long.numberOfLeadingZeros(words[words.length - 1]);
  }

  public int size() {
    return Arrays.stream(words).mapToInt(Long::bitCount).sum();
  }

  public Rounding rounding() {
    return rounding;
  }

  /** A copy of the bitmap, without trailing zero words. */
  public long[] toBitmap() {
    return words.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CategorySet that
        && rounding == that.rounding
        && Arrays.equals(words, that.words);
  }

  @Override
  public int hashCode() {
    return Objects.hash(rounding, Arrays.hashCode(words));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Maps the values of a categorical feature to the {@linkplain CategoryHash hashes} of their
 * category texts. Immutable.
 *
 * <p>A value is truncated to a whole number. Without a list of texts, the category text is this
 * number in decimal digits, up to {@link CategoryHash#MAX_CATEGORY}; with a list, it is the text at
 * this index. Values that are missing, negative (also between -1 and 0), infinite or too large have
 * no category.
 */
public final class CategoryCodes {
  /** Codes without texts: the category text of each number is its decimal digits. */
  public static final CategoryCodes DIGITS = new CategoryCodes(null);

  /** The result of {@link #hash} for a value without a category. */
  public static final long NONE = -1;

  private final int @Nullable [] hashes;

  private CategoryCodes(int @Nullable [] hashes) {
    this.hashes = hashes;
  }

  /** Returns the codes for a list of category texts: the value i has the text at index i. */
  public static CategoryCodes ofTexts(List<String> texts) {
    return new CategoryCodes(texts.stream().mapToInt(CategoryHash::of).toArray());
  }

  /** Returns the largest whole number that has a category text, plus 1. */
  public int end() {
    return hashes == null ? CategoryHash.MAX_CATEGORY + 1 : hashes.length;
  }

  /** Returns the unsigned 32-bit hash of a value's category text, or {@link #NONE}. */
  public long hash(float value) {
    // The comparison is false for NaN and for negative values.
    int category = value >= 0 ? (int) Math.min(value, end()) : end();
    if (category == end()) {
      return NONE;
    }
    return Integer.toUnsignedLong(hashOf(category));
  }

  /**
   * Returns the 32-bit hash of the text of a category.
   *
   * @param category the number of the category, 0 to {@link #end()} - 1
   */
  public int hashOf(int category) {
    return hashes == null ? CategoryHash.of(category) : hashes[category];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CategoryCodes that && Arrays.equals(hashes, that.hashes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(hashes);
  }
}

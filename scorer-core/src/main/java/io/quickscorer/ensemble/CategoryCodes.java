// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The category texts of a categorical feature's numbers, kept as {@link CategoryHash its hash}.
 *
 * <p>A number is cut toward zero. Without texts, its category is its decimal digits, up to {@link
 * CategoryHash#MAX_CATEGORY}; with texts, the text at that index. Every other value has no
 * category: missing, negative (also between -1 and 0), infinite, or beyond the last one.
 */
public final class CategoryCodes {
  /** Every number's category is its decimal digits. */
  public static final CategoryCodes DIGITS = new CategoryCodes(null);

  /** Returned by {@link #hash} for a value without a category. */
  public static final long NONE = -1;

  private final int @Nullable [] hashes;

  private CategoryCodes(int @Nullable [] hashes) {
    this.hashes = hashes;
  }

  /** Returns codes under which number i means text i. */
  public static CategoryCodes ofTexts(List<String> texts) {
    return new CategoryCodes(texts.stream().mapToInt(CategoryHash::of).toArray());
  }

  /** Returns one more than the largest category. */
  public int end() {
    return hashes == null ? CategoryHash.MAX_CATEGORY + 1 : hashes.length;
  }

  /** Returns the hash of a value's category without a sign, or {@link #NONE}. */
  public long hash(float value) {
    // NaN and negative values fail this test.
    int category = value >= 0 ? (int) Math.min(value, end()) : end();
    if (category == end()) {
      return NONE;
    }
    return Integer.toUnsignedLong(hashOf(category));
  }

  /**
   * Returns the hash of a category.
   *
   * @param category 0 to {@link #end()}, exclusive
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

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text of each number of a categorical feature, kept as {@link CategoryHash its hash}.
 *
 * <p>A number is cut toward zero. Without texts it stands for its decimal digits, up to {@link
 * CategoryHash#MAX_CATEGORY}; with texts, for the text at its place. Every other value is of no
 * category: missing, negative (also between -1 and 0), infinite, or beyond the last one.
 */
public final class CategoryCodes {
  /** Numbers stand for their decimal digits. */
  public static final CategoryCodes DIGITS = new CategoryCodes(null);

  /** The result of {@link #hash} for a value that is of no category. */
  public static final long NONE = -1;

  private final int @Nullable [] hashes;

  private CategoryCodes(int @Nullable [] hashes) {
    this.hashes = hashes;
  }

  /** Number i stands for text i. */
  public static CategoryCodes ofTexts(List<String> texts) {
    return new CategoryCodes(texts.stream().mapToInt(CategoryHash::of).toArray());
  }

  /** One more than the largest category. */
  public int end() {
    return hashes == null ? CategoryHash.MAX_CATEGORY + 1 : hashes.length;
  }

  /** The hash of a value's category without a sign, or {@link #NONE}. */
  public long hash(float value) {
    // Of NaN and what is negative there is no such number.
    int category = value >= 0 ? (int) Math.min(value, end()) : end();
    if (category == end()) {
      return NONE;
    }
    return Integer.toUnsignedLong(hashOf(category));
  }

  /**
   * The hash of a category.
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

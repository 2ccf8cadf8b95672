// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import io.quickscorer.ensemble.CategoryCodes;
import io.quickscorer.ensemble.CategoryHash;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.CategorySet.Rounding;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The categories behind the hashes of a model's one-hot splits.
 *
 * <p>CatBoost stores only the hash of a category's text. Features here are numbers, and a number's
 * category is its decimal digits, as for an integer in CatBoost's training. So each hash is looked
 * up among all integers that can be categories. The matching integers make a set, of one member but
 * for collisions, which CatBoost cannot distinguish either. A hash without a match is that of a
 * text or a negative number, which no value of a feature can equal, unless the texts of the
 * feature's numbers are given.
 */
final class CatBoostCategories {
  private static final int LOW_BITS = 0xffff;

  private final Map<Integer, CategoryCodes> codes;
  private final Map<List<Integer>, CategorySet> ofTexts = new HashMap<>();
  private final int max;
  private final int[] hashes;
  private final @Nullable CategorySet[] sets;

  /**
   * @param hashes the hashes to look for, in any order
   * @param codes the categories of numbers, by column, if they are not digits
   */
  CatBoostCategories(int[] hashes, Map<Integer, CategoryCodes> codes, EnsembleLimits limits) {
    this.codes = codes;
    this.max = Math.min(limits.maxCategory(), CategoryHash.MAX_CATEGORY);
    this.hashes = Arrays.stream(hashes).sorted().distinct().toArray();
    this.sets = new CategorySet[this.hashes.length];
    if (sets.length > 0) {
      find();
    }
  }

  private void find() {
    // The hash's low bits exclude most integers, far faster than a search.
    BitSet ends = new BitSet(LOW_BITS + 1);
    for (int hash : hashes) {
      ends.set(hash & LOW_BITS);
    }
    for (int category = 0; category <= max; category++) {
      int hash = CategoryHash.of(category);
      int found = ends.get(hash & LOW_BITS) ? Arrays.binarySearch(hashes, hash) : -1;
      if (found >= 0) {
        sets[found] = with(sets[found], category);
      }
    }
  }

  private static CategorySet with(@Nullable CategorySet set, int category) {
    int[] present = set == null ? new int[0] : set.categories();
    int[] members = Arrays.copyOf(present, present.length + 1);
    members[present.length] = category;
    return CategorySet.of(members, Rounding.NEGATIVE_IS_NONE);
  }

  /**
   * Returns the categories of a feature that have one of the given hashes.
   *
   * @throws InvalidModelException if categories are digits, and none has the hash
   */
  CategorySet of(int column, int hash) {
    CategoryCodes texts = codes.get(column);
    if (texts != null) {
      return ofTexts.computeIfAbsent(List.of(column, hash), key -> among(texts, hash));
    }
    CategorySet set = sets[Arrays.binarySearch(hashes, hash)];
    if (set == null) {
      throw new InvalidModelException(
          "category of hash "
              + Integer.toUnsignedString(hash)
              + ": no integer of 0.."
              + max
              + " has this hash; number the categories from 0 before training, or give their texts"
              + " by categories");
    }
    return set;
  }

  private static CategorySet among(CategoryCodes texts, int hash) {
    return CategorySet.of(
        IntStream.range(0, texts.end()).filter(text -> texts.hashOf(text) == hash).toArray(),
        Rounding.NEGATIVE_IS_NONE);
  }
}

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
 * Finds the categories that have the hashes of a model's one-hot splits.
 *
 * <p>CatBoost stores only the hash of a category's text. In this library, feature values are
 * numbers, and the category text of a number is its decimal digits, as for integers in CatBoost's
 * training. So each hash is looked up among the hashes of all integers that can be categories. The
 * matching integers form the set of the split. It usually has one member; it has more if hashes
 * collide, and CatBoost cannot distinguish such categories either. A hash without a match belongs
 * to a text or a negative number; then reading fails, unless the caller gives the category texts of
 * the feature's numbers.
 */
final class CatBoostCategories {
  private static final int LOW_BITS = 0xffff;

  private final Map<Integer, CategoryCodes> codes;
  private final Map<List<Integer>, CategorySet> ofTexts = new HashMap<>();
  private final int max;
  private final int[] hashes;
  private final @Nullable CategorySet[] sets;

  /**
   * Finds the categories that have the given hashes.
   *
   * @param hashes the hashes to look up, in any order
   * @param codes the category texts by column, for features whose texts the caller gives
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
    // The lowest bits of the hash exclude most integers, which takes far less time than a search.
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
   * Returns the set of the categories that have a hash.
   *
   * @throws InvalidModelException if the caller gives no category texts for the feature, and the
   *     hash is not that of a possible category number
   */
  CategorySet of(int column, int hash) {
    CategoryCodes texts = codes.get(column);
    if (texts != null) {
      return ofTexts.computeIfAbsent(List.of(column, hash), key -> among(texts, hash));
    }
    CategorySet set = sets[Arrays.binarySearch(hashes, hash)];
    if (set == null) {
      throw new InvalidModelException(
          "the model stores a category only as hash "
              + Integer.toUnsignedString(hash)
              + ", and no integer of 0.."
              + max
              + " has this hash; train with categories numbered from 0, or give the texts of the"
              + " categories by the option categories");
    }
    return set;
  }

  private static CategorySet among(CategoryCodes texts, int hash) {
    return CategorySet.of(
        IntStream.range(0, texts.end()).filter(text -> texts.hashOf(text) == hash).toArray(),
        Rounding.NEGATIVE_IS_NONE);
  }
}

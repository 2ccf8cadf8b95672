// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.CategoryHash;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class CatBoostCategoriesTest {
  /** Up to here no two of the integers below share a hash. */
  private static final int MAX = 1 << 21;

  private static final EnsembleLimits LIMITS = EnsembleLimits.DEFAULT.with(Limit.CATEGORY, MAX);

  private static CatBoostCategories categories(int... hashes) {
    return new CatBoostCategories(hashes, Map.of(), LIMITS);
  }

  /** Of each number of digits; the one_hot_splits fixtures hold the library's own hashes. */
  @Test
  void eachIntegerIsFound() {
    int[] integers = {0, 9, 10, 99, 100, 999, 1_000, 9_999, 10_000, 99_999, 999_999, MAX};
    int[] hashes = Arrays.stream(integers).map(CategoryHash::of).toArray();
    CatBoostCategories categories = categories(hashes);
    for (int i = 0; i < integers.length; i++) {
      CategorySet set = categories.of(0, hashes[i]);
      assertEquals(1, set.size());
      assertTrue(set.contains(integers[i]));
    }
  }

  /** CatBoost takes integers of one hash for the same category. */
  @Test
  void collisionsAreOneSet() {
    long[] byHash =
        IntStream.rangeClosed(0, MAX)
            .mapToLong(i -> (long) CategoryHash.of(i) << Integer.SIZE | i)
            .sorted()
            .toArray();
    int collisions = 0;
    for (int i = 1; i < byHash.length && collisions < 3; i++) {
      int hash = (int) (byHash[i] >> Integer.SIZE);
      if (hash == (int) (byHash[i - 1] >> Integer.SIZE)) {
        CategorySet set = categories(1, hash, hash).of(0, hash);
        assertEquals(2, set.size());
        assertTrue(set.contains((int) byHash[i]) && set.contains((int) byHash[i - 1]));
        collisions++;
      }
    }
    assertEquals(3, collisions, "about 128 of 2^40 / 2 pairs share 32 bits");
  }

  /** The hash of the text "red", and of "-1". */
  @Test
  void whatIsNoIntegerIsRefused() {
    for (int hash : new int[] {-1242798403, 288298918}) {
      InvalidModelException e =
          assertThrows(InvalidModelException.class, () -> categories(hash).of(0, hash));
      assertEquals(
          "the model stores a category only as hash "
              + Integer.toUnsignedString(hash)
              + ", and no integer of 0..2097152 has this hash; train with categories numbered from"
              + " 0, or give the texts of the categories by the option categories",
          e.getMessage());
    }
  }
}

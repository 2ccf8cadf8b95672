// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.CategorySet.Rounding;
import org.junit.jupiter.api.Test;

final class CategorySetTest {
  private static final CategorySet SET =
      CategorySet.ofBitmap(new long[] {1L | 1L << 63, 1L << 2, 0}, Rounding.TOWARD_ZERO);

  @Test
  void membersAreTruncatedTowardZero() {
    for (float member : new float[] {0f, -0f, 0.9f, -0.9f, 63f, 63.5f, 66f}) {
      assertTrue(SET.contains(member), () -> "" + member);
    }
    for (float other : new float[] {-1f, -1.5f, 1f, 62.9f, 64f, 65f, 67f, 127f, 128f, 192f}) {
      assertFalse(SET.contains(other), () -> "" + other);
    }
  }

  @Test
  void aNegativeValueIsNoCategoryWhereTheTrainerSaysSo() {
    CategorySet set = CategorySet.ofBitmap(new long[] {1}, Rounding.NEGATIVE_IS_NONE);
    assertTrue(set.contains(-0f));
    assertFalse(set.contains(-Float.MIN_VALUE));
    assertFalse(set.contains(-0.5f));
  }

  @Test
  void valuesBeyondAnyCategory() {
    for (float value :
        new float[] {
          Float.NaN,
          Float.POSITIVE_INFINITY,
          Float.NEGATIVE_INFINITY,
          Float.MAX_VALUE,
          0x1p31f,
          0x1p32f,
          0x1p63f
        }) {
      assertFalse(SET.contains(value), () -> "" + value);
      assertFalse(CategorySet.EMPTY.contains(value), () -> "" + value);
    }
  }

  @Test
  void sizesAndEquality() {
    assertEquals(3, SET.size());
    assertEquals(67, SET.end());
    assertEquals(0, CategorySet.EMPTY.end());
    assertEquals(Rounding.TOWARD_ZERO, SET.rounding());
    assertArrayEquals(new long[] {1L | 1L << 63, 4}, SET.toBitmap());
    assertEquals(SET, CategorySet.ofBitmap(SET.toBitmap(), Rounding.TOWARD_ZERO));
    assertNotEquals(SET, CategorySet.ofBitmap(SET.toBitmap(), Rounding.NEGATIVE_IS_NONE));
    assertNotEquals(SET, CategorySet.ofBitmap(new long[] {1}, Rounding.TOWARD_ZERO));
    assertNotEquals(SET, new Object());
    assertEquals(
        SET.hashCode(), CategorySet.ofBitmap(SET.toBitmap(), Rounding.TOWARD_ZERO).hashCode());
    assertNotEquals(
        SET.hashCode(), CategorySet.ofBitmap(new long[] {1}, Rounding.TOWARD_ZERO).hashCode());
  }

  @Test
  void zeroWordsAreNoMembers() {
    CategorySet none = CategorySet.ofBitmap(new long[] {0, 0}, Rounding.TOWARD_ZERO);
    assertEquals(0, none.end());
    assertEquals(0, none.toBitmap().length);
    assertEquals(CategorySet.EMPTY, CategorySet.ofBitmap(new long[1], Rounding.NEGATIVE_IS_NONE));
    for (float value : new float[] {-0.5f, 0, 1, 63}) {
      assertFalse(none.contains(value), () -> "" + value);
    }
  }

  @Test
  void theBitmapIsCopied() {
    long[] bitmap = {1};
    CategorySet set = CategorySet.ofBitmap(bitmap, Rounding.TOWARD_ZERO);
    bitmap[0] = 0;
    set.toBitmap()[0] = 0;
    assertTrue(set.contains(0));
  }

  /** Whatever the words between are, a set is the same as its bitmap, its members, its words. */
  @Test
  void sparseSets() {
    for (int large : new int[] {2_047, 2_048, 8_225_540, 1 << 24, Integer.MAX_VALUE - 1}) {
      int[] members = {large, 64, 0, 64, large - 1};
      int[] sorted = {0, 64, large - 1, large};
      CategorySet set = CategorySet.of(members, Rounding.TOWARD_ZERO);
      assertEquals(large >= 2_048, set.words().length <= 4);
      assertArrayEquals(sorted, set.categories());
      assertEquals(large + 1, set.end());
      assertEquals(4, set.size());
      for (int member : sorted) {
        // A float is not every integer, and is cut off to the one that it is.
        assertEquals((int) (float) member == member, set.contains(member), "" + member);
      }
      for (float other : new float[] {-1, 1, 63, 65, 1_000, 1 << 20, 0x1p31f, Float.NaN}) {
        assertFalse(set.contains(other), () -> "" + other);
      }
      assertTrue(set.contains(-0.5f));
      assertEquals(set, CategorySet.ofWords(set.places(), set.words(), Rounding.TOWARD_ZERO));
      if (large < 1 << 25) {
        CategorySet same = CategorySet.ofBitmap(set.toBitmap(), Rounding.TOWARD_ZERO);
        assertEquals(set, same);
        assertEquals(set.hashCode(), same.hashCode());
      }
      assertNotEquals(set, CategorySet.of(sorted, Rounding.NEGATIVE_IS_NONE));
    }
    int[] last = {Integer.MAX_VALUE};
    assertThrows(
        InvalidModelException.class, () -> CategorySet.of(last, Rounding.NEGATIVE_IS_NONE));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class CategoryListTest {
  private static void refused(String message, Runnable made) {
    InvalidModelException e = assertThrows(InvalidModelException.class, made::run);
    assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
  }

  @Test
  void textsHaveTheirPlaces() {
    List<String> texts = List.of("b", "", "ä", "a", "🎈", "ab");
    CategoryList list = CategoryList.ofTexts(texts);
    assertTrue(list.isText());
    assertFalse(list.isCodes());
    assertEquals(texts, list.texts());
    texts.forEach(text -> assertEquals(texts.indexOf(text), list.code(text)));
    assertEquals(CategoryList.NONE, list.code("A"));
    assertEquals(CategoryList.NONE, list.code(0.0));
    assertEquals(list, CategoryList.ofTexts(texts));
    assertNotEquals(list, CategoryList.ofTexts(texts.reversed()));
  }

  @Test
  void numbersHaveTheirPlaces() {
    CategoryList list = CategoryList.ofNumbers(40, -0.0, 10, 1.5);
    assertEquals(0, list.code(40));
    assertEquals(1, list.code(0.0));
    assertEquals(1, list.code(-0.0));
    assertEquals(3, list.code(1.5));
    assertEquals(CategoryList.NONE, list.code(11));
    assertEquals(CategoryList.NONE, list.code(Double.NaN));
    assertEquals(CategoryList.NONE, list.code("40.0"));
    assertFalse(list.isCodes());
    assertTrue(CategoryList.ofNumbers(0, 1, 2).isCodes());
    assertFalse(CategoryList.ofNumbers(1, 0, 2).isCodes());
  }

  @Test
  void eachValueOnce() {
    refused("0 and 2 have the same value", () -> CategoryList.ofTexts(List.of("a", "b", "a")));
    refused("have the same value", () -> CategoryList.ofNumbers(0.0, 5, -0.0));
    refused("not a finite", () -> CategoryList.ofNumbers(1, Double.NaN));
    refused("half of a surrogate", () -> CategoryList.ofTexts(List.of("\ud83c")));
    CategoryList.Builder both = new CategoryList.Builder();
    both.add("a");
    both.add(1);
    refused("texts and numbers", both::build);
  }

  @Test
  void bytesAndEndsAgree() {
    byte[] utf8 = "aä".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    assertEquals(List.of("a", "ä"), CategoryList.ofUtf8(utf8, new int[] {1, 3}).texts());
    refused("not valid UTF-8", () -> CategoryList.ofUtf8(utf8, new int[] {2, 3}));
    refused("expected 1..3", () -> CategoryList.ofUtf8(utf8, new int[] {1, 4}));
    refused("expected 3..3", () -> CategoryList.ofUtf8(utf8, new int[] {3, 1}));
    refused("ends at byte 1, expected 3", () -> CategoryList.ofUtf8(utf8, new int[] {1}));
  }

  @Test
  void anyNumberOfValues() {
    SplittableRandom random = Seeds.random("anyNumberOfValues");
    for (int size = 0; size < 70; size++) {
      List<String> texts = new ArrayList<>();
      double[] numbers = new double[size];
      for (int i = 0; i < size; i++) {
        texts.add(Integer.toString(random.nextInt(1 << 20) * 100 + i, 36));
        numbers[i] = random.nextInt(1 << 20) * 100.0 + i;
      }
      CategoryList of = CategoryList.ofTexts(texts);
      CategoryList list = CategoryList.ofNumbers(numbers);
      for (int i = 0; i < size; i++) {
        assertEquals(i, of.code(texts.get(i)));
        assertEquals(size == 0 ? CategoryList.NONE : i, list.code(numbers[i]));
        assertEquals(i, list.code(numbers[i] - 0.25, numbers[i] + 0.25));
        assertEquals(i, list.code(numbers[i], numbers[i]));
        assertEquals(CategoryList.NONE, list.code(numbers[i] + 0.25, numbers[i] + 0.5));
        assertEquals(CategoryList.NONE, of.code(numbers[i], numbers[i]));
      }
    }
  }
}

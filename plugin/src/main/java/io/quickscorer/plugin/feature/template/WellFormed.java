// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.template;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Refuses texts with half of a surrogate pair, which JSON's escapes can write and no UTF-8 can
 * hold: they could be neither stored, nor sent to another node, nor shown in an answer.
 */
public final class WellFormed {
  private static final int SURROGATES = Character.MAX_SURROGATE - Character.MIN_SURROGATE + 1;

  private WellFormed() {}

  /**
   * @param where the text stands, for the message
   * @return the text
   * @throws IllegalArgumentException (400) naming the place; the message doesn't repeat the text
   */
  public static String text(String where, String text) {
    int point;
    for (int i = 0; i < text.length(); i += Character.charCount(point)) {
      point = text.codePointAt(i);
      // One comparison: two could be fused wrongly with the JDK's of the same character.
      if (Integer.compareUnsigned(point - Character.MIN_SURROGATE, SURROGATES) < 0) {
        throw new IllegalArgumentException(
            where + ": character " + (i + 1) + " is half of a surrogate pair");
      }
    }
    return text;
  }

  /**
   * Checks all texts of a value as JSON is read into: maps, lists, texts and others.
   *
   * @param where the value stands, for the message
   * @param depth how many maps and lists may stand inside one another
   * @return the value
   * @throws IllegalArgumentException (400) naming the place
   */
  public static <T> T value(String where, T value, int depth) {
    check(where, value, depth);
    return value;
  }

  private static void check(String where, @Nullable Object value, int depth) {
    switch (value) {
      case String text -> text(where, text);
      case Map<?, ?> map -> {
        checkDepth(where, depth);
        map.forEach(
            (key, inner) -> {
              text(where, String.valueOf(key));
              check(where, inner, depth - 1);
            });
      }
      case List<?> list -> {
        checkDepth(where, depth);
        list.forEach(inner -> check(where, inner, depth - 1));
      }
      case null, default -> {}
    }
  }

  private static void checkDepth(String where, int depth) {
    if (depth == 0) {
      throw new IllegalArgumentException(where + ": too many levels inside one another");
    }
  }
}

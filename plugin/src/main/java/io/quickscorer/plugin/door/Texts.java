// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.door;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.xcontent.XContentParser;

/** Checks texts that users send, and shortens them for messages. */
public final class Texts {
  private static final int SURROGATES = Character.MAX_SURROGATE - Character.MIN_SURROGATE + 1;

  private Texts() {}

  /**
   * Finds an incomplete surrogate pair: one half of the two Java characters that form a character
   * such as an emoji. UTF-8 cannot express it, so such a text cannot be stored or sent.
   *
   * @return the position of the incomplete pair, from 1; 0 if there is none
   */
  static int halfPair(String text) {
    int point;
    for (int i = 0; i < text.length(); i += Character.charCount(point)) {
      point = text.codePointAt(i);
      // One unsigned comparison, because the JIT may miscompile two; see docs/jit-defects.md.
      if (Integer.compareUnsigned(point - Character.MIN_SURROGATE, SURROGATES) < 0) {
        return i + 1;
      }
    }
    return 0;
  }

  /**
   * Checks that a text can be written in UTF-8, and returns it.
   *
   * @param where the position of the text in the input, for the message
   * @throws IllegalArgumentException (400) if the text contains an incomplete surrogate pair
   */
  public static String wellFormed(String where, String text) {
    int half = halfPair(text);
    if (half > 0) {
      throw new IllegalArgumentException(
          where
              + ": the text is not valid Unicode: character "
              + half
              + " is half of a surrogate pair");
    }
    return text;
  }

  /**
   * Shortens a text for a message, and replaces control characters by {@code ?}.
   *
   * @param length the maximum length in characters
   */
  public static String shown(String text, int length) {
    String cut = text.length() > length ? text.substring(0, length) + "…" : text;
    // Half of a surrogate pair cannot be written in UTF-8, so no response can contain it.
    return cut.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?");
  }

  /**
   * Returns whether an option with two values has the second one.
   *
   * @param where the name of the option, for the message
   * @param value the value; null for the first one
   * @throws IllegalArgumentException (400) if it is neither of the two
   */
  public static boolean either(String where, @Nullable String value, String first, String second) {
    if (value != null && !value.equals(first) && !value.equals(second)) {
      throw new IllegalArgumentException(
          where + "found [" + shown(value, 60) + "], expected [" + first + "] or [" + second + "]");
    }
    return second.equals(value);
  }

  static String kind(XContentParser.Token token) {
    return switch (token) {
      case START_OBJECT -> "an object";
      case START_ARRAY -> "an array";
      case VALUE_STRING -> "a string";
      case VALUE_NUMBER -> "a number";
      case VALUE_BOOLEAN -> "true or false";
      case VALUE_NULL -> "null";
      default -> token.name().toLowerCase(Locale.ROOT);
    };
  }
}

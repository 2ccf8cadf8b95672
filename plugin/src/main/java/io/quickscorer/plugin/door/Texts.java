// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.door;

import java.util.Locale;
import org.opensearch.core.xcontent.XContentParser;

/** Texts from outside. */
public final class Texts {
  private static final int SURROGATES = Character.MAX_SURROGATE - Character.MIN_SURROGATE + 1;

  private Texts() {}

  /**
   * Returns the position of half a surrogate pair. JSON's escapes can write it, but UTF-8 cannot:
   * the text could not be stored, sent to another node, or shown in a response.
   *
   * @return the character's number from 1, or 0 if there is none
   */
  static int halfPair(String text) {
    int point;
    for (int i = 0; i < text.length(); i += Character.charCount(point)) {
      point = text.codePointAt(i);
      // One comparison: two could be fused wrongly with the JDK's of the same character.
      if (Integer.compareUnsigned(point - Character.MIN_SURROGATE, SURROGATES) < 0) {
        return i + 1;
      }
    }
    return 0;
  }

  /**
   * @param where the place of the text, for the message
   * @return the text
   * @throws IllegalArgumentException (400) if it has half of a surrogate pair; the message doesn't
   *     repeat the text
   */
  public static String wellFormed(String where, String text) {
    int half = halfPair(text);
    if (half > 0) {
      throw new IllegalArgumentException(
          where + ": character " + half + " is half of a surrogate pair");
    }
    return text;
  }

  /**
   * Returns text of a file or a request for people: at most {@code length} characters, on one line.
   */
  public static String shown(String text, int length) {
    String cut = text.length() > length ? text.substring(0, length) + "…" : text;
    // No UTF-8 can hold half of a surrogate pair, nor can an answer.
    return cut.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?");
  }

  /** Returns the kind of a value, for messages. */
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

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.lightgbm;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.input.Numbers;
import java.util.BitSet;

/**
 * Reads the categories of a text file, from lines before and after the trees. The lists are JSON,
 * but this class has its own parser, so that reading text files needs no JSON library.
 */
final class LightGbmCategoryText {
  private static final String LISTS = "pandas_categorical:";
  private static final String PARAMETER = "[categorical_feature:";

  private final BoundedInput input;
  private final LightGbmCategories to;
  private int at;
  private int end;

  LightGbmCategoryText(BoundedInput input, LightGbmCategories to) {
    this.input = input;
    this.to = to;
  }

  /**
   * Reads the line {@code feature_infos}. It has an entry for each feature: {@code [min:max]},
   * {@code none}, or categories such as 3:1:0:2.
   */
  void infos(LightGbmLines line) {
    int start = line.valueStart();
    for (int feature = 0; start < line.valueEnd(); feature++) {
      int first = input.at(start);
      if (first == '-' || first >= '0' && first <= '9') {
        to.listed(feature, largest(start));
      }
      start = input.indexOf(' ', start, line.valueEnd()) + 1;
    }
  }

  /**
   * Returns the largest category in an entry of {@code feature_infos}.
   *
   * @param start the byte offset of the entry
   */
  private int largest(int start) {
    long largest = 0;
    long value = 0;
    for (int at = start; at < input.length() && input.at(at) > ' '; at++) {
      int digit = input.at(at) - '0';
      value = digit >= 0 && digit <= 9 ? Math.min(Integer.MAX_VALUE, 10 * value + digit) : 0;
      largest = Math.max(largest, value);
    }
    return (int) largest;
  }

  /** Reads the lines after the trees, up to the end of the file. */
  void readRest(LightGbmLines lines, int features) {
    int lists = -1;
    int listsEnd = -1;
    while (lines.advance()) {
      if (lines.startsWith(LISTS)) {
        // If there are several such lines, LightGBM's package uses the last one.
        lists = lines.offset() + LISTS.length();
        listsEnd = lines.valueEnd();
      } else if (lines.startsWith(PARAMETER)) {
        parameter(lines.offset() + PARAMETER.length(), lines.valueEnd(), features);
      }
    }
    if (lists >= 0) {
      try {
        readLists(lists, listsEnd, features);
      } catch (InvalidModelException e) {
        to.unreadable(String.valueOf(e.getMessage()));
      }
    }
  }

  /**
   * Reads the indices of the parameter {@code categorical_feature}, separated by commas. Skips the
   * parameter if it lists names, which only the command line uses.
   */
  private void parameter(int start, int lineEnd, int features) {
    BitSet named = new BitSet();
    int stop = input.indexOf(']', start, lineEnd);
    int next = input.skipWhiteSpace(start);
    while (next < stop) {
      int comma = input.indexOf(',', next, stop);
      try {
        named.set(Numbers.parseInt(input.bytes(), next, comma, 0, features - 1));
      } catch (InvalidModelException e) {
        return;
      }
      next = comma + 1;
    }
    to.named(named);
  }

  private void readLists(int start, int lineEnd, int features) {
    at = start;
    end = lineEnd;
    if (is("null")) {
      return;
    }
    expect('[');
    if (accept(']')) {
      return;
    }
    do {
      expect('[');
      if (!accept(']')) {
        do {
          value();
        } while (accept(','));
        expect(']');
      }
      to.endList();
      if (to.count() > features) {
        throw InvalidModelException.at(at, "found more category lists than features");
      }
    } while (accept(','));
    expect(']');
  }

  private void value() {
    skipBlanks();
    if (accept('"')) {
      to.text(string());
    } else if (is("true")) {
      to.bool(true);
    } else if (is("false")) {
      to.bool(false);
    } else {
      int start = at;
      while (at < end && ",] \t".indexOf(input.at(at)) < 0) {
        at++;
      }
      to.number(Numbers.parseDouble(input.bytes(), start, at));
    }
  }

  /**
   * Reads a string whose first quote was already read, and moves past its last quote. Returns its
   * content.
   */
  private String string() {
    StringBuilder text = new StringBuilder();
    int from = at;
    while (at < end && input.at(at) != '"') {
      if (input.at(at) == '\\') {
        text.append(input.text(from, at));
        text.append(escaped());
        from = at;
      } else {
        at++;
      }
    }
    text.append(input.text(from, at));
    expect('"');
    return text.toString();
  }

  private char escaped() {
    at++;
    int c = at < end ? input.at(at++) : -1;
    int simple = "\"\\/bfnrt".indexOf(c);
    if (simple >= 0) {
      return "\"\\/\b\f\n\r\t".charAt(simple);
    }
    int code = c == 'u' && at + 4 <= end ? 0 : -1;
    for (int i = 0; i < 4 && code >= 0; i++) {
      int digit = Character.digit(input.at(at++), 16);
      code = digit < 0 ? -1 : code << 4 | digit;
    }
    if (code < 0) {
      throw InvalidModelException.at(at, "found an escape sequence that JSON does not have");
    }
    return (char) code;
  }

  private void skipBlanks() {
    while (at < end && (input.at(at) == ' ' || input.at(at) == '\t')) {
      at++;
    }
  }

  private boolean is(String word) {
    skipBlanks();
    boolean present = at + word.length() <= end && input.startsWith(at, word);
    at += present ? word.length() : 0;
    return present;
  }

  private boolean accept(char c) {
    skipBlanks();
    boolean present = at < end && input.at(at) == c;
    at += present ? 1 : 0;
    return present;
  }

  private void expect(char c) {
    if (!accept(c)) {
      throw InvalidModelException.at(at, "expected " + c);
    }
  }
}

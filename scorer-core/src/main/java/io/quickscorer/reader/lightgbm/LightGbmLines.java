// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.lightgbm;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.input.Numbers;

/** The lines of a LightGBM text file. A line is {@code key=value} or only a key. */
final class LightGbmLines {
  private final BoundedInput input;
  private int line;
  private int next;
  private int keyEnd;
  private int end;

  LightGbmLines(BoundedInput input, int start) {
    this.input = input;
    this.next = start;
  }

  /** Moves to the next line. Returns false at the end of the file. */
  boolean advance() {
    line = Math.min(next, input.length());
    if (line == input.length()) {
      end = line;
      keyEnd = line;
      return false;
    }
    int newline = input.indexOf('\n', line, input.length());
    next = newline + 1;
    end = newline > line && input.at(newline - 1) == '\r' ? newline - 1 : newline;
    keyEnd = input.indexOf('=', line, end);
    return true;
  }

  /** Returns the byte offset of the current line. */
  int offset() {
    return line;
  }

  /** Returns whether the current line begins with a key. A value may follow. */
  boolean hasKey(String key) {
    return keyEnd - line == key.length() && input.startsWith(line, key);
  }

  /** Returns whether the current line begins with the given characters. */
  boolean startsWith(String ascii) {
    return input.startsWith(line, ascii);
  }

  /** Returns the byte offset of the value in the current line. The value may be empty. */
  int valueStart() {
    return Math.min(keyEnd + 1, end);
  }

  /** Returns the byte offset of the first byte after the value in the current line. */
  int valueEnd() {
    return end;
  }

  String value() {
    return input.text(valueStart(), end);
  }

  /** Returns the value in the current line as an integer in [min, max]. */
  int intValue(String key, int min, int max) {
    try {
      return Numbers.parseInt(input.bytes(), valueStart(), end, min, max);
    } catch (InvalidModelException e) {
      throw InvalidModelException.at(line, key + ": expected an integer in " + min + ".." + max);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.lightgbm;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.input.Numbers;
import java.util.Arrays;
import java.util.Locale;

/**
 * The fields of one tree of a LightGBM text file. First, the byte offsets of the fields are
 * recorded. Then the methods parse the values, which are separated by spaces. Before an array is
 * allocated, its length is compared with the number of characters of the field.
 */
final class LightGbmTreeFields {
  /** The fields on which scores or explanations depend; all other fields are skipped. */
  enum Field {
    NUM_LEAVES,
    NUM_CAT,
    SPLIT_FEATURE,
    THRESHOLD,
    DECISION_TYPE,
    LEFT_CHILD,
    RIGHT_CHILD,
    LEAF_VALUE,
    CAT_BOUNDARIES,
    CAT_THRESHOLD,
    IS_LINEAR,
    LEAF_CONST,
    NUM_FEATURES,
    LEAF_FEATURES,
    LEAF_COEFF,
    DEFAULT_VALUE,
    HAS_CATEGORICAL,
    SPLIT_GAIN,
    INTERNAL_COUNT,
    LEAF_COUNT;

    final String key = name().toLowerCase(Locale.ROOT);
  }

  private static final Field[] FIELDS = Field.values();

  private final BoundedInput input;
  private final int[] starts = new int[FIELDS.length];
  private final int[] ends = new int[FIELDS.length];
  private int number;
  private int offset;

  LightGbmTreeFields(BoundedInput input) {
    this.input = input;
  }

  /** Starts the next tree, whose first line is at byte offset {@code offset}. */
  void start(int number, int offset) {
    this.number = number;
    this.offset = offset;
    Arrays.fill(starts, -1);
  }

  /** Records where the value of a line's field is in the file, if the field is known. */
  void note(LightGbmLines line) {
    for (int f = 0; f < FIELDS.length; f++) {
      if (line.hasKey(FIELDS[f].key)) {
        if (starts[f] >= 0) {
          throw failure(FIELDS[f], line.offset(), "the field occurs twice");
        }
        starts[f] = line.valueStart();
        ends[f] = line.valueEnd();
        return;
      }
    }
  }

  boolean has(Field field) {
    return starts[field.ordinal()] >= 0;
  }

  /** Returns the byte offset of a field's value; a negative number if the tree lacks the field. */
  int start(Field field) {
    return starts[field.ordinal()];
  }

  /** Returns the numbers of a field; an empty array if the tree lacks the field. */
  double[] optionalDoubles(Field field, int count) {
    return has(field) ? doubles(field, count) : new double[0];
  }

  /** Returns the 32-bit words of the category bitmaps of all splits, one after the other. */
  int[] words(int count) {
    double[] values = doubles(Field.CAT_THRESHOLD, count);
    int[] words = new int[count];
    for (int i = 0; i < count; i++) {
      if (!(values[i] >= 0 && values[i] <= 0xffff_ffffL) || values[i] != (long) values[i]) {
        throw failure(
            Field.CAT_THRESHOLD,
            start(Field.CAT_THRESHOLD),
            "element " + i + ": expected an unsigned 32-bit integer");
      }
      words[i] = (int) (long) values[i];
    }
    return words;
  }

  /**
   * Returns the value of a field that contains one integer in [min, max].
   *
   * @param absent the result if the tree lacks the field and the field is optional
   */
  int one(Field field, int absent, int min, int max) {
    if (!has(field) && field != Field.NUM_LEAVES) {
      return absent;
    }
    return ints(field, 1, min, max)[0];
  }

  /** Returns the values of a field that must contain {@code count} integers in [min, max]. */
  int[] ints(Field field, int count, int min, int max) {
    checkRoom(field, count);
    int[] values = new int[count];
    int at = start(field);
    for (int i = 0; i < count; i++) {
      int start = wordStart(field, at, i, count);
      at = input.indexOf(' ', start, ends[field.ordinal()]);
      try {
        values[i] = Numbers.parseInt(input.bytes(), start, at, min, max);
      } catch (InvalidModelException e) {
        throw failure(
            field, start, "element " + i + ": expected an integer in " + min + ".." + max);
      }
    }
    checkEnd(field, at, count);
    return values;
  }

  /** Returns the values of a field that must contain {@code count} numbers. */
  double[] doubles(Field field, int count) {
    checkRoom(field, count);
    double[] values = new double[count];
    int at = start(field);
    for (int i = 0; i < count; i++) {
      int start = wordStart(field, at, i, count);
      at = input.indexOf(' ', start, ends[field.ordinal()]);
      try {
        values[i] = Numbers.parseDouble(input.bytes(), start, at);
      } catch (InvalidModelException e) {
        throw failure(field, start, "element " + i + ": expected a number");
      }
    }
    checkEnd(field, at, count);
    return values;
  }

  /** Checks that the text of a field is long enough for {@code count} elements. */
  void checkRoom(Field field, long count) {
    int start = start(field);
    if (start < 0) {
      throw failure(field, offset, "missing");
    }
    int length = ends[field.ordinal()] - start;
    if (2 * count - 1 > length) {
      throw failure(field, start, length + " characters are too few for " + count + " elements");
    }
  }

  private int wordStart(Field field, int at, int element, int count) {
    int start = skipSpaces(field, at);
    if (start == ends[field.ordinal()]) {
      throw failure(field, start, "found " + element + " elements, expected " + count);
    }
    return start;
  }

  private void checkEnd(Field field, int at, int count) {
    int next = skipSpaces(field, at);
    if (next < ends[field.ordinal()]) {
      throw failure(field, next, "found more than the expected " + count + " elements");
    }
  }

  private int skipSpaces(Field field, int at) {
    int next = at;
    while (next < ends[field.ordinal()] && input.at(next) == ' ') {
      next++;
    }
    return next;
  }

  /** Returns the exception for a failure in a field, at byte offset {@code at}. */
  InvalidModelException failure(Field field, int at, String what) {
    return InvalidModelException.at(at, "tree " + number + ", " + field.key + ": " + what);
  }
}

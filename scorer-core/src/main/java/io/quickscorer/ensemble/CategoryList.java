// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The distinct values of a categorical feature, in the order of their codes 0, 1, ...: the
 * categories of a data frame's column. All values are texts, or all are numbers. Scoring uses the
 * codes; the list maps values to codes.
 *
 * <p>Immutable. Needs the bytes of the texts in UTF-8 and 8 bytes per text, or 12 bytes per number.
 */
public final class CategoryList {
  /** The result of {@link #code} for a value that is not in the list. */
  public static final int NONE = -1;

  private final byte[] utf8;
  private final int[] ends;
  private final double @Nullable [] numbers;

  /** All codes, sorted by their values in ascending order. */
  private final int[] sorted;

  private CategoryList(byte[] utf8, int[] ends, double @Nullable [] numbers) {
    this.utf8 = utf8;
    this.ends = ends;
    this.numbers = numbers;
    this.sorted = sorted(size(), this::compare);
    for (int i = 1; i < sorted.length; i++) {
      if (compare(sorted[i - 1], sorted[i]) == 0) {
        throw new InvalidModelException(
            "categories " + sorted[i - 1] + " and " + sorted[i] + " have the same value");
      }
    }
  }

  /**
   * Returns a list whose values are texts.
   *
   * @throws InvalidModelException if a text occurs twice or contains half of a surrogate pair
   */
  public static CategoryList ofTexts(List<String> texts) {
    Builder builder = new Builder();
    texts.forEach(builder::add);
    return builder.build();
  }

  /**
   * Returns a list of texts that are stored one after the other in an array.
   *
   * @param utf8 the bytes of all texts; not copied
   * @param ends the end of each text in {@code utf8}, exclusive; not copied
   * @throws InvalidModelException if the ends do not ascend, if the last end is not the number of
   *     bytes, if a text is not valid UTF-8, or if a text occurs twice
   */
  public static CategoryList ofUtf8(byte[] utf8, int[] ends) {
    int start = 0;
    for (int code = 0; code < ends.length; code++) {
      if (ends[code] < start || ends[code] > utf8.length) {
        throw new InvalidModelException(
            "category "
                + code
                + ": its text ends at byte "
                + ends[code]
                + ", expected "
                + start
                + ".."
                + utf8.length);
      }
      try {
        StandardCharsets.UTF_8
            .newDecoder()
            .decode(ByteBuffer.wrap(utf8, start, ends[code] - start));
      } catch (CharacterCodingException e) {
        throw new InvalidModelException("category " + code + ": not valid UTF-8");
      }
      start = ends[code];
    }
    if (start != utf8.length) {
      throw new InvalidModelException(
          "categories: the last text ends at byte " + start + ", expected " + utf8.length);
    }
    return new CategoryList(utf8, ends, null);
  }

  /**
   * Returns a list whose values are numbers.
   *
   * @throws InvalidModelException if a number occurs twice, is not finite, or has more than 53 bits
   */
  public static CategoryList ofNumbers(double... numbers) {
    double[] copy = numbers.clone();
    for (int code = 0; code < copy.length; code++) {
      if (!Double.isFinite(copy[code])) {
        throw new InvalidModelException("category " + code + ": not a finite number");
      }
      // Doubles do not represent all larger integers exactly.
      if (Math.abs(copy[code]) >= 1L << 53) {
        throw new InvalidModelException(
            "category " + code + ": found " + copy[code] + ", expected numbers of at most 53 bits");
      }
      // Adding 0.0 changes -0.0 to 0.0: both count as the same value.
      copy[code] += 0.0;
    }
    return new CategoryList(new byte[0], new int[0], copy);
  }

  /** Returns the number of values. Codes are 0 to size - 1. */
  public int size() {
    return numbers == null ? ends.length : numbers.length;
  }

  /** Returns whether the values are texts, not numbers. */
  public boolean isText() {
    return numbers == null;
  }

  /**
   * Returns the text with this code; for a list of numbers, the result of {@link Double#toString}.
   */
  public String text(int code) {
    if (numbers != null) {
      return Double.toString(numbers[code]);
    }
    int start = start(code);
    return new String(utf8, start, ends[code] - start, StandardCharsets.UTF_8);
  }

  /**
   * Returns the number with this code.
   *
   * @throws IllegalStateException if the values are texts
   */
  public double number(int code) {
    if (numbers == null) {
      throw new IllegalStateException("the category list contains texts, not numbers");
    }
    return numbers[code];
  }

  /** Returns the texts in the order of their codes. */
  public List<String> texts() {
    return IntStream.range(0, size()).mapToObj(this::text).toList();
  }

  /** Returns whether every value is equal to its code: the values are 0, 1, 2, ... */
  public boolean isCodes() {
    boolean codes = numbers != null;
    for (int code = 0; codes && code < size(); code++) {
      codes = number(code) == code;
    }
    return codes;
  }

  /**
   * Returns the code of a text; {@link #NONE} if the list lacks the text, or if its values are
   * numbers.
   */
  public int code(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return isText()
        ? search(code -> Arrays.compare(utf8, start(code), ends[code], bytes, 0, bytes.length))
        : NONE;
  }

  /**
   * Returns the code of a number; {@link #NONE} if the list lacks the number, if the number is NaN,
   * or if the list's values are texts.
   */
  public int code(double value) {
    double number = value + 0.0;
    return isText() ? NONE : search(code -> Double.compare(number(code), number));
  }

  /**
   * Returns the code of a number from {@code from} to {@code to}, both included; {@link #NONE} if
   * the list lacks such numbers, or if its values are texts. If there are several, returns any.
   */
  public int code(double from, double to) {
    return isText() ? NONE : search(code -> number(code) < from ? -1 : number(code) <= to ? 0 : 1);
  }

  private interface ComparedToValue {
    int of(int code);
  }

  private int search(ComparedToValue compared) {
    int low = 0;
    int high = sorted.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int sign = compared.of(sorted[middle]);
      if (sign == 0) {
        return sorted[middle];
      }
      low = sign < 0 ? middle + 1 : low;
      high = sign < 0 ? high : middle - 1;
    }
    return NONE;
  }

  private int compare(int a, int b) {
    return numbers == null
        ? Arrays.compare(utf8, start(a), ends[a], utf8, start(b), ends[b])
        : Double.compare(numbers[a], numbers[b]);
  }

  /**
   * Returns the numbers 0 to size - 1, sorted by {@code order}. The merge sort needs no object per
   * element.
   *
   * @param order compares two of the numbers
   */
  private static int[] sorted(int size, IntBinaryOperator order) {
    int[] from = IntStream.range(0, size).toArray();
    int[] to = new int[size];
    for (int run = 1; run < size && run > 0; run <<= 1) {
      for (int start = 0; start < size; start += 2 * run) {
        int middle = Math.min(size, start + run);
        int end = (int) Math.min(size, start + 2L * run);
        int left = start;
        int right = middle;
        for (int i = start; i < end; i++) {
          boolean takeLeft =
              right == end || left < middle && order.applyAsInt(from[left], from[right]) <= 0;
          to[i] = takeLeft ? from[left++] : from[right++];
        }
      }
      int[] swapped = from;
      from = to;
      to = swapped;
    }
    return from;
  }

  private int start(int code) {
    return code == 0 ? 0 : ends[code - 1];
  }

  /** Returns the heap memory of the list in bytes. */
  public long bytes() {
    long perValue = numbers == null ? 2L * Integer.BYTES : Double.BYTES + Integer.BYTES;
    return utf8.length + perValue * size();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CategoryList that
        && Arrays.equals(utf8, that.utf8)
        && Arrays.equals(ends, that.ends)
        && Arrays.equals(numbers, that.numbers);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(utf8) + 17 * Arrays.hashCode(ends) + Arrays.hashCode(numbers);
  }

  /**
   * Builds a list of categories. Values get the codes 0, 1, ... in the order in which they are
   * added.
   */
  public static final class Builder {
    private byte[] utf8 = new byte[16];
    private int length;
    private int[] ends = new int[4];
    private double[] numbers = new double[4];
    private int texts;
    private int count;

    /**
     * Adds a text, which gets the next code.
     *
     * @throws InvalidModelException if the text contains half of a surrogate pair
     */
    public void add(String text) {
      ByteBuffer bytes;
      try {
        bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      } catch (CharacterCodingException e) {
        throw new InvalidModelException(
            "category "
                + size()
                + ": the text is not valid Unicode, because it contains half of a surrogate pair");
      }
      int added = bytes.remaining();
      if (length + added > utf8.length) {
        utf8 = Arrays.copyOf(utf8, length + added + (length >> 1));
      }
      bytes.get(utf8, length, added);
      length += added;
      if (texts == ends.length) {
        ends = Arrays.copyOf(ends, texts + (texts >> 1));
      }
      ends[texts++] = length;
    }

    public void add(double number) {
      if (count == numbers.length) {
        numbers = Arrays.copyOf(numbers, count + (count >> 1));
      }
      numbers[count++] = number;
    }

    private int size() {
      return texts + count;
    }

    /**
     * Returns the list of all values that were added.
     *
     * @throws InvalidModelException if there are both texts and numbers, if a value occurs twice,
     *     or if a number is not finite or has more than 53 bits
     */
    public CategoryList build() {
      if (texts > 0 && count > 0) {
        throw new InvalidModelException(
            "categories: found texts and numbers in one list, expected only one of the two");
      }
      return count > 0
          ? ofNumbers(Arrays.copyOf(numbers, count))
          : new CategoryList(Arrays.copyOf(utf8, length), Arrays.copyOf(ends, texts), null);
    }
  }
}

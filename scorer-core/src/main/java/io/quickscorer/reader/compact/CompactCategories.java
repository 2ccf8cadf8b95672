// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.compact;

import io.quickscorer.ensemble.CategoryList;
import io.quickscorer.ensemble.InvalidModelException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * The section of category lists: their count, and for each the feature, how many values there are,
 * and either the bytes of all texts, the end of each, and the texts in UTF-8, or -1 and the numbers
 * as doubles. Every other number has 4 bytes.
 */
final class CompactCategories {
  private static final int NUMBERS = -1;

  private CompactCategories() {}

  /** Bytes of the section; 0 if there are no lists. */
  static long bytes(Map<Integer, CategoryList> lists) {
    long bytes = lists.isEmpty() ? 0 : Integer.BYTES;
    for (CategoryList list : lists.values()) {
      bytes += 3L * Integer.BYTES + list.textBytes();
      bytes += (long) list.size() * (list.isText() ? Integer.BYTES : Double.BYTES);
    }
    return bytes;
  }

  static void write(Map<Integer, CategoryList> lists, ByteBuffer to) {
    to.putInt(lists.size());
    lists.forEach((feature, list) -> write(feature, list, to));
  }

  private static void write(int feature, CategoryList list, ByteBuffer to) {
    to.putInt(feature).putInt(list.size()).putInt(list.isText() ? list.textBytes() : NUMBERS);
    int end = 0;
    for (int code = 0; code < list.size(); code++) {
      if (list.isText()) {
        end += list.text(code).getBytes(StandardCharsets.UTF_8).length;
        to.putInt(end);
      } else {
        to.putDouble(list.number(code));
      }
    }
    for (int code = 0; list.isText() && code < list.size(); code++) {
      to.put(list.text(code).getBytes(StandardCharsets.UTF_8));
    }
  }

  static Map<Integer, CategoryList> read(ByteBuffer from) {
    Map<Integer, CategoryList> lists = new TreeMap<>();
    int count = number(from);
    for (int i = 0; i < count; i++) {
      int feature = number(from);
      if (lists.put(feature, list(from)) != null) {
        throw wrong("feature " + feature + " has two lists");
      }
    }
    return lists;
  }

  private static CategoryList list(ByteBuffer from) {
    int size = number(from);
    int bytes = number(from);
    long needed =
        bytes == NUMBERS ? (long) size * Double.BYTES : (long) size * Integer.BYTES + bytes;
    if (size < 0 || bytes < NUMBERS || needed > from.remaining()) {
      throw wrong(size + " values of " + bytes + " bytes, " + from.remaining() + " are left");
    }
    if (bytes == NUMBERS) {
      double[] numbers = new double[size];
      for (int code = 0; code < size; code++) {
        numbers[code] = from.getDouble();
      }
      return CategoryList.ofNumbers(numbers);
    }
    int[] ends = new int[size];
    for (int code = 0; code < size; code++) {
      ends[code] = from.getInt();
    }
    byte[] utf8 = new byte[bytes];
    from.get(utf8);
    return CategoryList.ofUtf8(utf8, ends);
  }

  private static int number(ByteBuffer from) {
    if (from.remaining() < Integer.BYTES) {
      throw wrong("it is too short");
    }
    return from.getInt();
  }

  private static InvalidModelException wrong(String what) {
    return new InvalidModelException("section " + CompactLayout.CATEGORIES + ": " + what);
  }
}

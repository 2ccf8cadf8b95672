// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

/**
 * CatBoost's hash of a category: the low 32 bits of CityHash64 (Geoff Pike and Jyrki Alakuijala,
 * version 1 of 2011) of its text, here for up to 8 digits: longer texts are hashed in another way.
 */
final class CatBoostHash {
  /** Up to here a float holds every integer. */
  static final int MAX_CATEGORY = (1 << 24) - 1;

  private static final long K2 = 0x9ae16a3b2f90404fL;
  private static final long K3 = 0xc949d7c7509e6557L;
  private static final long MULTIPLIER = 0x9ddfea08eb382d69L;

  private CatBoostHash() {}

  /**
   * The hash of a category's decimal digits.
   *
   * @param category 0..{@link #MAX_CATEGORY}
   */
  static int of(int category) {
    // The text as the bytes of a little-endian number, its first digit lowest.
    long text = 0;
    int length = 0;
    int rest = category;
    do {
      text = text << Byte.SIZE | ('0' + rest % 10);
      rest /= 10;
      length++;
    } while (rest > 0);
    return (int) (length < Integer.BYTES ? ofShort(text, length) : ofLonger(text, length));
  }

  private static long ofShort(long text, int length) {
    long first = text & 0xff;
    long middle = text >>> (length >> 1) * Byte.SIZE & 0xff;
    long last = text >>> (length - 1) * Byte.SIZE;
    long mixed = (first + (middle << Byte.SIZE)) * K2 ^ (length + (last << 2)) * K3;
    return (mixed ^ mixed >>> 47) * K2;
  }

  private static long ofLonger(long text, int length) {
    long first = length + ((text & 0xffff_ffffL) << 3);
    long last = text >>> (length - Integer.BYTES) * Byte.SIZE;
    long mixed = (first ^ last) * MULTIPLIER;
    mixed = (last ^ mixed ^ mixed >>> 47) * MULTIPLIER;
    return (mixed ^ mixed >>> 47) * MULTIPLIER;
  }
}

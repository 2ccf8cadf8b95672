// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import io.quickscorer.reader.catboost.CatBoostCtrs.Ctr;
import io.quickscorer.reader.catboost.CatBoostCtrs.Projection;
import io.quickscorer.reader.catboost.CatBoostCtrs.Table;
import io.quickscorer.reader.catboost.CatBoostCtrs.Type;
import io.quickscorer.reader.catboost.FlatBuffer.Vector;

/**
 * Reads target statistics (CTRs) of CatBoost's binary file. The <i>base</i> of a CTR is its
 * combined features and its type of count. A CTR uses the table of counts that has the same base.
 * This table is a hash table. Each bucket has a key and the index of the key's counts; a bucket is
 * empty if all bits of its key are 1.
 */
record CatBoostBinaryCtrs(FlatBuffer file) {
  /** Number of a field in a CTR feature's FlatBuffers table, like the next constant. */
  private static final int FEATURE_CTR = 0;

  private static final int FEATURE_BORDERS = 1;

  /** Number of a field in a CTR's FlatBuffers table, like the next five constants. */
  private static final int CTR_BASE = 0;

  private static final int TARGET_BORDER = 1;
  private static final int PRIOR = 2;
  private static final int PRIOR_DENOMINATOR = 3;
  private static final int SHIFT = 4;
  private static final int SCALE = 5;

  /** Number of a field in the FlatBuffers table of a CTR's base, like the next two constants. */
  private static final int COMBINATION = 0;

  private static final int TYPE = 1;
  private static final int CLASSIFIER = 2;

  /** Number of a field in the FlatBuffers table of CTR counts, like the next four constants. */
  private static final int TABLE_BASE = 0;

  private static final int BUCKETS = 1;
  private static final int COUNTS = 2;
  private static final int DENOMINATOR = 3;
  private static final int CLASSES = 4;

  private static final int BUCKET_BYTES = Long.BYTES + Integer.BYTES;
  private static final long EMPTY = -1;

  /**
   * The base of a CTR: the type of count and the combined features.
   *
   * @param name a text that is equal for equal bases
   */
  private record Base(Type type, Projection projection, String name) {}

  private Base base(int holder, int slot, String place) {
    int base = table(holder, slot, place + ", Base");
    int number = file.byteOf(base, TYPE, place);
    int at = file.field(base, TYPE, place);
    file.index(at, place + ": CtrType", number, Type.values().length);
    int combination = table(base, COMBINATION, place + ", FeatureCombination");
    int[] floats = ints(combination, 1, 2, place + ", FloatSplits");
    int[] oneHot = ints(combination, 2, 2, place + ", OneHotSplits");
    Projection projection =
        new Projection(
            ints(combination, 0, 1, place + ", CatFeatures"),
            every(floats, 0),
            every(floats, 1),
            every(oneHot, 0),
            every(oneHot, 1));
    int classifier = file.intOf(base, CLASSIFIER, 0, place);
    Type countType = Type.values()[number];
    return new Base(countType, projection, countType + " " + classifier + " " + projection.key());
  }

  private int table(int holder, int slot, String what) {
    int field = file.field(holder, slot, what);
    if (field == FlatBuffer.ABSENT) {
      throw file.failure(holder, what + ": missing");
    }
    return file.target(field, what);
  }

  /** Returns all ints of a FlatBuffers vector whose elements have {@code perElement} ints each. */
  private int[] ints(int table, int slot, int perElement, String what) {
    Vector vector = file.vector(table, slot, perElement * Integer.BYTES, what);
    int[] ints = new int[vector.length() * perElement];
    for (int i = 0; i < ints.length; i++) {
      ints[i] = file.intAt(vector.first() + i * Integer.BYTES, what);
    }
    return ints;
  }

  /** Returns the elements {@code from}, {@code from + 2}, {@code from + 4}, ... of an array. */
  private static int[] every(int[] pairs, int from) {
    int[] ints = new int[pairs.length / 2];
    for (int i = 0; i < ints.length; i++) {
      ints[i] = pairs[2 * i + from];
    }
    return ints;
  }

  /**
   * Reads a CTR feature (CatBoost's statistic of a category) and returns it. Its FlatBuffers table
   * is at byte offset {@code feature}.
   */
  Ctr ctr(int feature, String place) {
    int ctr = table(feature, FEATURE_CTR, place + ", Ctr");
    Base base = base(ctr, CTR_BASE, place);
    int[] bits = ints(feature, FEATURE_BORDERS, 1, place + ", Borders");
    float[] borders = new float[bits.length];
    for (int i = 0; i < bits.length; i++) {
      borders[i] = Float.intBitsToFloat(bits[i]);
    }
    return new Ctr(
        feature,
        base.name,
        base.type,
        base.projection,
        file.intOf(ctr, TARGET_BORDER, 0, place),
        file.floatOf(ctr, PRIOR, 0, place),
        file.floatOf(ctr, PRIOR_DENOMINATOR, 1, place),
        file.floatOf(ctr, SHIFT, 0, place),
        file.floatOf(ctr, SCALE, 1, place),
        borders);
  }

  void readTable(CatBoostCtrs to) {
    String place = "CTR table";
    int table = file.root();
    Base base = base(table, TABLE_BASE, place);
    Vector hashes = file.vector(table, BUCKETS, 1, place + ", IndexHashRaw");
    int buckets = hashes.length() / BUCKET_BYTES;
    int keys = 0;
    for (int bucket = 0; bucket < buckets; bucket++) {
      keys += file.longAt(hashes.first() + bucket * BUCKET_BYTES, place) == EMPTY ? 0 : 1;
    }
    Vector blob = file.vector(table, COUNTS, 1, place + ", CTRBlob");
    int counts = blob.length() / Integer.BYTES;
    int perKey =
        base.type.isMean() ? 2 : base.type.isCounter() ? 1 : file.intOf(table, CLASSES, 0, place);
    // Keys must not share counts, so that the table needs no more memory than the file.
    if (perKey < 1 || perKey > counts / Math.max(1, keys)) {
      throw file.failure(
          table,
          place
              + ": "
              + keys
              + " keys need "
              + perKey
              + " counts each, but the table has only "
              + counts);
    }
    long[] all = new long[keys];
    double[] cells = new double[keys * perKey];
    int key = 0;
    for (int bucket = 0; bucket < buckets; bucket++) {
      int at = hashes.first() + bucket * BUCKET_BYTES;
      long hash = file.longAt(at, place);
      if (hash == EMPTY) {
        continue;
      }
      int found = file.intAt(at + Long.BYTES, place);
      int index = file.index(at, place + ": index of counts", found, counts / perKey);
      all[key] = hash;
      for (int i = 0; i < perKey; i++) {
        int cell = blob.first() + (index * perKey + i) * Integer.BYTES;
        boolean isSum = base.type.isMean() && i == 0;
        cells[key * perKey + i] = isSum ? file.floatAt(cell, place) : file.intAt(cell, place);
      }
      key++;
    }
    to.add(base.name, new Table(table, all, cells, file.intOf(table, DENOMINATOR, 0, place)));
  }
}

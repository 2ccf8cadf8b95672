// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import io.quickscorer.reader.catboost.FlatBuffer.Vector;
import io.quickscorer.reader.input.IntList;
import java.util.BitSet;
import java.util.function.ObjIntConsumer;

/**
 * The features of CatBoost's binary file, and the splits, to which its trees refer by number. The
 * splits are numbered in this order: the borders of all float features, the categories of all
 * one-hot features, the borders of all CTRs.
 */
final class CatBoostBinaryFeatures {
  /** Number of a field in the trees' FlatBuffers table, like the next three constants. */
  private static final int CATEGORICAL_FEATURES = 4;

  private static final int FLOAT_FEATURES = 5;
  private static final int ONE_HOT_FEATURES = 6;
  private static final int CTR_FEATURES = 7;

  /** Number of a field in a float feature's FlatBuffers table, like the next five constants. */
  private static final int HAS_NANS = 0;

  private static final int INDEX = 1;
  private static final int FLAT_INDEX = 2;
  private static final int BORDERS = 3;
  private static final int ID = 4;
  private static final int NANS = 5;

  private static final int NAN_AS_TRUE = 2;

  /** Field number in a categorical feature's FlatBuffers table, like the next two constants. */
  private static final int CATEGORICAL_INDEX = 0;

  private static final int CATEGORICAL_FLAT_INDEX = 1;
  private static final int CATEGORICAL_ID = 2;

  /** Number of a field in a one-hot feature's FlatBuffers table, like the next constant. */
  private static final int ONE_HOT_INDEX = 0;

  private static final int ONE_HOT_HASHES = 1;

  private final FlatBuffer file;
  private final int table;
  private final CatBoostFeatures features;

  /** The feature of each split, encoded as {@link CatBoostTrees} describes. */
  private final IntList splitFeatures = new IntList();

  /** The value with which each split compares, encoded as {@link CatBoostTrees} describes. */
  private final IntList splitValues = new IntList();

  /** Reads the features. The FlatBuffers table of the trees is at byte offset {@code table}. */
  CatBoostBinaryFeatures(FlatBuffer file, int table, CatBoostFeatures features, CatBoostCtrs ctrs) {
    this.file = file;
    this.table = table;
    this.features = features;
    readAll(FLOAT_FEATURES, "feature", this::readFloat);
    readAll(CATEGORICAL_FEATURES, "categorical feature", this::readCategorical);
    readAll(ONE_HOT_FEATURES, "one-hot feature", this::readOneHot);
    CatBoostBinaryCtrs reader = new CatBoostBinaryCtrs(file);
    readAll(CTR_FEATURES, "CTR feature", (place, ctr) -> ctrs.add(reader.ctr(ctr, place)));
    for (int split = 0; split < ctrs.splits(); split++) {
      addSplit(CatBoostTrees.CTR, split);
    }
  }

  /** Returns the number of splits on float features and one-hot features. */
  int splits() {
    return splitFeatures.size();
  }

  int feature(int split) {
    return splitFeatures.get(split);
  }

  int value(int split) {
    return splitValues.get(split);
  }

  /**
   * Reads all features of a kind.
   *
   * @param slot the number of the field that lists the features
   * @param reader receives the name of a feature, for messages, and the byte offset of its
   *     FlatBuffers table
   */
  private void readAll(int slot, String what, ObjIntConsumer<String> reader) {
    Vector all = file.vector(table, slot, Integer.BYTES, what + "s");
    BitSet read = new BitSet();
    for (int i = 0; i < all.length(); i++) {
      String place = what + " " + i;
      int feature = file.target(all.first() + i * Integer.BYTES, place);
      if (read.get(feature)) {
        // Otherwise, many references of four bytes each could define the same large feature many
        // times.
        throw file.failure(feature, place + ": the feature is listed twice");
      }
      read.set(feature);
      reader.accept(place, feature);
    }
  }

  private void readFloat(String place, int feature) {
    int number = index(feature, INDEX, place);
    int at = file.field(feature, NANS, place);
    int treatment = file.byteOf(feature, NANS, place);
    file.index(at, place + ": NanValueTreatment", treatment, NAN_AS_TRUE + 1);
    boolean hasNans = file.byteOf(feature, HAS_NANS, place) != 0;
    String id = file.string(feature, ID, place + ", FeatureId");
    int column = column(feature, FLAT_INDEX, place);
    features.addFloat(feature, number, id, column, hasNans && treatment == NAN_AS_TRUE);
    addSplits(number, file.vector(feature, BORDERS, Float.BYTES, place + ", Borders"), place);
  }

  private void readCategorical(String place, int feature) {
    int number = index(feature, CATEGORICAL_INDEX, place);
    String id = file.string(feature, CATEGORICAL_ID, place + ", FeatureId");
    features.addCategorical(feature, number, id, column(feature, CATEGORICAL_FLAT_INDEX, place));
  }

  private void readOneHot(String place, int feature) {
    int index = file.intOf(feature, ONE_HOT_INDEX, -1, place);
    int category = file.index(feature, place + ": Index", index, features.categorical());
    Vector hashes = file.vector(feature, ONE_HOT_HASHES, Integer.BYTES, place + ", Values");
    addSplits(~category, hashes, place);
  }

  /** Adds a split for each value: the hash of a category, or the bits of a border. */
  private void addSplits(int feature, Vector values, String place) {
    for (int i = 0; i < values.length(); i++) {
      addSplit(feature, file.intAt(values.first() + i * Integer.BYTES, place));
    }
  }

  private void addSplit(int feature, int value) {
    splitFeatures.add(feature);
    splitValues.add(value);
  }

  private int index(int feature, int slot, String place) {
    int index = file.intOf(feature, slot, -1, place);
    if (index < 0) {
      throw file.failure(feature, place + ": Index " + index + ", expected 0 or more");
    }
    return index;
  }

  private int column(int feature, int slot, String place) {
    return file.intOf(feature, slot, CatBoostFeatures.NO_COLUMN, place);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import io.quickscorer.reader.input.IntList;
import java.util.BitSet;

/**
 * The features of CatBoost's binary file, and the splits, to which its trees refer by number. The
 * splits are numbered in this order: the borders of all float features, the categories of all
 * one-hot features, the borders of all CTRs.
 */
final class CatBoostBinaryFeatures {
  /** Numbers of fields in the FlatBuffers table of the trees: this constant and the next three. */
  private static final int CATEGORICAL_FEATURES = 4;

  private static final int FLOAT_FEATURES = 5;
  private static final int ONE_HOT_FEATURES = 6;
  private static final int CTR_FEATURES = 7;

  /**
   * Numbers of fields in the FlatBuffers table of a float feature: this constant and the next five.
   */
  private static final int HAS_NANS = 0;

  private static final int INDEX = 1;
  private static final int FLAT_INDEX = 2;
  private static final int BORDERS = 3;
  private static final int ID = 4;
  private static final int NANS = 5;

  private static final int NAN_AS_TRUE = 2;

  /**
   * Numbers of fields in the FlatBuffers table of a categorical feature: this constant and the next
   * two.
   */
  private static final int CATEGORICAL_INDEX = 0;

  private static final int CATEGORICAL_FLAT_INDEX = 1;
  private static final int CATEGORICAL_ID = 2;

  /**
   * Numbers of fields in the FlatBuffers table of a one-hot feature: this constant and the next
   * one.
   */
  private static final int ONE_HOT_INDEX = 0;

  private static final int ONE_HOT_HASHES = 1;

  private final FlatBuffer file;
  private final int table;
  private final CatBoostFeatures features;

  /** The feature of each split, numbered as {@link CatBoostTrees} describes. */
  private final IntList splitFeatures = new IntList();

  /** The value of each split, which {@link CatBoostTrees} describes. */
  private final IntList splitValues = new IntList();

  /**
   * Reads the features.
   *
   * @param table the position of the table of trees
   */
  CatBoostBinaryFeatures(FlatBuffer file, int table, CatBoostFeatures features, CatBoostCtrs ctrs) {
    this.file = file;
    this.table = table;
    this.features = features;
    readAll(FLOAT_FEATURES, "feature", this::readFloat);
    readAll(CATEGORICAL_FEATURES, "categorical feature", this::readCategorical);
    readAll(ONE_HOT_FEATURES, "one-hot feature", this::readOneHot);
    CatBoostBinaryCtrs reader = new CatBoostBinaryCtrs(file);
    readAll(CTR_FEATURES, "CTR feature", (ctr, place) -> ctrs.add(reader.ctr(ctr, place)));
    for (int split = 0; split < ctrs.splits(); split++) {
      addSplit(CatBoostTrees.CTR, split);
    }
  }

  /** Returns the number of splits that the features define. */
  int splits() {
    return splitFeatures.size();
  }

  int feature(int split) {
    return splitFeatures.get(split);
  }

  int value(int split) {
    return splitValues.get(split);
  }

  private interface FeatureReader {
    /**
     * Reads the feature at a position.
     *
     * @param feature the position of the feature's table
     * @param place the feature, for messages
     */
    void read(int feature, String place);
  }

  private void readAll(int slot, String what, FeatureReader reader) {
    int field = file.field(table, slot, "trees");
    int count = file.length(field, Integer.BYTES, what + "s");
    int first = count == 0 ? 0 : file.elements(field, what + "s");
    BitSet read = new BitSet();
    for (int i = 0; i < count; i++) {
      String place = what + " " + i;
      int feature = file.target(first + i * Integer.BYTES, place);
      if (read.get(feature)) {
        // Otherwise, many references of four bytes each could define the same large feature many
        // times.
        throw file.failure(feature, place + ": the feature is listed twice");
      }
      read.set(feature);
      reader.read(feature, place);
    }
  }

  private void readFloat(int feature, String place) {
    int number = index(feature, INDEX, place);
    int nans = file.field(feature, NANS, place);
    int treatment = nans == FlatBuffer.ABSENT ? 0 : file.byteAt(nans, place);
    if (treatment < 0 || treatment > NAN_AS_TRUE) {
      throw file.failure(nans, place + ": NanValueTreatment " + treatment + ", expected 0..2");
    }
    int has = file.field(feature, HAS_NANS, place);
    boolean hasNans = has != FlatBuffer.ABSENT && file.byteAt(has, place) != 0;
    String id = file.string(file.field(feature, ID, place), place + ", FeatureId");
    int column = column(feature, FLAT_INDEX, place);
    features.addFloat(feature, number, id, column, hasNans && treatment == NAN_AS_TRUE);
    int field = file.field(feature, BORDERS, place);
    int count = file.length(field, Float.BYTES, place + ", Borders");
    int first = count == 0 ? 0 : file.elements(field, place);
    for (int i = 0; i < count; i++) {
      float border = file.floatAt(first + i * Float.BYTES, place);
      addSplit(number, Float.floatToRawIntBits(border));
    }
  }

  private void readCategorical(int feature, String place) {
    int number = index(feature, CATEGORICAL_INDEX, place);
    String id = file.string(file.field(feature, CATEGORICAL_ID, place), place + ", FeatureId");
    features.addCategorical(feature, number, id, column(feature, CATEGORICAL_FLAT_INDEX, place));
  }

  private void readOneHot(int feature, String place) {
    int index = file.field(feature, ONE_HOT_INDEX, place);
    int category = index == FlatBuffer.ABSENT ? -1 : file.intAt(index, place);
    if (category < 0 || category >= features.categorical()) {
      throw file.failure(
          feature, place + ": Index " + category + ", expected 0.." + (features.categorical() - 1));
    }
    int field = file.field(feature, ONE_HOT_HASHES, place);
    int count = file.length(field, Integer.BYTES, place + ", Values");
    int first = count == 0 ? 0 : file.elements(field, place);
    for (int i = 0; i < count; i++) {
      addSplit(~category, file.intAt(first + i * Integer.BYTES, place));
    }
  }

  private void addSplit(int feature, int value) {
    splitFeatures.add(feature);
    splitValues.add(value);
  }

  private int index(int feature, int slot, String place) {
    int field = file.field(feature, slot, place);
    int index = field == FlatBuffer.ABSENT ? -1 : file.intAt(field, place);
    if (index < 0) {
      throw file.failure(feature, place + ": Index " + index + ", expected 0 or more");
    }
    return index;
  }

  private int column(int feature, int slot, String place) {
    int field = file.field(feature, slot, place);
    return field == FlatBuffer.ABSENT ? CatBoostFeatures.NO_COLUMN : file.intAt(field, place);
  }
}

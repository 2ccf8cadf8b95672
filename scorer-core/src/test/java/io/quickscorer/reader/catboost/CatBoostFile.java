// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import io.quickscorer.reader.SmallModels;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes CatBoost's binary file: tables first, each after its table of offsets, then what they
 * refer to. Every field has eight bytes.
 */
public final class CatBoostFile {
  private static final int HEADER = 8;
  private static final int SLOT = 8;
  private static final int TREE_SLOTS = 19;

  /** Fields of the table of trees that list features. */
  private static final int CATEGORICAL_FEATURES = 4;

  private static final int FLOAT_FEATURES = 5;
  private static final int ONE_HOT_FEATURES = 6;

  /**
   * References lead forward only, so the lists of features come before them, with room for these.
   */
  private static final int MAX_FEATURES = 4;

  private final ByteBuffer bytes = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
  private final int trees;
  private final int core;
  private final int[] lists = new int[ONE_HOT_FEATURES + 1];

  /** A file whose table of trees has no fields yet. */
  CatBoostFile() {
    bytes.put("CBM1".getBytes(StandardCharsets.US_ASCII)).putInt(0).putInt(0).putInt(0);
    core = table(4);
    bytes.putInt(HEADER, core - HEADER);
    trees = table(TREE_SLOTS);
    refer(core, 0, string("FlabuffersModel_v1"));
    refer(core, 1, trees);
    for (int slot = CATEGORICAL_FEATURES; slot <= ONE_HOT_FEATURES; slot++) {
      lists[slot] = begin(0);
      bytes.position(lists[slot] + (1 + MAX_FEATURES) * Integer.BYTES);
    }
  }

  /** The model of {@link SmallModels#CATBOOST}. */
  public static CatBoostFile small() {
    CatBoostFile file = new CatBoostFile();
    file.ints(1, 1, 0).ints(2, 2).doubles(8, 1, 20, 300, 4000).doubles(16, 7).number(14, 2);
    int first = file.feature(0, "", 2, 0.5f);
    int second = file.feature(1, "b", 0, 2.5f);
    return file.features(first, second);
  }

  /**
   * The model of {@link SmallModels#CATBOOST_CATEGORIES}. Its trees' nodes are the root, the one
   * where "x" is above 0.5, with a leaf of its own, that leaf's sibling, and the other one
   * likewise; then the second tree's.
   */
  public static CatBoostFile categories() {
    CatBoostFile file = new CatBoostFile();
    file.ints(1, 0, 2, 0, 1, 0, 0).ints(2, 5, 1).ints(3, 0, 5).doubles(8, 20, 300, 1, 4000, 0);
    file.ints(10, steps(3, 1), steps(0, 1), 0, steps(0, 1), 0, 0).ints(11, -1, 0, 1, 2, 3, 4);
    int x = file.feature(0, "x", 0, 0.5f);
    int unnamed = file.feature(1, "", 2);
    file.column(x, 2, 1).column(unnamed, 2, 2);
    int unused = file.categorical(0, "unused", 0);
    int kind = file.categorical(1, "kind", 3);
    int oneHot = file.oneHot(1, 593172586, 1445320840);
    return file.features(x, unnamed)
        .tables(CATEGORICAL_FEATURES, unused, kind)
        .tables(ONE_HOT_FEATURES, oneHot);
  }

  static int steps(int left, int right) {
    return left | right << Short.SIZE;
  }

  private int table(int slots) {
    int vtable = bytes.position();
    bytes.putShort((short) (4 + 2 * slots)).putShort((short) (8 + SLOT * slots));
    bytes.position(vtable + 4 + 2 * slots);
    align();
    int table = bytes.position();
    bytes.putInt(table - vtable).position(table + 8 + SLOT * slots);
    return table;
  }

  private void align() {
    bytes.position((bytes.position() + 7) & -8);
  }

  /** Where a field is, from now on present. */
  private int slot(int table, int slot) {
    int vtable = table - bytes.getInt(table);
    bytes.putShort(vtable + 4 + 2 * slot, (short) (8 + SLOT * slot));
    return table + 8 + SLOT * slot;
  }

  private void refer(int table, int slot, int target) {
    int at = slot(table, slot);
    bytes.putInt(at, target - at);
  }

  private int string(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    int at = begin(utf8.length);
    bytes.put(utf8).put((byte) 0);
    return at;
  }

  /** Begins a vector so that its elements are at a multiple of 8. */
  private int begin(int length) {
    align();
    bytes.putInt(0);
    int at = bytes.position();
    bytes.putInt(length);
    return at;
  }

  /** A float feature's table, to be listed by {@link #features}. */
  int feature(int index, String id, int nanTreatment, float... borders) {
    int feature = table(6);
    bytes.put(slot(feature, 0), (byte) (nanTreatment == 0 ? 0 : 1));
    bytes.putInt(slot(feature, 1), index);
    bytes.put(slot(feature, 5), (byte) nanTreatment);
    int vector = begin(borders.length);
    for (float border : borders) {
      bytes.putFloat(border);
    }
    refer(feature, 3, vector);
    if (!id.isEmpty()) {
      refer(feature, 4, string(id));
    }
    return feature;
  }

  /** Says in which column a feature is. */
  CatBoostFile column(int feature, int slot, int column) {
    bytes.putInt(slot(feature, slot), column);
    return this;
  }

  int categorical(int index, String id, int column) {
    int feature = table(4);
    bytes.putInt(slot(feature, 0), index);
    column(feature, 1, column).refer(feature, 2, string(id));
    return feature;
  }

  int oneHot(int index, int... hashes) {
    int feature = table(3);
    bytes.putInt(slot(feature, 0), index);
    int vector = begin(hashes.length);
    Arrays.stream(hashes).forEach(bytes::putInt);
    refer(feature, 1, vector);
    return feature;
  }

  /** Makes a feature refer to the borders of a later one. */
  void shareBorders(int feature, int later) {
    int at = slot(later, 3);
    refer(feature, 3, at + bytes.getInt(at));
  }

  CatBoostFile features(int... features) {
    return tables(FLOAT_FEATURES, features);
  }

  /** Sets a list of tables: of features of some kind. */
  CatBoostFile tables(int slot, int... tables) {
    int list = lists[slot];
    bytes.putInt(list, tables.length);
    for (int i = 0; i < tables.length; i++) {
      int at = list + (1 + i) * Integer.BYTES;
      bytes.putInt(at, tables[i] - at);
    }
    refer(trees, slot, list);
    return this;
  }

  /** Sets a vector of the table of trees. */
  CatBoostFile ints(int slot, int... values) {
    int vector = begin(values.length);
    Arrays.stream(values).forEach(bytes::putInt);
    refer(trees, slot, vector);
    return this;
  }

  CatBoostFile doubles(int slot, double... values) {
    int vector = begin(values.length);
    Arrays.stream(values).forEach(bytes::putDouble);
    refer(trees, slot, vector);
    return this;
  }

  CatBoostFile number(int slot, double value) {
    bytes.putDouble(slot(trees, slot), value);
    return this;
  }

  CatBoostFile dimension(int value) {
    bytes.putInt(slot(trees, 0), value);
    return this;
  }

  /** Names the part of the model that comes after the core. */
  CatBoostFile part(String name) {
    int vector = begin(1);
    int element = bytes.position();
    bytes.putInt(0);
    bytes.putInt(element, string(name) - element);
    refer(core, 3, vector);
    return this;
  }

  /** The file with a part after the core. */
  public byte[] toBytes(int... part) {
    byte[] core = toBytes();
    ByteBuffer all = ByteBuffer.allocate(core.length + part.length * Integer.BYTES);
    all.order(ByteOrder.LITTLE_ENDIAN).put(core);
    Arrays.stream(part).forEach(all::putInt);
    return all.array();
  }

  public byte[] toBytes() {
    align();
    bytes.putInt(4, bytes.position() - HEADER);
    return Arrays.copyOf(bytes.array(), bytes.position());
  }
}

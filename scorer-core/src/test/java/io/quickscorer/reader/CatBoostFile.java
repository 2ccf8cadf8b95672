package io.quickscorer.reader;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes CatBoost's binary file: tables first, each after its table of offsets, then what they
 * refer to. Every field has eight bytes.
 */
final class CatBoostFile {
  private static final int HEADER = 8;
  private static final int SLOT = 8;
  private static final int TREE_SLOTS = 19;

  /**
   * References lead forward only, so the list of features comes before them, with room for these.
   */
  private static final int MOST_FEATURES = 4;

  private final ByteBuffer bytes = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
  private final int trees;
  private final int core;
  private final int list;

  /** A file whose table of trees has no fields yet. */
  CatBoostFile() {
    bytes.put("CBM1".getBytes(StandardCharsets.US_ASCII)).putInt(0).putInt(0).putInt(0);
    core = table(4);
    bytes.putInt(HEADER, core - HEADER);
    trees = table(TREE_SLOTS);
    refer(core, 0, string("FlabuffersModel_v1"));
    refer(core, 1, trees);
    list = begin(0);
    bytes.position(list + (1 + MOST_FEATURES) * Integer.BYTES);
    refer(trees, 5, list);
  }

  /** The model of {@link SmallModels#CATBOOST}. */
  static CatBoostFile small() {
    CatBoostFile file = new CatBoostFile();
    file.ints(1, 1, 0).ints(2, 2).doubles(8, 1, 20, 300, 4000).doubles(16, 7).number(14, 2);
    int first = file.feature(0, "", 2, 0.5f);
    int second = file.feature(1, "b", 0, 2.5f);
    return file.features(first, second);
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

  /** Makes a feature refer to the borders of a later one. */
  void shareBorders(int feature, int later) {
    int at = slot(later, 3);
    refer(feature, 3, at + bytes.getInt(at));
  }

  CatBoostFile features(int... features) {
    bytes.putInt(list, features.length);
    for (int i = 0; i < features.length; i++) {
      int at = list + (1 + i) * Integer.BYTES;
      bytes.putInt(at, features[i] - at);
    }
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

  /** Names a part of the model that comes after the core. */
  CatBoostFile part(String name) {
    int vector = begin(1);
    bytes.putInt(4);
    string(name);
    refer(core, 3, vector);
    return this;
  }

  byte[] toBytes() {
    align();
    bytes.putInt(4, bytes.position() - HEADER);
    return Arrays.copyOf(bytes.array(), bytes.position());
  }
}

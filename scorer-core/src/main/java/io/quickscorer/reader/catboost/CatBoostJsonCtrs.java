// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import io.quickscorer.reader.catboost.CatBoostCtrs.Ctr;
import io.quickscorer.reader.catboost.CatBoostCtrs.Projection;
import io.quickscorer.reader.catboost.CatBoostCtrs.Table;
import io.quickscorer.reader.catboost.CatBoostCtrs.Type;
import io.quickscorer.reader.input.DocumentReader;
import io.quickscorer.reader.input.DoubleList;
import io.quickscorer.reader.input.IntList;
import java.util.Arrays;
import tools.jackson.core.JsonToken;

/**
 * Reads target statistics (CTRs) of CatBoost's JSON. A CTR feature refers to its table by an
 * identifier. A table is a list of keys, which are strings; each key is followed by its counts.
 */
record CatBoostJsonCtrs(DocumentReader reader, CatBoostCtrs ctrs) {
  void readCtrs() {
    for (JsonToken _ : reader.elements("ctrs")) {
      reader.place("CTR " + ctrs.size() + ", ");
      ctrs.add(readCtr());
      reader.place("");
    }
  }

  private Ctr readCtr() {
    long offset = reader.offset();
    String table = "";
    String type = "";
    Projection projection = null;
    int border = 0;
    float prior = 0;
    float priorDenominator = 1;
    float shift = 0;
    float scale = 1;
    IntList borders = new IntList();
    for (String name : reader.fields("CTR")) {
      switch (name) {
        case "identifier" -> table = reader.string(name);
        case "ctr_type" -> type = reader.string(name);
        case "elements" -> projection = readElements();
        case "target_border_idx" -> border = (int) reader.integer(name, 0, Integer.MAX_VALUE - 1);
        case "prior_numerator" -> prior = reader.floatValue(name);
        case "prior_denomerator" -> priorDenominator = reader.floatValue(name);
        case "shift" -> shift = reader.floatValue(name);
        case "scale" -> scale = reader.floatValue(name);
        case "borders" -> reader.floatBits(name, borders);
        default -> {}
      }
    }
    if (projection == null) {
      throw reader.failure("elements: missing");
    }
    float[] bounds = new float[borders.size()];
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = Float.intBitsToFloat(borders.get(i));
    }
    return new Ctr(
        offset,
        table,
        type(type),
        projection,
        border,
        prior,
        priorDenominator,
        shift,
        scale,
        bounds);
  }

  private Type type(String name) {
    return Arrays.stream(Type.values())
        .filter(type -> type.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> reader.failure("ctr_type: expected one of " + Arrays.toString(Type.values())));
  }

  private Projection readElements() {
    IntList categories = new IntList();
    IntList floats = new IntList();
    IntList borders = new IntList();
    IntList tested = new IntList();
    IntList hashes = new IntList();
    for (JsonToken _ : reader.elements("elements")) {
      String kind = "";
      int category = -1;
      int number = -1;
      int border = 0;
      int hash = 0;
      for (String name : reader.fields("element")) {
        switch (name) {
          case "combination_element" -> kind = reader.string(name);
          case "cat_feature_index" -> category = reader.count(name);
          case "float_feature_index" -> number = reader.count(name);
          case "border" -> border = Float.floatToRawIntBits(reader.floatValue(name));
          case "value" -> hash = (int) reader.integer(name, Integer.MIN_VALUE, 0xffff_ffffL);
          default -> {}
        }
      }
      switch (kind) {
        case "cat_feature_value" -> categories.add(category);
        case "float_feature" -> {
          floats.add(number);
          borders.add(border);
        }
        case "cat_feature_exact_value" -> {
          tested.add(category);
          hashes.add(hash);
        }
        default ->
            throw reader.failure(
                "combination_element: expected cat_feature_value, float_feature or"
                    + " cat_feature_exact_value");
      }
    }
    return new Projection(
        categories.toArray(),
        floats.toArray(),
        borders.toArray(),
        tested.toArray(),
        hashes.toArray());
  }

  /** Reads the tables of counts. The names of the JSON fields are the identifiers of the tables. */
  void readTables() {
    for (String identifier : reader.fields("ctr_data")) {
      ctrs.add(identifier, readTable());
    }
  }

  private Table readTable() {
    long offset = reader.offset();
    long[] keys = new long[16];
    int size = 0;
    DoubleList counts = new DoubleList();
    int denominator = 0;
    long stride = 0;
    for (String name : reader.fields("CTR table")) {
      switch (name) {
        case "counter_denominator" ->
            denominator = (int) reader.integer(name, Integer.MIN_VALUE, Integer.MAX_VALUE);
        case "hash_stride" -> stride = reader.integer(name, 2, Integer.MAX_VALUE);
        case "hash_map" -> {
          int row = 0;
          for (JsonToken element : reader.elements(name)) {
            if (element == JsonToken.VALUE_STRING) {
              if (size > 0 && counts.size() != size * (long) row) {
                throw reader.failure("hash_map: the keys have different numbers of counts");
              }
              keys = size == keys.length ? Arrays.copyOf(keys, 2 * size) : keys;
              keys[size++] = key();
            } else {
              counts.add(reader.doubleValue(name));
              row += size == 1 ? 1 : 0;
            }
          }
        }
        default -> {}
      }
    }
    if (counts.size() != size * (stride - 1)) {
      throw reader.failure(
          "hash_map: found "
              + counts.size()
              + " counts for "
              + size
              + " keys, expected "
              + (stride - 1)
              + " for each key (hash_stride - 1)");
    }
    return new Table(offset, Arrays.copyOf(keys, size), counts.toArray(), denominator);
  }

  private long key() {
    try {
      return Long.parseUnsignedLong(reader.string("key"));
    } catch (NumberFormatException e) {
      throw reader.failure("key: expected an unsigned integer of 64 bits");
    }
  }
}

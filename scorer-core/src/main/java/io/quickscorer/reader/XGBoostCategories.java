// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.CategoryList;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.input.DocumentReader;
import io.quickscorer.reader.input.DoubleList;
import io.quickscorer.reader.input.IntList;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JsonToken;

/**
 * The categories of a data frame's columns, which XGBoost from 3.1 on writes as {@code cats}. Its
 * list {@code enc} has one element per feature; an element is empty if its feature is not
 * categorical. For texts, {@code values} has the UTF-8 bytes of all texts, and {@code offsets} has
 * the start of each text, followed by the end of the last text. Numbers are an array with a {@code
 * type}.
 *
 * <p>XGBoost itself replaces the codes of a data frame by the codes of the same values in these
 * lists, and fails for other values.
 */
final class XGBoostCategories {
  private final DocumentReader reader;
  private final EnsembleLimits limits;
  private final Map<Integer, CategoryList> lists = new TreeMap<>();
  private final List<String> notes = new ArrayList<>();

  XGBoostCategories(DocumentReader reader, EnsembleLimits limits) {
    this.reader = reader;
    this.limits = limits;
  }

  /**
   * Returns the category lists by the number of the feature. Leaves out features whose number is
   * {@code features} or larger.
   */
  Map<Integer, CategoryList> lists(int features) {
    lists.keySet().removeIf(feature -> feature >= features);
    return lists;
  }

  /** Returns notes for the user about the category lists that cannot be used. */
  List<String> notes() {
    return notes;
  }

  /** Reads the value of the field {@code cats}, which contains the categories. */
  void read() {
    reader.field("cats", "enc", this::readFeatures);
  }

  private void readFeatures() {
    int feature = 0;
    for (JsonToken _ : reader.elements("cats.enc")) {
      reader.check("cats.enc: features", feature + 1L, Limit.FEATURES, limits);
      readFeature(feature++);
    }
  }

  private void readFeature(int feature) {
    IntList offsets = null;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DoubleList numbers = new DoubleList();
    for (String name : reader.fields("cats.enc")) {
      switch (name) {
        case "offsets" -> {
          offsets = new IntList();
          reader.integers("cats.enc.offsets", 0, Integer.MAX_VALUE, offsets);
        }
        case "values" -> {
          // The fields are in alphabetical order, so the offsets of texts precede their values.
          if (offsets == null) {
            readNumbers(numbers);
          } else {
            readBytes(bytes);
          }
        }
        default -> {}
      }
    }
    try {
      CategoryList list =
          offsets == null
              ? CategoryList.ofNumbers(numbers.toArray())
              : texts(bytes.toByteArray(), offsets.toArray());
      if (list.size() > 0) {
        lists.put(feature, list);
      }
    } catch (InvalidModelException e) {
      notes.add(
          "cats: feature "
              + feature
              + ": "
              + e.getMessage()
              + "; the file's category list is not used");
    }
  }

  private static CategoryList texts(byte[] utf8, int[] offsets) {
    if (offsets.length == 0) {
      return CategoryList.ofNumbers();
    }
    if (offsets[0] != 0) {
      throw new InvalidModelException(
          "category list: the first text begins at byte " + offsets[0] + ", expected byte 0");
    }
    return CategoryList.ofUtf8(utf8, Arrays.copyOfRange(offsets, 1, offsets.length));
  }

  private void readNumbers(DoubleList to) {
    for (JsonToken _ : reader.elements("cats.enc.values")) {
      reader.check("cats.enc.values: largest category", to.size(), Limit.CATEGORY, limits);
      to.add(reader.doubleValue("cats.enc.values"));
    }
  }

  /** Reads an array of bytes, which XGBoost writes as signed numbers. */
  private void readBytes(ByteArrayOutputStream to) {
    for (JsonToken _ : reader.elements("cats.enc.values")) {
      to.write((int) reader.integer("cats.enc.values", Byte.MIN_VALUE, 255));
    }
  }
}

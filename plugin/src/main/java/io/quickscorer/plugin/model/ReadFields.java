// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.plugin.door.Input;
import io.quickscorer.plugin.door.Shape;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/** Reads and writes, as JSON, the options with which a model's file is read. */
public final class ReadFields {
  private static final String OUTPUT = "output";
  private static final String CATEGORIES = "categories";
  private static final String MODEL = "model_name";

  public static final Shape<ReadFields> SHAPE =
      new Shape<ReadFields>()
          .whole(
              OUTPUT,
              0,
              Integer.MAX_VALUE,
              (fields, output) -> fields.output = OptionalInt.of((int) output))
          .object(CATEGORIES, Input.MAX_ITEMS, (fields, in) -> fields.categories = categories(in))
          .text(MODEL, (fields, name) -> fields.model = name);

  private OptionalInt output = OptionalInt.empty();
  private Map<String, List<String>> categories = Map.of();
  private String model = "";

  public ReadOptions options() {
    return new ReadOptions(output, categories, model);
  }

  /** Reads the lists of categories from a JSON object: {@code {"feature": ["text", …], …}}. */
  private static Map<String, List<String>> categories(Input in) throws IOException {
    Map<String, List<String>> lists = new TreeMap<>();
    in.object(
        Input.MAX_ITEMS,
        feature -> {
          Set<String> texts = new LinkedHashSet<>();
          in.list(
              Input.MAX_ITEMS,
              () -> {
                if (!texts.add(in.text())) {
                  throw in.wrong("the list contains the same text twice");
                }
              });
          lists.put(feature, List.copyOf(texts));
        });
    return lists;
  }

  /**
   * Returns the options that are set, by the names of their fields. The version of a model is a
   * hash that includes this map, so a changed name or a field for an unset option would change all
   * versions.
   */
  public static Map<String, Object> toMap(ReadOptions options) {
    Map<String, Object> fields = new TreeMap<>();
    options.output().ifPresent(output -> fields.put(OUTPUT, output));
    if (!options.categories().isEmpty()) {
      fields.put(CATEGORIES, options.categories());
    }
    if (!options.model().isEmpty()) {
      fields.put(MODEL, options.model());
    }
    return fields;
  }

  /** Returns the number of categories of each feature, by the feature's name, for a response. */
  public static Map<String, Integer> counts(ReadOptions options) {
    Map<String, Integer> counts = new TreeMap<>();
    options.categories().forEach((feature, texts) -> counts.put(feature, texts.size()));
    return counts;
  }
}

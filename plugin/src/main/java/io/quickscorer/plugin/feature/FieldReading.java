// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.ensemble.CategoryList;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;

/** The way in which a field's values become a number. Immutable. */
public sealed interface FieldReading extends WireRecord {
  String CATEGORIES = "categories";
  String HASH = "hash";

  /** Stands for the list of the model that a set is bound to. */
  String MODEL = "model";

  /** Most entries of {@link Categories}. */
  int MAX_CATEGORIES = 100_000;

  /** Largest {@link Hash#modulus}: larger numbers are not floats. */
  int MAX_MODULUS = 1 << 24;

  /**
   * A number, boolean (1 and 0) or date (milliseconds since 1970); of a keyword field only the
   * count of values.
   */
  record Numbers(Aggregate aggregate) implements FieldReading {}

  /**
   * The place of a keyword in a list, from 0, which is how trainers write categories; of several
   * values the least. A value that is not in the list counts as no value.
   */
  record Categories(List<String> names) implements FieldReading {
    public Categories {
      names = List.copyOf(names);
      if (new HashSet<>(names).size() != names.size()) {
        throw new IllegalArgumentException("[categories] has a name twice");
      }
    }
  }

  /**
   * The place of a number in a list, from 0; of several values the least place. A value that is not
   * in the list counts as no value.
   */
  record NumberCategories(CategoryList numbers) implements FieldReading {
    /** Reads what {@link #writeTo} wrote. */
    NumberCategories(StreamInput in) throws IOException {
      this(CategoryList.ofNumbers(in.readDoubleArray()));
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      out.writeDoubleArray(toArray());
    }

    /** Writes integers as integers, so that the text is the same as the user's. */
    private void listToXContent(XContentBuilder builder) throws IOException {
      builder.startArray(CATEGORIES);
      for (double number : toArray()) {
        if (number == Math.rint(number)) {
          builder.value((long) number);
        } else {
          builder.value(number);
        }
      }
      builder.endArray();
    }

    private double[] toArray() {
      return IntStream.range(0, numbers.size()).mapToDouble(numbers::number).toArray();
    }
  }

  /**
   * The place in the list that a model's file has for the feature. An upload puts the list into the
   * model's copy of the set; a set by itself has none.
   */
  record ModelCategories() implements FieldReading {}

  /**
   * MurmurHash3 (x86, 32 bits, seed 0) of a keyword's UTF-8 bytes, read as unsigned, modulo {@code
   * modulus}; of several values the least.
   */
  record Hash(int modulus) implements FieldReading {}

  static FieldReading parse(Modifiers modifiers, Options options) {
    if (options.is(CATEGORIES, MODEL)) {
      options.take(CATEGORIES);
      return new ModelCategories();
    }
    if (options.hasNumbers(CATEGORIES)) {
      return numberCategories(options.numbers(CATEGORIES, MAX_CATEGORIES));
    }
    if (options.has(CATEGORIES)) {
      return new Categories(options.texts(CATEGORIES, MAX_CATEGORIES));
    }
    if (options.has(HASH)) {
      return new Hash(options.count(HASH, MAX_MODULUS));
    }
    return new Numbers(mode(modifiers, options));
  }

  private static FieldReading numberCategories(double[] numbers) {
    try {
      return new NumberCategories(CategoryList.ofNumbers(numbers));
    } catch (InvalidModelException e) {
      throw new IllegalArgumentException("[categories]: " + e.getMessage(), e);
    }
  }

  /**
   * Returns a reading as places in a model's list.
   *
   * @throws IllegalArgumentException if it is longer than {@link #MAX_CATEGORIES}
   */
  static FieldReading of(CategoryList list) {
    if (list.size() > MAX_CATEGORIES) {
      throw new IllegalArgumentException(
          "the list has " + list.size() + " categories, expected at most " + MAX_CATEGORIES);
    }
    return list.isText() ? new Categories(list.texts()) : new NumberCategories(list);
  }

  /** Reads how several values become one. */
  static Aggregate mode(Modifiers modifiers, Options options) {
    Aggregate mode = options.choice("mode", Aggregate.class, Aggregate.MIN);
    if (mode == Aggregate.COUNT && !Float.isNaN(modifiers.missing())) {
      throw new IllegalArgumentException(
          "[missing] is not allowed with [mode] count, because a count is never missing");
    }
    return mode;
  }

  default void toXContent(XContentBuilder builder) throws IOException {
    switch (this) {
      case Numbers numbers -> {
        if (numbers.aggregate != Aggregate.MIN) {
          builder.field("mode", EnumNames.of(numbers.aggregate));
        }
      }
      case Categories categories -> builder.field(CATEGORIES, categories.names);
      case NumberCategories categories -> categories.listToXContent(builder);
      case ModelCategories model -> builder.field(CATEGORIES, MODEL);
      case Hash hash -> builder.field(HASH, hash.modulus);
    }
  }
}

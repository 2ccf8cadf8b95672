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

/**
 * A feature whose value is a number computed from a field's doc values (Lucene's storage of a
 * field's values by document). A document without a value in the field has no number.
 *
 * @param reading how the number is computed from the values
 */
public record FieldFeature(String name, Modifiers modifiers, String field, Reading reading)
    implements FeatureDefinition {
  static FeatureDefinition parse(String name, Modifiers modifiers, Options options) {
    return options.has(DistanceFeature.FROM)
        ? DistanceFeature.parse(name, modifiers, options)
        : new FieldFeature(
            name, modifiers, options.string("field"), Reading.parse(modifiers, options));
  }

  /** Returns a feature whose value is the smallest number in a field, without further functions. */
  public static FieldFeature number(String name, String field) {
    return new FieldFeature(name, Modifiers.NONE, field, new Reading.Numbers(Aggregate.MIN));
  }

  /** Returns a copy of this feature that computes its number from the field in a different way. */
  public FieldFeature with(Reading other) {
    return new FieldFeature(name, modifiers, field, other);
  }

  @Override
  public boolean isCategorical() {
    return !(reading instanceof Reading.Numbers) && modifiers.normalizers().isEmpty();
  }

  @Override
  public void tell(Uses uses) {
    uses.field(field, true);
  }

  @Override
  public void optionsToXContent(XContentBuilder builder) throws IOException {
    builder.field("field", field);
    reading.toXContent(builder);
  }

  @Override
  public BoundFeature bind(RequestBinding request) {
    if (reading instanceof Reading.ModelCategories) {
      throw new IllegalArgumentException(
          "[categories] is [model], but the request has no model from which to take the list of"
              + " categories");
    }
    return new Bound(name, modifiers, field, reading);
  }

  record Bound(String name, Modifiers modifiers, String field, Reading reading)
      implements BoundFeature {
    @Override
    public ShardFeature onShard(ShardBinding shard) {
      return ShardFeature.of(FieldValues.of(field, reading, shard), modifiers);
    }
  }

  /** How a number is computed from a field's doc values. Immutable. */
  public sealed interface Reading extends WireRecord {
    String CATEGORIES = "categories";
    String HASH = "hash";

    /** Value of the JSON field {@link #CATEGORIES} that means the list in the model's file. */
    String MODEL = "model";

    /** Maximum length of the list in {@link Categories} and {@link NumberCategories}. */
    int MAX_CATEGORIES = 100_000;

    /** Maximum of {@link Hash#modulus}, up to which a float represents each integer exactly. */
    int MAX_MODULUS = 1 << 24;

    /**
     * Reads a number, a boolean (as 1 or 0), or a date (in milliseconds since 1970). A keyword
     * field allows only {@link Aggregate#COUNT}.
     */
    record Numbers(Aggregate aggregate) implements Reading {}

    /**
     * Replaces a keyword by its index in a list of categories, from 0; models contain these
     * indices. If a document has several values, the smallest index is used. Values outside the
     * list are ignored.
     */
    record Categories(List<String> names) implements Reading {
      public Categories {
        names = List.copyOf(names);
        if (new HashSet<>(names).size() != names.size()) {
          throw new IllegalArgumentException("[categories] contains the same name twice");
        }
      }
    }

    /**
     * Replaces a number by its index in a list of categories, from 0. If a document has several
     * values, the smallest index is used. Values outside the list are ignored.
     */
    record NumberCategories(CategoryList numbers) implements Reading {
      /** Reads the list of numbers from a message that {@link #writeTo} wrote. */
      NumberCategories(StreamInput in) throws IOException {
        this(CategoryList.ofNumbers(in.readDoubleArray()));
      }

      @Override
      public void writeTo(StreamOutput out) throws IOException {
        out.writeDoubleArray(toArray());
      }

      /**
       * Writes the list as JSON. Whole numbers are written without a decimal point, as the user
       * wrote them.
       */
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
     * Replaces a value by its index in the list of categories in a model's file. The upload of a
     * model copies this list to the model's copy of the feature set; a stored feature set lacks it.
     */
    record ModelCategories() implements Reading {}

    /**
     * Replaces a keyword by its hash: MurmurHash3 (x86, 32 bits, seed 0) of the UTF-8 bytes, as an
     * unsigned number, modulo {@code modulus}. If a document has several values, the smallest hash
     * is used.
     */
    record Hash(int modulus) implements Reading {}

    static Reading parse(Modifiers modifiers, Options options) {
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

    private static Reading numberCategories(double[] numbers) {
      try {
        return new NumberCategories(CategoryList.ofNumbers(numbers));
      } catch (InvalidModelException e) {
        throw new IllegalArgumentException("[categories]: " + e.getMessage(), e);
      }
    }

    /**
     * Returns the reading that replaces each value by its index in {@code list}.
     *
     * @throws IllegalArgumentException if the list is longer than {@link #MAX_CATEGORIES}
     */
    static Reading of(CategoryList list) {
      if (list.size() > MAX_CATEGORIES) {
        throw new IllegalArgumentException(
            "the list has " + list.size() + " categories, expected at most " + MAX_CATEGORIES);
      }
      return list.isText() ? new Categories(list.texts()) : new NumberCategories(list);
    }

    /**
     * Reads the JSON field {@code mode}, the function that combines a document's values into one.
     */
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
}

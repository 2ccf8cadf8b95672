// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.kind;

import io.quickscorer.plugin.feature.EnumNames;
import io.quickscorer.plugin.feature.Modifiers;
import io.quickscorer.plugin.feature.Options;
import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.XContentBuilder;

/** What number a field's values become. Immutable. */
public sealed interface FieldReading extends Writeable {
  String NUMBERS = "numbers";
  String CATEGORIES = "categories";
  String HASH = "hash";

  /** As the first wire version numbered them. */
  List<String> PLACES = List.of(NUMBERS, CATEGORIES, HASH);

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
   * MurmurHash3 (x86, 32 bits, seed 0) of a keyword's UTF-8 bytes, read as unsigned, modulo {@code
   * modulus}; of several values the least.
   */
  record Hash(int modulus) implements FieldReading {}

  static FieldReading parse(Modifiers modifiers, Options options) {
    if (options.has(CATEGORIES)) {
      return new Categories(options.strings(CATEGORIES, MAX_CATEGORIES));
    }
    if (options.has(HASH)) {
      return new Hash(options.count(HASH, MAX_MODULUS));
    }
    return new Numbers(mode(modifiers, options));
  }

  /** How several values become one. */
  static Aggregate mode(Modifiers modifiers, Options options) {
    Aggregate mode = options.choice("mode", Aggregate.class, Aggregate.MIN);
    if (mode == Aggregate.COUNT && !Float.isNaN(modifiers.missing())) {
      throw new IllegalArgumentException("[missing]: a count is never missing");
    }
    return mode;
  }

  static FieldReading read(StreamInput in) throws IOException {
    String name = Wire.readName(in, PLACES);
    return switch (name) {
      case NUMBERS -> new Numbers(EnumNames.read(in, Aggregate.class));
      case CATEGORIES -> new Categories(in.readStringList());
      case HASH -> new Hash(in.readVInt());
      default -> throw new IOException("unknown reading of a field [" + name + "]");
    };
  }

  @Override
  default void writeTo(StreamOutput out) throws IOException {
    switch (this) {
      case Numbers numbers -> {
        Wire.writeName(out, NUMBERS, PLACES);
        EnumNames.write(out, numbers.aggregate);
      }
      case Categories categories -> {
        Wire.writeName(out, CATEGORIES, PLACES);
        out.writeStringCollection(categories.names);
      }
      case Hash hash -> {
        Wire.writeName(out, HASH, PLACES);
        out.writeVInt(hash.modulus);
      }
    }
  }

  default void toXContent(XContentBuilder builder) throws IOException {
    switch (this) {
      case Numbers numbers -> {
        if (numbers.aggregate != Aggregate.MIN) {
          builder.field("mode", EnumNames.of(numbers.aggregate));
        }
      }
      case Categories categories -> builder.field(CATEGORIES, categories.names);
      case Hash hash -> builder.field(HASH, hash.modulus);
    }
  }
}

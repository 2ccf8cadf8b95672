package io.quickscorer.plugin.feature.set;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.XContentBuilder;

/** What number a field's values become. Immutable. */
public sealed interface FieldReading extends Writeable {
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

  static FieldReading read(StreamInput in) throws IOException {
    byte kind = in.readByte();
    return switch (kind) {
      case 0 -> new Numbers(in.readEnum(Aggregate.class));
      case 1 -> new Categories(in.readStringList());
      case 2 -> new Hash(in.readVInt());
      default -> throw new IOException("unknown kind of field reading: " + kind);
    };
  }

  @Override
  default void writeTo(StreamOutput out) throws IOException {
    switch (this) {
      case Numbers numbers -> {
        out.writeByte((byte) 0);
        out.writeEnum(numbers.aggregate);
      }
      case Categories categories -> {
        out.writeByte((byte) 1);
        out.writeStringCollection(categories.names);
      }
      case Hash hash -> {
        out.writeByte((byte) 2);
        out.writeVInt(hash.modulus);
      }
    }
  }

  default void toXContent(XContentBuilder builder) throws IOException {
    switch (this) {
      case Numbers numbers -> {
        if (numbers.aggregate != Aggregate.MIN) {
          builder.field("mode", Options.name(numbers.aggregate));
        }
      }
      case Categories categories -> builder.field("categories", categories.names);
      case Hash hash -> builder.field("hash", hash.modulus);
    }
  }
}

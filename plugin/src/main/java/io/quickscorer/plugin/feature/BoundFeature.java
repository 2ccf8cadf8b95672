package io.quickscorer.plugin.feature;

import java.io.IOException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;

/** A feature with one request's parameters put in. Immutable. */
public sealed interface BoundFeature extends Writeable {
  String name();

  /** Not needed for this request: no split tests it and nothing is logged. */
  record Unused(String name) implements BoundFeature {}

  /** The same value for all documents of the request. */
  record Constant(String name, float value) implements BoundFeature {}

  /** The score a hit has when it reaches the rescorer. */
  record FirstPassScore(String name) implements BoundFeature {}

  /** A field's least doc value, or {@code missing}. */
  record FieldValue(String name, float missing, String field) implements BoundFeature {}

  /**
   * A query's score, or {@code missing}.
   *
   * @param query place in {@link BoundFeatures#queries()}
   */
  record QueryScore(String name, float missing, int query) implements BoundFeature {}

  @Override
  default void writeTo(StreamOutput out) throws IOException {
    switch (this) {
      case Unused ignored -> out.writeByte((byte) 0);
      case Constant constant -> {
        out.writeByte((byte) 1);
        out.writeFloat(constant.value);
      }
      case FirstPassScore ignored -> out.writeByte((byte) 2);
      case FieldValue field -> {
        out.writeByte((byte) 3);
        out.writeFloat(field.missing);
        out.writeString(field.field);
      }
      case QueryScore query -> {
        out.writeByte((byte) 4);
        out.writeFloat(query.missing);
        out.writeVInt(query.query);
      }
    }
    out.writeString(name());
  }

  static BoundFeature read(StreamInput in) throws IOException {
    byte kind = in.readByte();
    return switch (kind) {
      case 0 -> new Unused(in.readString());
      case 1 -> {
        float value = in.readFloat();
        yield new Constant(in.readString(), value);
      }
      case 2 -> new FirstPassScore(in.readString());
      case 3 -> {
        float missing = in.readFloat();
        String field = in.readString();
        yield new FieldValue(in.readString(), missing, field);
      }
      case 4 -> {
        float missing = in.readFloat();
        int query = in.readVInt();
        yield new QueryScore(in.readString(), missing, query);
      }
      default -> throw new IOException("unknown kind of bound feature: " + kind);
    };
  }
}

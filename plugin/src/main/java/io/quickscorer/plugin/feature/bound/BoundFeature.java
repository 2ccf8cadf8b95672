package io.quickscorer.plugin.feature.bound;

import io.quickscorer.plugin.feature.set.Aggregate;
import io.quickscorer.plugin.feature.set.FieldReading;
import io.quickscorer.plugin.feature.set.Modifiers;
import io.quickscorer.plugin.feature.set.TermStatistic;
import io.quickscorer.plugin.feature.set.VectorSimilarity;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.unit.DistanceUnit;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.script.Script;

/** A feature with one request's parameters put in. Immutable. */
public sealed interface BoundFeature extends Writeable {
  String name();

  /** Not needed for this request: no split tests it and nothing is logged. */
  record Unused(String name) implements BoundFeature {}

  /** The same value for all documents of the request. */
  record Constant(String name, float value) implements BoundFeature {}

  /** The score a hit has when it reaches the rescorer. */
  record FirstPassScore(String name, Modifiers modifiers) implements BoundFeature {}

  /** A field's doc value. */
  record FieldValue(String name, Modifiers modifiers, String field, FieldReading reading)
      implements BoundFeature {}

  /** How far a field's point is from a point of the request. */
  record Distance(
      String name,
      Modifiers modifiers,
      String field,
      double latitude,
      double longitude,
      DistanceUnit unit,
      Aggregate aggregate)
      implements BoundFeature {}

  /**
   * A query's score.
   *
   * @param query place in {@link BoundFeatures#queries()}
   */
  record QueryScore(String name, Modifiers modifiers, int query) implements BoundFeature {}

  /**
   * Statistics of a query's terms.
   *
   * @param query place in {@link BoundFeatures#queries()} of a query that matches the terms
   */
  record TermStatistics(
      String name,
      Modifiers modifiers,
      String field,
      int query,
      TermStatistic statistic,
      Aggregate aggregate)
      implements BoundFeature {}

  /**
   * An expression.
   *
   * @param inputs one per variable of the expression
   */
  record Computed(String name, Modifiers modifiers, String source, List<Input> inputs)
      implements BoundFeature {
    public Computed {
      inputs = List.copyOf(inputs);
    }
  }

  /** A script, the request's parameters in it. */
  record Scripted(String name, Modifiers modifiers, Script script) implements BoundFeature {}

  /** How alike a field's vector is to one of the request. */
  @SuppressWarnings("ArrayRecordComponent") // equals is ours
  record Vector(
      String name, Modifiers modifiers, String field, float[] vector, VectorSimilarity similarity)
      implements BoundFeature {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Vector that
          && name.equals(that.name)
          && modifiers.equals(that.modifiers)
          && field.equals(that.field)
          && Arrays.equals(vector, that.vector)
          && similarity == that.similarity;
    }

    @Override
    public int hashCode() {
      return Objects.hash(name, field, Arrays.hashCode(vector), similarity);
    }
  }

  /** Where an expression's variable has its value from. */
  sealed interface Input extends Writeable {
    /** A number of the request. */
    record Number(double value) implements Input {}

    /** The feature in this place of the set. */
    record Feature(int place) implements Input {}

    /** A field's number, the least of several. */
    record Field(String field) implements Input {}

    static Input read(StreamInput in) throws IOException {
      byte kind = in.readByte();
      return switch (kind) {
        case 0 -> new Number(in.readDouble());
        case 1 -> new Feature(in.readVInt());
        case 2 -> new Field(in.readString());
        default -> throw new IOException("unknown kind of input: " + kind);
      };
    }

    @Override
    default void writeTo(StreamOutput out) throws IOException {
      switch (this) {
        case Number number -> {
          out.writeByte((byte) 0);
          out.writeDouble(number.value);
        }
        case Feature feature -> {
          out.writeByte((byte) 1);
          out.writeVInt(feature.place);
        }
        case Field field -> {
          out.writeByte((byte) 2);
          out.writeString(field.field);
        }
      }
    }
  }

  @Override
  default void writeTo(StreamOutput out) throws IOException {
    switch (this) {
      case Unused ignored -> start(out, 0);
      case Constant constant -> {
        start(out, 1);
        out.writeFloat(constant.value);
      }
      case FirstPassScore first -> {
        start(out, 2);
        first.modifiers.writeTo(out);
      }
      case FieldValue field -> {
        start(out, 3);
        field.modifiers.writeTo(out);
        out.writeString(field.field);
        field.reading.writeTo(out);
      }
      case QueryScore query -> {
        start(out, 4);
        query.modifiers.writeTo(out);
        out.writeVInt(query.query);
      }
      case Distance distance -> {
        start(out, 5);
        distance.modifiers.writeTo(out);
        out.writeString(distance.field);
        out.writeDouble(distance.latitude);
        out.writeDouble(distance.longitude);
        distance.unit.writeTo(out);
        out.writeEnum(distance.aggregate);
      }
      case TermStatistics terms -> {
        start(out, 6);
        terms.modifiers.writeTo(out);
        out.writeString(terms.field);
        out.writeVInt(terms.query);
        out.writeEnum(terms.statistic);
        out.writeEnum(terms.aggregate);
      }
      case Computed computed -> {
        start(out, 7);
        computed.modifiers.writeTo(out);
        out.writeString(computed.source);
        out.writeList(computed.inputs);
      }
      case Scripted scripted -> {
        start(out, 8);
        scripted.modifiers.writeTo(out);
        scripted.script.writeTo(out);
      }
      case Vector vector -> {
        start(out, 9);
        vector.modifiers.writeTo(out);
        out.writeString(vector.field);
        out.writeFloatArray(vector.vector);
        out.writeEnum(vector.similarity);
      }
    }
  }

  private void start(StreamOutput out, int kind) throws IOException {
    out.writeByte((byte) kind);
    out.writeString(name());
  }

  static BoundFeature read(StreamInput in) throws IOException {
    byte kind = in.readByte();
    String name = in.readString();
    return switch (kind) {
      case 0 -> new Unused(name);
      case 1 -> new Constant(name, in.readFloat());
      case 2 -> new FirstPassScore(name, new Modifiers(in));
      case 3 -> new FieldValue(name, new Modifiers(in), in.readString(), FieldReading.read(in));
      case 4 -> new QueryScore(name, new Modifiers(in), in.readVInt());
      case 5 ->
          new Distance(
              name,
              new Modifiers(in),
              in.readString(),
              in.readDouble(),
              in.readDouble(),
              DistanceUnit.readFromStream(in),
              in.readEnum(Aggregate.class));
      case 6 ->
          new TermStatistics(
              name,
              new Modifiers(in),
              in.readString(),
              in.readVInt(),
              in.readEnum(TermStatistic.class),
              in.readEnum(Aggregate.class));
      case 7 -> new Computed(name, new Modifiers(in), in.readString(), in.readList(Input::read));
      case 8 -> new Scripted(name, new Modifiers(in), new Script(in));
      case 9 ->
          new Vector(
              name,
              new Modifiers(in),
              in.readString(),
              in.readFloatArray(),
              in.readEnum(VectorSimilarity.class));
      default -> throw new IOException("unknown kind of bound feature: " + kind);
    };
  }
}

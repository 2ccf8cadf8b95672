package io.quickscorer.plugin.feature;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * One feature of a {@link FeatureSet}: where its value comes from, one closed kind each. Immutable.
 */
public sealed interface FeatureDefinition extends ToXContentObject, Writeable {
  /** Longest name, in characters. */
  int MAX_NAME_LENGTH = 256;

  /** The feature's name, unique in its set. */
  String name();

  /** The value of a document that has none: NaN or a finite number. */
  float missing();

  /** The kind's name in JSON and on the wire. */
  String type();

  /** Reads what {@link #writeTo} wrote. */
  static FeatureDefinition read(StreamInput in) throws IOException {
    String type = in.readString();
    String name = in.readString();
    float missing = in.readFloat();
    return switch (type) {
      case OfQuery.TYPE -> new OfQuery(name, missing, new QueryTemplate(in.readString()));
      case OfField.TYPE -> new OfField(name, missing, in.readString());
      case OfParam.TYPE -> new OfParam(name, missing, in.readString(), in.readOptionalFloat());
      case OfFirstPassScore.TYPE -> new OfFirstPassScore(name, missing);
      default -> throw new IOException("unknown type of feature [" + type + "]");
    };
  }

  @Override
  default void writeTo(StreamOutput out) throws IOException {
    out.writeString(type());
    out.writeString(name());
    out.writeFloat(missing());
    switch (this) {
      case OfQuery query -> out.writeString(query.template().source());
      case OfField field -> out.writeString(field.field());
      case OfParam param -> {
        out.writeString(param.param());
        out.writeOptionalFloat(param.absent());
      }
      case OfFirstPassScore ignored -> {}
    }
  }

  @Override
  default XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    builder.startObject().field("name", name()).field("type", type());
    switch (this) {
      case OfQuery query -> builder.field("query", query.template().toXContentValue());
      case OfField field -> builder.field("field", field.field());
      case OfParam param -> {
        builder.field("param", param.param());
        if (param.absent() != null) {
          builder.field("default", param.absent());
        }
      }
      case OfFirstPassScore ignored -> {}
    }
    if (!Float.isNaN(missing())) {
      builder.field("missing", missing());
    }
    return builder.endObject();
  }

  /** The score of a query, a template over the request's parameters; no match is missing. */
  record OfQuery(String name, float missing, QueryTemplate template) implements FeatureDefinition {
    static final String TYPE = "query";

    @Override
    public String type() {
      return TYPE;
    }
  }

  /** A numeric, date or boolean field's doc value, the least of several; no value is missing. */
  record OfField(String name, float missing, String field) implements FeatureDefinition {
    static final String TYPE = "field";

    @Override
    public String type() {
      return TYPE;
    }
  }

  /**
   * A number or boolean of the request, the same for all its documents; null is missing.
   *
   * @param absent the value where neither the request nor the set's default parameters have the
   *     parameter; null makes that an error
   */
  record OfParam(String name, float missing, String param, @Nullable Float absent)
      implements FeatureDefinition {
    static final String TYPE = "param";

    @Override
    public String type() {
      return TYPE;
    }

    /**
     * The value for a request.
     *
     * @throws IllegalArgumentException if the parameter is absent or no number
     */
    float value(Map<String, Object> params) {
      if (!params.containsKey(param)) {
        if (absent == null) {
          throw new IllegalArgumentException("parameter [" + param + "] has no value");
        }
        return absent;
      }
      return switch (params.get(param)) {
        case null -> missing;
        case Number number -> number.floatValue();
        case Boolean bool -> bool ? 1 : 0;
        default ->
            throw new IllegalArgumentException(
                "parameter [" + param + "] must be a number or a boolean");
      };
    }
  }

  /** The score a hit has when it reaches the rescorer. */
  record OfFirstPassScore(String name, float missing) implements FeatureDefinition {
    static final String TYPE = "first_pass_score";

    @Override
    public String type() {
      return TYPE;
    }
  }
}

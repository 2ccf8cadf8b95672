// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.ParseField;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ConstructingObjectParser;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;

/**
 * Another name for a model, which can be moved to another model and back.
 *
 * @param name what searches say
 * @param model the name of the model they get
 * @param previous the model they got before the last move, or null if there was none
 */
public record ModelAlias(String name, String model, @Nullable String previous)
    implements Writeable, ToXContentObject {
  private static final ConstructingObjectParser<ModelAlias, Void> PARSER = parser();

  private static ConstructingObjectParser<ModelAlias, Void> parser() {
    ConstructingObjectParser<ModelAlias, Void> parser =
        new ConstructingObjectParser<>(
            "alias", true, a -> new ModelAlias((String) a[0], (String) a[1], (String) a[2]));
    parser.declareString(ConstructingObjectParser.constructorArg(), new ParseField("name"));
    parser.declareString(ConstructingObjectParser.constructorArg(), new ParseField("model"));
    parser.declareString(
        ConstructingObjectParser.optionalConstructorArg(), new ParseField("previous"));
    return parser;
  }

  public ModelAlias(StreamInput in) throws IOException {
    this(in.readString(), in.readString(), in.readOptionalString());
  }

  static ModelAlias fromXContent(XContentParser parser) {
    return PARSER.apply(parser, null);
  }

  /**
   * Reads the body of a move, {@code {"model": "name"}}.
   *
   * @throws IllegalArgumentException (400) naming what is wrong with it
   */
  public static String parseTarget(@Nullable MediaType type, BytesReference body) {
    return Json.parse(
        type,
        body,
        parser -> {
          String model = null;
          while (parser.nextToken() == XContentParser.Token.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            if (!field.equals("model")) {
              throw Json.unknown("body", field);
            }
            model = ResourceNames.check("model", Json.string(parser, field));
          }
          if (model == null) {
            throw new IllegalArgumentException("body: [model] is missing");
          }
          return model;
        });
  }

  /** The alias moved to a model; moving it to where it is changes nothing. */
  public ModelAlias movedTo(String target) {
    return target.equals(model) ? this : new ModelAlias(name, target, model);
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    out.writeString(name);
    out.writeString(model);
    out.writeOptionalString(previous);
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    builder.startObject().field("name", name).field("model", model);
    if (previous != null) {
      builder.field("previous", previous);
    }
    return builder.endObject();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.door.Shape;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.ParseField;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.ConstructingObjectParser;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;

/**
 * A name that points to one model, or to several models among which the searches are divided. An
 * alias can be moved to other models, and back to the previous ones.
 *
 * @param name the name that searches use
 * @param target the models to which the alias points
 * @param previous the models before the last move, or null if the alias was never moved
 */
public record ModelAlias(String name, Shares target, @Nullable Shares previous)
    implements WireRecord, ToXContentObject {
  private static final String MODEL = "model";
  private static final String MODELS = "models";
  private static final String PREVIOUS = "previous";
  private static final String PREVIOUS_MODELS = "previous_models";
  private static final ConstructingObjectParser<ModelAlias, Void> PARSER = parser();

  private static ConstructingObjectParser<ModelAlias, Void> parser() {
    ConstructingObjectParser<ModelAlias, Void> parser =
        new ConstructingObjectParser<>(
            "alias",
            true,
            a -> new ModelAlias((String) a[0], shares(a[1], a[3]), nullable(a[2], a[4])));
    parser.declareString(ConstructingObjectParser.constructorArg(), new ParseField("name"));
    parser.declareString(ConstructingObjectParser.constructorArg(), new ParseField(MODEL));
    parser.declareString(
        ConstructingObjectParser.optionalConstructorArg(), new ParseField(PREVIOUS));
    for (String shared : new String[] {MODELS, PREVIOUS_MODELS}) {
      parser.declareObject(
          ConstructingObjectParser.optionalConstructorArg(),
          (json, nothing) -> Shares.read(Door.within(json)),
          new ParseField(shared));
    }
    return parser;
  }

  private static Shares shares(Object model, @Nullable Object shared) {
    return shared == null ? Shares.all((String) model) : (Shares) shared;
  }

  private static @Nullable Shares nullable(@Nullable Object model, @Nullable Object shared) {
    return model == null ? null : shares(model, shared);
  }

  /** Creates an alias of one model; {@code previous} is the model before it, null for none. */
  public ModelAlias(String name, String model, @Nullable String previous) {
    this(name, Shares.all(model), previous == null ? null : Shares.all(previous));
  }

  static ModelAlias fromXContent(XContentParser parser) {
    return PARSER.apply(parser, null);
  }

  /** Returns the name of the model that gets the largest share of the searches. */
  public String model() {
    return target.main();
  }

  /**
   * Reads the body of a request that moves an alias: {@code {"model": "name"}} or {@code {"models":
   * {"name": share}}}.
   *
   * @throws IllegalArgumentException (400) if the body is not valid
   */
  public static Shares parseTarget(
      @Nullable MediaType type, BytesReference body, MemoryCharge memory) {
    return Door.body(type, body, memory, in -> MOVE.read(in, new Move()).target());
  }

  private static final Shape<Move> MOVE =
      new Shape<Move>()
          .text(MODEL, (move, model) -> move.to(Shares.all(ResourceNames.check(MODEL, model))))
          .object(MODELS, Shares.MAX_MODELS, (move, in) -> move.to(Shares.read(in)));

  private static final class Move {
    private @Nullable Shares target;

    private void to(Shares shares) {
      if (target != null) {
        throw new IllegalArgumentException(
            "body: found [model] and [models], expected one of them");
      }
      target = shares;
    }

    private Shares target() {
      if (target == null) {
        throw new IllegalArgumentException("body: [model] or [models] is missing");
      }
      return target;
    }
  }

  /** Returns a copy that points to other models, or this alias if the models are equal. */
  public ModelAlias movedTo(Shares other) {
    return other.equals(target) ? this : new ModelAlias(name, other, target);
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    return fields(builder.startObject()).endObject();
  }

  /**
   * Writes the alias as fields of a JSON object. The field {@code shares} is written only if the
   * alias points to several models.
   */
  public XContentBuilder fields(XContentBuilder builder) throws IOException {
    builder.field("name", name).field(MODEL, target.main());
    if (target.isShared()) {
      builder.field(MODELS, target.models());
    }
    if (previous != null) {
      builder.field(PREVIOUS, previous.main());
      if (previous.isShared()) {
        builder.field(PREVIOUS_MODELS, previous.models());
      }
    }
    return builder;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.io.IOException;
import java.util.List;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * A feature: a number that is computed from a field's doc values. The reading defines how. A
 * document without a value has no number.
 */
public record FieldFeature(String name, Modifiers modifiers, String field, FieldReading reading)
    implements FeatureDefinition {
  static final String TYPE = "field";

  static final FeatureKind KIND =
      new FeatureKind(TYPE, FieldFeature::parse, List.of(Bound.class, DistanceFeature.Bound.class));

  private static FeatureDefinition parse(String name, Modifiers modifiers, Options options) {
    return options.has(DistanceFeature.FROM)
        ? DistanceFeature.parse(name, modifiers, options)
        : new FieldFeature(
            name, modifiers, options.string("field"), FieldReading.parse(modifiers, options));
  }

  /** Returns this feature with a different reading of its field. */
  public FieldFeature with(FieldReading other) {
    return new FieldFeature(name, modifiers, field, other);
  }

  @Override
  public boolean isCategorical() {
    return !(reading instanceof FieldReading.Numbers) && modifiers.normalizers().isEmpty();
  }

  @Override
  public void tell(FeatureUses uses) {
    uses.field(field, true);
  }

  @Override
  public String type() {
    return TYPE;
  }

  @Override
  public void optionsToXContent(XContentBuilder builder) throws IOException {
    builder.field("field", field);
    reading.toXContent(builder);
  }

  @Override
  public BoundFeature bind(RequestBinding request) {
    if (reading instanceof FieldReading.ModelCategories) {
      throw new IllegalArgumentException(
          "[categories] is [model], but no model has a list of categories for the feature");
    }
    return new Bound(name, modifiers, field, reading);
  }

  /** The feature after it is bound to a request. */
  record Bound(String name, Modifiers modifiers, String field, FieldReading reading)
      implements BoundFeature {
    @Override
    public ShardFeature onShard(ShardBinding shard) {
      return ShardFeature.of(FieldValues.of(field, reading, shard), modifiers);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * A feature whose value is one of the request's parameters, a number or boolean. All documents have
 * the same value. If the parameter is null, the value is missing.
 *
 * @param absent the value if neither the request nor the set's default parameters contain the
 *     parameter; null if such a request is an error
 */
record ParamFeature(String name, Modifiers modifiers, String param, @Nullable Float absent)
    implements FeatureDefinition {
  static ParamFeature parse(String name, Modifiers modifiers, Options options) {
    return new ParamFeature(
        name, modifiers, options.string("param"), absent(options.take("default")));
  }

  private static @Nullable Float absent(@Nullable Object value) {
    if (value == null) {
      return null;
    }
    float number =
        switch (value) {
          case Number n -> n.floatValue();
          case Boolean bool -> bool ? 1 : 0;
          default -> Float.NaN;
        };
    if (!Float.isFinite(number)) {
      throw new IllegalArgumentException("[default] must be a finite number");
    }
    return number;
  }

  @Override
  public void optionsToXContent(XContentBuilder builder) throws IOException {
    builder.field("param", param);
    if (absent != null) {
      builder.field("default", absent);
    }
  }

  @Override
  public BoundFeature bind(RequestBinding request) {
    return new BoundFeature.Constant(name, value(request.params()));
  }

  /**
   * Returns the feature's value for the parameters of a request.
   *
   * @throws IllegalArgumentException if the parameter is absent or not a number
   */
  public float value(Map<String, Object> params) {
    return modifiers.apply(
        absent != null && !params.containsKey(param)
            ? absent
            : RequestBinding.number(params, param));
  }
}

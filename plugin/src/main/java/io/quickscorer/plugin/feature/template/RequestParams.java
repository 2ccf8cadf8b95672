// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.template;

import java.util.List;
import java.util.Map;
import org.opensearch.common.geo.GeoPoint;
import org.opensearch.common.geo.GeoUtils;

/** Reads a request's parameters as values of a given type; error messages name the parameter. */
public final class RequestParams {
  private RequestParams() {}

  /**
   * Returns a parameter as a number: 1 for true, 0 for false, NaN for null.
   *
   * @throws IllegalArgumentException if the parameter is absent or has a different type
   */
  public static double number(Map<String, Object> params, String name) {
    return switch (required(params, name)) {
      case null -> Double.NaN;
      case Number number -> number.doubleValue();
      case Boolean bool -> bool ? 1 : 0;
      default ->
          throw new IllegalArgumentException(
              "parameter [" + name + "] must be a number or a boolean");
    };
  }

  /**
   * Returns a parameter as a geographic point, in any form that geo queries accept.
   *
   * @throws IllegalArgumentException if the parameter is absent or not a point
   */
  public static GeoPoint point(Map<String, Object> params, String name) {
    Object value = required(params, name);
    RuntimeException cause = null;
    try {
      if (value != null) {
        GeoPoint point = GeoUtils.parseGeoPoint(value, true);
        if (GeoUtils.isValidLatitude(point.lat()) && GeoUtils.isValidLongitude(point.lon())) {
          return point;
        }
      }
    } catch (RuntimeException e) {
      cause = e;
    }
    throw new IllegalArgumentException("parameter [" + name + "] must be a geo point", cause);
  }

  /**
   * Returns a parameter as an array of finite numbers, not empty.
   *
   * @throws IllegalArgumentException if the parameter is absent or is not such an array
   */
  public static float[] vector(Map<String, Object> params, String name) {
    if (required(params, name) instanceof List<?> list && !list.isEmpty()) {
      float[] vector = new float[list.size()];
      boolean finite = true;
      for (int i = 0; i < vector.length; i++) {
        vector[i] = list.get(i) instanceof Number number ? number.floatValue() : Float.NaN;
        finite &= Float.isFinite(vector[i]);
      }
      if (finite) {
        return vector;
      }
    }
    throw new IllegalArgumentException(
        "parameter [" + name + "] must be an array of finite numbers");
  }

  @SuppressWarnings(
      "NullAway") // a parameter may be null in JSON, which a map's type cannot express
  private static Object required(Map<String, Object> params, String name) {
    if (!params.containsKey(name)) {
      throw new IllegalArgumentException("parameter [" + name + "] has no value");
    }
    return params.get(name);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.io.IOException;
import org.opensearch.common.geo.GeoDistance;
import org.opensearch.common.geo.GeoPoint;
import org.opensearch.common.unit.DistanceUnit;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.fielddata.IndexGeoPointFieldData;
import org.opensearch.index.fielddata.MultiGeoPointValues;

/**
 * A feature: the distance on a sphere from a document's {@code geo_point} field to a point in the
 * request. A document without a point has no value. Its JSON has the type {@code field} and the
 * option {@code distance_from}.
 *
 * @param param the name of the request's parameter with the point, in any form that geo queries
 *     read
 * @param aggregate combines the distances if a document has several points
 */
record DistanceFeature(
    String name,
    Modifiers modifiers,
    String field,
    String param,
    DistanceUnit unit,
    Aggregate aggregate)
    implements FeatureDefinition {
  static final String FROM = "distance_from";

  static DistanceFeature parse(String name, Modifiers modifiers, Options options) {
    return new DistanceFeature(
        name,
        modifiers,
        options.string("field"),
        options.string(FROM),
        unit(options),
        FieldFeature.Reading.mode(modifiers, options));
  }

  private static DistanceUnit unit(Options options) {
    if (!options.has("unit")) {
      return DistanceUnit.METERS;
    }
    String unit = options.string("unit");
    try {
      return DistanceUnit.fromString(unit);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("[unit] must be a unit of length such as m, km or mi", e);
    }
  }

  @Override
  public void tell(Uses uses) {
    uses.field(field, true);
  }

  @Override
  public String type() {
    return FeatureKinds.type(FieldFeature.class);
  }

  @Override
  public void optionsToXContent(XContentBuilder builder) throws IOException {
    builder.field("field", field).field(FROM, param).field("unit", unit.toString());
    builder.field("mode", EnumNames.of(aggregate));
  }

  @Override
  public BoundFeature bind(RequestBinding request) {
    GeoPoint origin = request.point(param);
    return new Bound(name, modifiers, field, origin.lat(), origin.lon(), unit, aggregate);
  }

  record Bound(
      String name,
      Modifiers modifiers,
      String field,
      double latitude,
      double longitude,
      DistanceUnit unit,
      Aggregate aggregate)
      implements BoundFeature {
    @Override
    public ShardFeature onShard(ShardBinding shard) {
      IndexGeoPointFieldData points =
          FieldValues.data(field, IndexGeoPointFieldData.class, "a geo_point", shard);
      return ShardFeature.of(distances(points), modifiers);
    }

    private ShardFeature.Source distances(IndexGeoPointFieldData points) {
      return (searcher, window, out) ->
          window.forEachSegment(
              searcher,
              (segment, from, to) -> {
                MultiGeoPointValues values = points.load(segment).getGeoPointValues();
                for (int i = from; i < to; i++) {
                  out[i] =
                      values.advanceExact(window.docs()[i] - segment.docBase)
                          ? distance(values)
                          : aggregate.ofNone();
                }
              });
    }

    private double distance(MultiGeoPointValues values) throws IOException {
      int count = values.docValueCount();
      double sum = aggregate.start();
      for (int v = 0; v < count; v++) {
        GeoPoint point = values.nextValue();
        double distance =
            GeoDistance.ARC.calculate(latitude, longitude, point.lat(), point.lon(), unit);
        sum = aggregate.add(sum, distance);
      }
      return aggregate.finish(sum, count);
    }
  }
}

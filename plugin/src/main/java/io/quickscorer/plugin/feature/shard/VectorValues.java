package io.quickscorer.plugin.feature.shard;

import io.quickscorer.plugin.feature.bound.BoundFeature;
import io.quickscorer.plugin.feature.window.Segments;
import java.util.Arrays;
import org.apache.lucene.index.BinaryDocValues;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.query.QueryShardContext;

/** Similarities of a {@code quickscorer_vector} field to a vector of the request. */
final class VectorValues {
  private VectorValues() {}

  static DocumentValues of(BoundFeature.Vector feature, QueryShardContext context) {
    MappedFieldType type = context.fieldMapper(feature.field());
    if (type == null) {
      throw new IllegalArgumentException("no field [" + feature.field() + "]");
    }
    if (!(type instanceof VectorFieldMapper.Type vectors)) {
      throw new IllegalArgumentException(
          "field ["
              + feature.field()
              + "] is of type ["
              + type.typeName()
              + "], expected "
              + VectorFieldMapper.TYPE);
    }
    float[] wanted = feature.vector();
    if (vectors.dimension() != wanted.length) {
      throw new IllegalArgumentException(
          "field ["
              + feature.field()
              + "] has dimension "
              + vectors.dimension()
              + ", the request's vector "
              + wanted.length);
    }
    String field = type.name();
    return (searcher, window, out) -> {
      float[] vector = new float[wanted.length];
      Arrays.fill(out, Double.NaN);
      Segments.forEach(
          searcher,
          window,
          (segment, from, to) -> {
            BinaryDocValues values = segment.reader().getBinaryDocValues(field);
            for (int i = from; values != null && i < to; i++) {
              if (values.advanceExact(window.docs()[i] - segment.docBase)) {
                VectorFieldMapper.decode(values.binaryValue(), vector);
                out[i] = feature.similarity().of(wanted, vector);
              }
            }
          });
    };
  }
}

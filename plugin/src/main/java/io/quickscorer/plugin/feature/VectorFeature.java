// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * A feature whose value is the similarity of a document's vector to a vector in the request. The
 * document's vector is in a field of this plugin's type or the k-NN plugin's type.
 *
 * @param param the name of the request's parameter with the vector, an array of numbers
 */
record VectorFeature(
    String name, Modifiers modifiers, String field, String param, VectorSimilarity similarity)
    implements FeatureDefinition {
  static VectorFeature parse(String name, Modifiers modifiers, Options options) {
    return new VectorFeature(
        name,
        modifiers,
        options.string("field"),
        options.string("param"),
        options.choice("similarity", VectorSimilarity.class, null));
  }

  @Override
  public void tell(Uses uses) {
    uses.field(field, false);
  }

  @Override
  public void optionsToXContent(XContentBuilder builder) throws IOException {
    builder.field("field", field).field("param", param);
    builder.field("similarity", EnumNames.of(similarity));
  }

  @Override
  public BoundFeature bind(RequestBinding request) {
    return new Bound(name, modifiers, field, request.vector(param), similarity);
  }

  @SuppressWarnings("ArrayRecordComponent") // equals compares the contents
  record Bound(
      String name, Modifiers modifiers, String field, float[] vector, VectorSimilarity similarity)
      implements BoundFeature {
    @Override
    public ShardFeature onShard(ShardBinding shard) {
      StoredVectors vectors = StoredVectors.of(shard.fieldOfHit(field), shard.context());
      similarity.check(vectors);
      vectors.check(vector);
      return ShardFeature.of(similarities(vectors), modifiers);
    }

    private ShardFeature.Source similarities(StoredVectors vectors) {
      return (searcher, window, out) -> {
        float[] other = new float[vector.length];
        Arrays.fill(out, Double.NaN);
        window.forEachSegment(
            searcher,
            (segment, from, to) -> {
              StoredVectors.Reader reader = vectors.open(segment.reader(), vector.length);
              for (int i = from; i < to; i++) {
                if (reader.read(window.docs()[i] - segment.docBase, other)) {
                  out[i] = similarity.of(vector, other);
                }
              }
            });
      };
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Bound that
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
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.wire.Wire;
import io.quickscorer.plugin.wire.WireRecord;
import io.quickscorer.scorer.EnsembleScorer;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * A response with data on each feature of one model.
 *
 * @param <F> the data on a feature
 */
final class FeaturesResponse<F extends Writeable & ToXContentObject> extends ActionResponse
    implements ToXContentObject {
  /** Estimated number of bytes per feature, for its data and its part of the response. */
  private static final long ROW_BYTES = 512;

  private final ModelId id;
  private final List<F> features;

  FeaturesResponse(ModelId id, List<F> features) {
    this.id = id;
    this.features = List.copyOf(features);
  }

  FeaturesResponse(StreamInput in, Writeable.Reader<F> feature) throws IOException {
    super(in);
    Wire.head(in);
    id = WireRecord.read(in, ModelId.class);
    features = in.readList(feature);
  }

  /** Sends a response on a model's features; the response's memory is charged until it is sent. */
  static <F extends Writeable & ToXContentObject> void answer(
      ModelId id,
      EnsembleScorer scorer,
      ModelBreaker breaker,
      Supplier<List<F>> features,
      ActionListener<FeaturesResponse<F>> listener) {
    long bytes = ROW_BYTES * scorer.ensemble().shape().features();
    try (MemoryCharge ignored = breaker.reserve(bytes, "<features of model " + id + ">")) {
      ActionListener.completeWith(listener, () -> new FeaturesResponse<>(id, features.get()));
    }
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    Wire.head(out);
    id.writeTo(out);
    out.writeList(features);
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    builder.startObject().field("name", id.name()).field("version", id.version());
    builder.startArray("features");
    for (F feature : features) {
      feature.toXContent(builder, params);
    }
    return builder.endArray().endObject();
  }
}

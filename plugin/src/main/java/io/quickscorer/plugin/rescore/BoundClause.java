package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.feature.BoundFeatures;
import io.quickscorer.plugin.model.ModelId;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;

/**
 * What the coordinating node made of a clause for all shards alike. Immutable.
 *
 * @param model the pinned version, or null if features are only logged
 * @param features the features with the request's parameters put in
 * @param nonce tells this request's logged rows from those of others; null if nothing is logged
 */
record BoundClause(@Nullable ModelId model, BoundFeatures features, @Nullable String nonce)
    implements Writeable {
  BoundClause(StreamInput in) throws IOException {
    this(in.readOptionalWriteable(ModelId::new), new BoundFeatures(in), in.readOptionalString());
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    out.writeOptionalWriteable(model);
    features.writeTo(out);
    out.writeOptionalString(nonce);
  }
}

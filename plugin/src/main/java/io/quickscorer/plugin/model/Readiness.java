// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.List;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * Whether a node can score with all models that searches may name, and what is missing.
 *
 * @param waitingFor the condition for loading models; empty if it is met
 * @param models number of models
 * @param loading models that are still loading, those that searches wait for first
 * @param failed models that failed repeatedly, and that the node loads again later; the node is
 *     ready without them
 */
public record Readiness(String waitingFor, int models, List<Loading> loading, List<Failed> failed)
    implements WireRecord, ToXContentFragment {
  /**
   * A model that is not loaded yet.
   *
   * @param compiledShare how far compiling got, 0 to 1
   * @param searches how many shards' searches wait for it here
   */
  public record Loading(String name, double compiledShare, int searches) implements WireRecord {}

  /**
   * A model that could not be loaded.
   *
   * @param reason why
   */
  public record Failed(String name, String reason) implements WireRecord {}

  /** Returns the readiness of a node that does not have the list of models yet. */
  public static Readiness waitingFor(String what) {
    return new Readiness(what, 0, List.of(), List.of());
  }

  /** Returns whether the node has nothing to wait for. */
  public boolean ready() {
    return waitingFor.isEmpty() && loading.isEmpty();
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    builder.field("ready", ready());
    if (!waitingFor.isEmpty()) {
      return builder.field("waiting_for", waitingFor);
    }
    builder.field("models", models).field("loaded", models - loading.size() - failed.size());
    builder.startArray("loading");
    for (Loading model : loading) {
      builder.startObject().field("name", model.name);
      builder
          .field("compiled_share", model.compiledShare)
          .field("searches_waiting", model.searches);
      builder.endObject();
    }
    builder.endArray().startArray("failed");
    for (Failed model : failed) {
      builder.startObject().field("name", model.name).field("reason", model.reason).endObject();
    }
    return builder.endArray();
  }
}

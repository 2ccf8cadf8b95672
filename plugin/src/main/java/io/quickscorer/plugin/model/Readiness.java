// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.List;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * Tells whether a node can score with all models, and which models are still loading or have
 * failed.
 *
 * @param waitingFor a description of the condition for which the node waits before it loads models;
 *     empty if it does not wait
 * @param models the number of models
 * @param loading the models that are still loading; those for which searches wait come first
 * @param failed the models that failed repeatedly; the node is ready without them, and loads them
 *     again later
 */
public record Readiness(String waitingFor, int models, List<Loading> loading, List<Failed> failed)
    implements WireRecord, ToXContentFragment {
  /**
   * A model that is not loaded yet on a node.
   *
   * @param name the model's name
   * @param compiledShare the fraction of the model that is compiled, 0 to 1
   * @param searches the number of searches on the node's shards that wait for the model
   */
  public record Loading(String name, double compiledShare, int searches) implements WireRecord {}

  /** A model that a node could not load, and the reason of the last failure. */
  public record Failed(String name, String reason) implements WireRecord {}

  /**
   * Returns the readiness of a node that waits for a condition, described by a text, before it
   * loads models.
   */
  public static Readiness waitingFor(String what) {
    return new Readiness(what, 0, List.of(), List.of());
  }

  /**
   * Returns whether the node can score with all models except those that failed. It can if it is
   * not waiting for a condition and not loading a model.
   */
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

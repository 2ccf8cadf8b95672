// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import org.opensearch.core.xcontent.XContentBuilder;

/**
 * A feature whose value is a hit's score by the search's own query, before the model ranks the hit.
 */
record FirstPassScoreFeature(String name, Modifiers modifiers) implements FeatureDefinition {
  @Override
  public void optionsToXContent(XContentBuilder builder) {}

  @Override
  public BoundFeature bind(RequestBinding request) {
    return new Bound(name, modifiers);
  }

  record Bound(String name, Modifiers modifiers) implements BoundFeature {
    @Override
    public ShardFeature onShard(ShardBinding shard) {
      return (extraction, target) -> {
        float[] scores = extraction.window().scores();
        System.arraycopy(scores, 0, target.values(), target.start(), scores.length);
        modifiers.apply(target.values(), target.start(), scores.length);
      };
    }
  }
}

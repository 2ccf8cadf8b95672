// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.wire.WireRecord;
import java.util.Arrays;
import org.opensearch.core.common.io.stream.NamedWriteable;

/**
 * A feature, bound to one request's parameters. Immutable. On the wire it is identified by its
 * name.
 */
public interface BoundFeature extends NamedWriteable, WireRecord {
  String name();

  /** Places in the set of the features that must be computed before this one. */
  default int[] inputs() {
    return new int[0];
  }

  /**
   * Returns the place of the feature's query among the request's queries, or -1 if it is not a
   * query.
   */
  default int query() {
    return -1;
  }

  /** Returns how many columns of doubles {@link ShardFeature#fill} needs for itself. */
  default int ownColumns() {
    return 0;
  }

  /**
   * Creates the object that fills the feature's column on a shard.
   *
   * @throws RuntimeException if the feature does not fit the index
   */
  ShardFeature onShard(ShardBinding shard);

  /** Not needed for this request: no split tests it and nothing is logged. */
  record Unused(String name) implements BoundFeature {
    public static final String NAME = "unused";

    @Override
    public String getWriteableName() {
      return NAME;
    }

    @Override
    public ShardFeature onShard(ShardBinding shard) {
      return constant(Float.NaN);
    }
  }

  /** A value that is equal for all documents of the request. */
  record Constant(String name, float value) implements BoundFeature {
    public static final String NAME = "constant";

    @Override
    public String getWriteableName() {
      return NAME;
    }

    @Override
    public ShardFeature onShard(ShardBinding shard) {
      return constant(value);
    }
  }

  private static ShardFeature constant(float value) {
    return (extraction, target) ->
        Arrays.fill(
            target.values(), target.start(), target.start() + extraction.window().size(), value);
  }
}

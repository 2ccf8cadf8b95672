// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.wire.WireRecord;
import java.util.Arrays;
import org.opensearch.core.common.io.stream.NamedWriteable;

/** A feature with one request's parameters put in. Immutable. On the wire it goes by its name. */
public interface BoundFeature extends NamedWriteable, WireRecord {
  String name();

  /** Places in the set of the features that must be computed before this one. */
  default int[] inputs() {
    return new int[0];
  }

  /** The place of its query among the request's queries, or -1 if it is not made of one. */
  default int query() {
    return -1;
  }

  /** Columns of doubles that {@link ShardFeature#fill} takes for itself. */
  default int ownColumns() {
    return 0;
  }

  /**
   * Makes what fills the feature's column on a shard.
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

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.wire.WireRecord;
import java.util.Arrays;
import org.opensearch.core.common.io.stream.NamedWriteable;

/**
 * A feature after it is bound to one request's parameters. Immutable. {@code getWriteableName}
 * identifies its class in messages between nodes.
 */
public interface BoundFeature extends NamedWriteable, WireRecord {
  String name();

  @Override
  default String getWriteableName() {
    return wireName(getClass());
  }

  /** Returns the name of a class of bound features on the wire. */
  static String wireName(Class<? extends BoundFeature> type) {
    return type.getName().substring(type.getPackageName().length() + 1);
  }

  /**
   * Returns the indices, in the feature set, of the features that must be computed before this one.
   */
  default int[] inputs() {
    return new int[0];
  }

  /**
   * Returns the index of the feature's query among the request's queries, or -1 if the feature is
   * not a query.
   */
  default int query() {
    return -1;
  }

  /**
   * Returns the number of temporary columns of doubles that {@link ShardFeature#fill} allocates.
   */
  default int ownColumns() {
    return 0;
  }

  /**
   * Creates the object that fills the feature's column on a shard.
   *
   * @throws RuntimeException if the feature does not fit the index's mapping
   */
  ShardFeature onShard(ShardBinding shard);

  /**
   * A feature that this request does not need: no split of the model tests it, and it is not
   * logged.
   */
  record Unused(String name) implements BoundFeature {
    @Override
    public ShardFeature onShard(ShardBinding shard) {
      return constant(Float.NaN);
    }
  }

  /** A feature with one value for all documents of the request. */
  record Constant(String name, float value) implements BoundFeature {
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

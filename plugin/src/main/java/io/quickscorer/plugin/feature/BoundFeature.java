// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.wire.WireRecord;
import java.util.Arrays;
import org.opensearch.core.common.io.stream.NamedWriteable;

/**
 * A feature of one request, in which the request's parameters replace all placeholders. Immutable.
 * {@code getWriteableName} returns the name of the class in messages between nodes.
 */
public interface BoundFeature extends NamedWriteable, WireRecord {
  String name();

  @Override
  default String getWriteableName() {
    return wireName(getClass());
  }

  /** Returns the name of a class of bound features in messages between nodes. */
  static String wireName(Class<? extends BoundFeature> type) {
    return type.getName().substring(type.getPackageName().length() + 1);
  }

  /** Returns the indices, in the feature set, of the features that this one reads. */
  default int[] inputs() {
    return new int[0];
  }

  /**
   * Returns the index of this feature's query in {@link BoundFeatures#queries()}; -1 if it has
   * none.
   */
  default int query() {
    return -1;
  }

  /** Returns whether the feature reads the statistics of its query's terms. */
  default boolean readsTerms() {
    return false;
  }

  /**
   * Returns how many temporary arrays of doubles {@link ShardFeature#fill} allocates; each has one
   * element per hit.
   */
  default int ownColumns() {
    return 0;
  }

  /**
   * Creates the object that computes the feature's values for the hits on one shard.
   *
   * @throws RuntimeException if the feature does not fit the index's mapping
   */
  ShardFeature onShard(ShardBinding shard);

  /** A feature that is not computed: the model does not read it, and it is not logged. */
  record Unused(String name) implements BoundFeature {
    @Override
    public ShardFeature onShard(ShardBinding shard) {
      return constant(Float.NaN);
    }
  }

  /** A feature that has one value for all documents of a request. */
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

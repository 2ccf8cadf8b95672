// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.feature.EnumNames;

/** The hits that a clause ranks together: those of one shard, or of all shards. */
public enum Scope {
  /** Each shard ranks its own best hits; then the hits of all shards are sorted by score. */
  SHARD,
  /** The best hits of all shards are ranked together, as if there were one shard. */
  GLOBAL;

  /**
   * Returns the scope with a name, such as {@code global}.
   *
   * @throws IllegalArgumentException (400) if no scope has this name
   */
  public static Scope of(String label) {
    Scope scope = EnumNames.find(Scope.class, label);
    if (scope == null) {
      throw new IllegalArgumentException("expected shard or global, not [" + label + "]");
    }
    return scope;
  }
}

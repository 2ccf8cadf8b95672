// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

/**
 * Where else counts go than into this node's statistics, by the model's name. Called for each
 * window; safe for use by several threads.
 */
public interface Metrics {
  /** Nowhere. */
  Metrics NONE =
      new Metrics() {
        @Override
        public void searched(String model) {}

        @Override
        public void scored(String model, int documents, long extractNanos, long scoreNanos) {}

        @Override
        public void failed(String model) {}

        @Override
        public void overBudget(String model) {}
      };

  /** A search was bound here. */
  void searched(String model);

  /** A shard's window was scored. */
  void scored(String model, int documents, long extractNanos, long scoreNanos);

  /** A shard's window failed. */
  void failed(String model);

  /** A shard's window took longer than its search allowed. */
  void overBudget(String model);
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

/**
 * A second destination for counts, besides this node's statistics. Called for each window; safe for
 * use by several threads.
 */
interface Metrics {
  /** Discards all counts. */
  Metrics NONE =
      new Metrics() {
        @Override
        public void add(Measure measure, String of, long number) {}

        @Override
        public void took(Measure.Part part, String model, long nanos) {}
      };

  /**
   * Adds to a counter.
   *
   * @param of name of the model or the pipeline; empty for neither
   */
  void add(Measure measure, String of, long number);

  /** Adds the time of a part of a model's window. */
  void took(Measure.Part part, String model, long nanos);
}

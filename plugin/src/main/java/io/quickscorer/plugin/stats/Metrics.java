// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

/**
 * A second destination for counts, in addition to this node's statistics. It is called for each
 * window. Safe for use by several threads.
 */
interface Metrics {
  /** Metrics that discard all counts. */
  Metrics NONE =
      new Metrics() {
        @Override
        public void add(Measure measure, String of, long number) {}

        @Override
        public void took(Measure.Part part, String model, long nanos) {}
      };

  /**
   * Adds a number to a counter.
   *
   * @param of the name of the model or the pipeline; empty if there is neither
   */
  void add(Measure measure, String of, long number);

  /** Records the time of a part of rescoring a window by a model, in nanoseconds. */
  void took(Measure.Part part, String model, long nanos);
}

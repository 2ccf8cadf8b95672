// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

/**
 * A second destination for counts, in addition to this node's statistics: the server's registry of
 * metrics. Called for each window. Safe for use by several threads.
 */
interface Metrics {
  /** Metrics that discard all counts. */
  Metrics NONE = new Metrics() {};

  /**
   * Adds a number to the counter of a measure.
   *
   * @param of the name of the model or the pipeline; empty if there is neither
   */
  default void add(Measure measure, String of, long number) {}

  /**
   * Records the time that a part of rescoring took for one window and model.
   *
   * @param nanos the time in nanoseconds
   */
  default void took(Measure.Part part, String model, long nanos) {}
}

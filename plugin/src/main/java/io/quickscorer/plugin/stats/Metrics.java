// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

/**
 * Receives the counts of this node's statistics, to pass them on to the server's registry of
 * metrics. Methods must be fast, because they are called for each list of hits that is scored. Safe
 * for use by several threads.
 */
interface Metrics {
  /** An instance that discards all counts. */
  Metrics NONE = new Metrics() {};

  /**
   * Adds a number to the counter of a measure.
   *
   * @param of the name of the model or pipeline to which the count belongs; empty for none
   */
  default void add(Measure measure, String of, long number) {}

  /** Records the time, in nanoseconds, of a part of rescoring, for a list of hits and a model. */
  default void took(Measure.Part part, String model, long nanos) {}
}

// SPDX-License-Identifier: Apache-2.0
/**
 * The statistics of each node: counters of models and searches, changes of features since training,
 * similarity of models' rankings, and readiness. Also the actions that show the statistics and the
 * importance of features.
 */
@NullMarked
package io.quickscorer.plugin.stats;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * The statistics of each node: counters of models and searches, drift from the training data,
 * agreement of models, and readiness; and the actions that show them and the importance of
 * features.
 */
@NullMarked
package io.quickscorer.plugin.stats;

import org.jspecify.annotations.NullMarked;

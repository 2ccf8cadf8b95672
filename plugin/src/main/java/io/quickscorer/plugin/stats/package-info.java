// SPDX-License-Identifier: Apache-2.0
/**
 * The counters of each node for its models and the searches that it rescored, drift from the
 * training data, importance of features, agreement of models, and whether nodes are ready for
 * searches; and the actions that show them.
 */
@NullMarked
package io.quickscorer.plugin.stats;

import org.jspecify.annotations.NullMarked;

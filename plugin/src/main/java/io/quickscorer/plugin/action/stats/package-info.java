// SPDX-License-Identifier: Apache-2.0
/** The counters of each node, drift from the training data, and importance of features. */
@NullMarked
package io.quickscorer.plugin.action.stats;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * The memory that requests take on a node: estimated and charged to a circuit breaker before it is
 * allocated, and bounded by settings. {@link io.quickscorer.plugin.memory.RequestBudget} is what a
 * search holds. Must not import the plugin's other packages.
 */
@NullMarked
package io.quickscorer.plugin.memory;

import org.jspecify.annotations.NullMarked;

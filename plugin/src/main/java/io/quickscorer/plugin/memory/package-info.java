// SPDX-License-Identifier: Apache-2.0
/**
 * Limits the memory of requests on a node. Memory is estimated and reserved at a circuit breaker
 * before it is allocated. Each search has a {@link io.quickscorer.plugin.memory.RequestBudget}.
 * This package must not import other packages of the plugin.
 */
@NullMarked
package io.quickscorer.plugin.memory;

import org.jspecify.annotations.NullMarked;

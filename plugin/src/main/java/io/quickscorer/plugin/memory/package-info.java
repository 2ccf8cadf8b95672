// SPDX-License-Identifier: Apache-2.0
/**
 * Limits the memory of requests on a node: estimated bytes are charged to a circuit breaker before
 * they are allocated. Each search has a {@link io.quickscorer.plugin.memory.RequestBudget}. This
 * package must not import other packages of the plugin.
 */
@NullMarked
package io.quickscorer.plugin.memory;

import org.jspecify.annotations.NullMarked;

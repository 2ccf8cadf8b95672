// SPDX-License-Identifier: Apache-2.0
/**
 * The memory of requests on a node. It is estimated and charged to a circuit breaker before it is
 * allocated, and settings bound it. A search holds a {@link
 * io.quickscorer.plugin.memory.RequestBudget}. Must not import the plugin's other packages.
 */
@NullMarked
package io.quickscorer.plugin.memory;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * The work of the coordinating node for a search with a clause: binding, time budgets,
 * interleaving, and a response with logged values and explanations. Search pipelines add the {@code
 * quickscorer} clause to searches that have none. Warm-up searches run before the searches of
 * users.
 */
@NullMarked
package io.quickscorer.plugin.rescore;

import org.jspecify.annotations.NullMarked;

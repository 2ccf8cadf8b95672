// SPDX-License-Identifier: Apache-2.0
/**
 * The part of a search with a {@code quickscorer} clause that runs on the coordinating node:
 * binding, time budgets, interleaving, and the response with logged values and explanations. Search
 * pipelines add the clause to searches that have none. Warm-up searches run before the searches of
 * users.
 */
@NullMarked
package io.quickscorer.plugin.rescore;

import org.jspecify.annotations.NullMarked;

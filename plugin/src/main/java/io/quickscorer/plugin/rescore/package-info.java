// SPDX-License-Identifier: Apache-2.0
/**
 * The part of the coordinating node in a search: binding, time budgets, interleaving, and the
 * answer with logged values, traces of clauses and explanations. Search pipelines add the {@code
 * quickscorer} clause to searches that have none; a node runs searches of its own before those of
 * its users.
 */
@NullMarked
package io.quickscorer.plugin.rescore;

import org.jspecify.annotations.NullMarked;

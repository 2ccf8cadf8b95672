// SPDX-License-Identifier: Apache-2.0
/**
 * The part of a search with a {@code quickscorer} clause that runs on the coordinating node. It
 * looks up the versions of the models, limits the time, and mixes the rankings of two models. It
 * adds logged values and explanations to the response. Search pipelines add the clause to searches
 * that have none. Warm-up searches run before the searches of users.
 */
@NullMarked
package io.quickscorer.plugin.rescore;

import org.jspecify.annotations.NullMarked;

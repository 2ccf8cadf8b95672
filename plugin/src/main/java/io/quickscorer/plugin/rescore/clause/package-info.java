// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code quickscorer} clause as data: what a request says, and what the coordinating node bound
 * it to.
 */
@NullMarked
package io.quickscorer.plugin.rescore.clause;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code quickscorer} clause as data: as the request has it, and as the coordinating node bound
 * it.
 */
@NullMarked
package io.quickscorer.plugin.rescore.clause;

import org.jspecify.annotations.NullMarked;

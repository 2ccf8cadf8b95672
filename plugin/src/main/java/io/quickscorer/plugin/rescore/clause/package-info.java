// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code quickscorer} clause as data: its fields in the request, and its form after the
 * coordinating node has bound it.
 */
@NullMarked
package io.quickscorer.plugin.rescore.clause;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** The part of the coordinating node in a search: binding, time budgets, interleaving. */
@NullMarked
package io.quickscorer.plugin.rescore.coordinator;

import org.jspecify.annotations.NullMarked;

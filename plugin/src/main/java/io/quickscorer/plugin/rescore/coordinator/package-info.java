// SPDX-License-Identifier: Apache-2.0
/** What the coordinating node does around a search: binding, time budgets, interleaving. */
@NullMarked
package io.quickscorer.plugin.rescore.coordinator;

import org.jspecify.annotations.NullMarked;

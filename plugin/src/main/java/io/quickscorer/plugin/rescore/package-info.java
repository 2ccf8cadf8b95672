// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code quickscorer} clause of a search: parsed and pinned on the coordinating node, run on
 * each shard.
 */
@NullMarked
package io.quickscorer.plugin.rescore;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code quickscorer} clause of a search. The coordinating node parses and pins it; each shard
 * runs it.
 */
@NullMarked
package io.quickscorer.plugin.rescore;

import org.jspecify.annotations.NullMarked;

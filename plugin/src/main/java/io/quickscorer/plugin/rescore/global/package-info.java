// SPDX-License-Identifier: Apache-2.0
/**
 * One ranking over all shards. The coordinating node scores the best hits of all shards together,
 * from their feature values, and orders them.
 */
@NullMarked
package io.quickscorer.plugin.rescore.global;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * One ranking over all shards, on the coordinating node: the best hits that the shards found, with
 * the values of their features, are scored together and put in order.
 */
@NullMarked
package io.quickscorer.plugin.rescore.global;

import org.jspecify.annotations.NullMarked;

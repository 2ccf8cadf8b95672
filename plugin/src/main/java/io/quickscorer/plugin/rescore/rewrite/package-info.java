// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code quickscorer} clause as the server rewrites it, from the request's text to what a shard
 * runs: one class for each state on the way.
 */
@NullMarked
package io.quickscorer.plugin.rescore.rewrite;

import org.jspecify.annotations.NullMarked;

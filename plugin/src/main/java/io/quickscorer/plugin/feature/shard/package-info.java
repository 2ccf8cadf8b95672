// SPDX-License-Identifier: Apache-2.0
/**
 * Fills the columns of a feature set on a shard. The scores of query features over a window are
 * computed without one scorer per feature; terms are read once.
 */
@NullMarked
package io.quickscorer.plugin.feature.shard;

import org.jspecify.annotations.NullMarked;

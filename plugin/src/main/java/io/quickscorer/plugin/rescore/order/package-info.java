// SPDX-License-Identifier: Apache-2.0
/**
 * The order of a shard's hits: as numbers that sort, and which stage of a clause each of them has
 * reached. Knows neither features nor models.
 */
@NullMarked
package io.quickscorer.plugin.rescore.order;

import org.jspecify.annotations.NullMarked;

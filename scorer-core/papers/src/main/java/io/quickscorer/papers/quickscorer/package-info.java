// SPDX-License-Identifier: Apache-2.0
/**
 * Relatives of QuickScorer: block by block, for trees of any size, and one document per byte
 * (RapidScorer).
 */
@NullMarked
package io.quickscorer.papers.quickscorer;

import org.jspecify.annotations.NullMarked;

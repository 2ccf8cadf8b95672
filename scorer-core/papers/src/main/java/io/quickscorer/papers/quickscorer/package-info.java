// SPDX-License-Identifier: Apache-2.0
/** Variants of QuickScorer: with small blocks of trees, for trees of any size, and RapidScorer. */
@NullMarked
package io.quickscorer.papers.quickscorer;

import org.jspecify.annotations.NullMarked;

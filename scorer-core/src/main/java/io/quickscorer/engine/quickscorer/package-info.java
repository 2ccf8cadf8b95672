// SPDX-License-Identifier: Apache-2.0
/**
 * The engines QuickScorer and vQS, which traverse an ensemble feature by feature. A bitvector
 * contains the leaves that a document may still reach. Each split whose test fails clears some of
 * them. Both engines compile ensembles to {@link io.quickscorer.engine.quickscorer.FalseNodes}. vQS
 * has one document per vector lane.
 */
@NullMarked
package io.quickscorer.engine.quickscorer;

import org.jspecify.annotations.NullMarked;

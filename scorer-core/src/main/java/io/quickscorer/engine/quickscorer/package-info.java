// SPDX-License-Identifier: Apache-2.0
/**
 * The engines QuickScorer and vQS, which traverse an ensemble feature by feature. Each split whose
 * test fails clears the leaves that it excludes from a bitvector. Both compile ensembles to {@link
 * io.quickscorer.engine.quickscorer.FalseNodes}. vQS has one document per vector lane.
 */
@NullMarked
package io.quickscorer.engine.quickscorer;

import org.jspecify.annotations.NullMarked;

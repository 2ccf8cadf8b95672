// SPDX-License-Identifier: Apache-2.0
/**
 * The best order of trees and documents for a machine. {@link
 * io.quickscorer.papers.plan.PlanSearch} finds the best plan for one batch size by guided sampling,
 * {@link io.quickscorer.papers.plan.PlannedBatches} scores batches of each size under a plan of
 * their own, prescribed or found. Plans never change a score.
 */
@NullMarked
package io.quickscorer.papers.plan;

import org.jspecify.annotations.NullMarked;

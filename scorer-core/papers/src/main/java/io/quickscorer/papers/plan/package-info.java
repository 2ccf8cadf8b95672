// SPDX-License-Identifier: Apache-2.0
/**
 * Finds the fastest order in which a machine processes trees and documents (a plan). {@link
 * io.quickscorer.papers.plan.PlanSearch} finds a plan for one batch size. {@link
 * io.quickscorer.papers.plan.PlannedBatches} compiles scorers with a plan for each batch size.
 * Plans never change a score.
 */
@NullMarked
package io.quickscorer.papers.plan;

import org.jspecify.annotations.NullMarked;

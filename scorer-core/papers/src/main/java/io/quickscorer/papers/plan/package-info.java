// SPDX-License-Identifier: Apache-2.0
/**
 * Searches the best order of trees and documents for a machine, through the contracts alone. {@link
 * io.quickscorer.papers.plan.PlanSearch} finds the best plan for one batch size by guided sampling, {@link
 * io.quickscorer.papers.plan.BatchPlanner} the best plans for all sizes among several engines. Plans never
 * change a score.
 */
@NullMarked
package io.quickscorer.papers.plan;

import org.jspecify.annotations.NullMarked;

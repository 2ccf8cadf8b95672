// SPDX-License-Identifier: Apache-2.0
/**
 * The search for the best order in which trees and documents meet on a machine, through the
 * contracts alone. {@link io.quickscorer.plan.PlanSearch} finds the best plan for one batch size by
 * guided sampling, {@link io.quickscorer.plan.BatchPlanner} those for all sizes among several
 * engines. Plans never change a score.
 */
@NullMarked
package io.quickscorer.plan;

import org.jspecify.annotations.NullMarked;

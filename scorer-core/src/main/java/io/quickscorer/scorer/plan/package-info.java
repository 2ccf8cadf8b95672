/**
 * The order in which trees and documents meet, and the search for the best one on a machine. {@link
 * io.quickscorer.scorer.plan.ScoringPlan} is the order as plain data, {@link
 * io.quickscorer.scorer.plan.PlannedScorer} follows it, {@link
 * io.quickscorer.scorer.plan.PlanSearch} finds it by guided sampling.
 */
@NullMarked
package io.quickscorer.scorer.plan;

import org.jspecify.annotations.NullMarked;

/**
 * The order in which trees and documents meet, and the search for the best one on a machine. {@link
 * io.quickscorer.scorer.plan.ScoringPlan} is an engine and its order as plain data, {@link
 * io.quickscorer.scorer.plan.BatchPlans} the plan for each batch size. {@link
 * io.quickscorer.scorer.plan.PlanSearch} finds the best plan for a size by guided sampling, {@link
 * io.quickscorer.scorer.plan.BatchPlanner} those for all sizes among several engines, and {@link
 * io.quickscorer.scorer.plan.PlannedScorer} follows one. Plans never change a score.
 */
@NullMarked
package io.quickscorer.scorer.plan;

import org.jspecify.annotations.NullMarked;

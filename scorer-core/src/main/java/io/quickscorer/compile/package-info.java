// SPDX-License-Identifier: Apache-2.0
/**
 * From an ensemble to what scores it: "why this engine?" is answered here and nowhere else. Entry
 * type: {@link io.quickscorer.compile.ScorerCompiler}. {@code Engines} is the table of engines,
 * {@code AlgorithmSelector} guesses the best ones from a model's shape, {@code AutoScorer} gives
 * each batch to the engine whose plan is in force for its size, and {@link
 * io.quickscorer.compile.WarmUp} runs engines before their first real batch.
 */
@NullMarked
package io.quickscorer.compile;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * Compiles ensembles into scorers. The only package that chooses engines. Entry type: {@link
 * io.quickscorer.compile.ScorerCompiler}. {@code Engines} is the table of engines, {@code
 * AlgorithmSelector} predicts the best ones from a model's shape, {@code AutoScorer} gives each
 * batch to the engine whose plan is active for its size, and {@link io.quickscorer.compile.WarmUp}
 * runs engines before their first real batch. Linear models are scored here, and columns that are
 * computed once per batch, such as CatBoost's CTRs, are derived here.
 */
@NullMarked
package io.quickscorer.compile;

import org.jspecify.annotations.NullMarked;

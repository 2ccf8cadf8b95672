// SPDX-License-Identifier: Apache-2.0
/**
 * Compiles ensembles into scorers. Only this package chooses engines. Entry type: {@link
 * io.quickscorer.compile.ScorerCompiler}. {@code Engines} is the table of engines, {@code
 * AlgorithmSelector} predicts the fastest engines from a model's shape, {@code AutoScorer} scores
 * each batch with the engine for its size, and {@link io.quickscorer.compile.WarmUp} runs engines
 * before their first real batch. This package also scores linear models, and derives columns that
 * are computed once per batch, such as CatBoost's CTRs.
 */
@NullMarked
package io.quickscorer.compile;

import org.jspecify.annotations.NullMarked;

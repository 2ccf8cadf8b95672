// SPDX-License-Identifier: Apache-2.0
/**
 * Compiles ensembles into scorers, and chooses their engines. Entry type: {@link
 * io.quickscorer.compile.ScorerCompiler}. {@code Engines} is the table of engines. {@code
 * AlgorithmSelector} predicts the fastest engines for a model, {@code AutoScorer} compiles them,
 * and {@code RoutedScorer} scores each batch with the engine for its size.
 *
 * <p>Terms: an <i>ensemble</i> is the trees of a model. An <i>engine</i> or <i>algorithm</i> is a
 * way to score it. The <i>reference</i> is the simple engine that defines the right scores. A
 * <i>lane</i> is a part of a vector register, often for one document.
 */
@NullMarked
package io.quickscorer.compile;

import org.jspecify.annotations.NullMarked;

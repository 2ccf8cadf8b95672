// SPDX-License-Identifier: Apache-2.0
/**
 * Measures real nodes: the cost of features ({@code mvn -Pextraction verify}, {@link
 * io.quickscorer.measure.ExtractionBenchmark}), and the cost of whole searches ({@code mvn
 * -Pendtoend verify}, {@link io.quickscorer.measure.EndToEndBenchmark}). Uses HTTP like any client,
 * and must not import classes of OpenSearch.
 */
@NullMarked
package io.quickscorer.measure;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * Measures real nodes: the cost of features ({@code mvn -Pextraction verify}, {@link
 * io.quickscorer.measure.ExtractionBenchmark}), and of whole searches ({@code mvn -Pendtoend
 * verify}, {@link io.quickscorer.measure.EndToEndBenchmark}).
 *
 * <p>Terms: the <i>window</i> is the group of top hits that a model rescores. A <i>way</i> is a
 * kind of search that is measured. A <i>side</i> is the node of one build.
 */
@NullMarked
package io.quickscorer.measure;

import org.jspecify.annotations.NullMarked;

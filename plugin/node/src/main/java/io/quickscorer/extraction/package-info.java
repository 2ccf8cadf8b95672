// SPDX-License-Identifier: Apache-2.0
/**
 * Measures the cost of features on a real node: {@code mvn -Pextraction verify}. Entry type: {@link
 * io.quickscorer.extraction.ExtractionBenchmark}. Uses HTTP only, and must not import classes of
 * OpenSearch.
 */
@NullMarked
package io.quickscorer.extraction;

import org.jspecify.annotations.NullMarked;

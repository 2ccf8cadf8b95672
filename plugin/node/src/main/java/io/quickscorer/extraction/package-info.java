// SPDX-License-Identifier: Apache-2.0
/**
 * Measures what features cost on a real node: {@code mvn -Pextraction verify}. Starts from {@link
 * io.quickscorer.extraction.ExtractionBenchmark}. Talks HTTP like any client, and must not import
 * classes of OpenSearch.
 */
@NullMarked
package io.quickscorer.extraction;

import org.jspecify.annotations.NullMarked;

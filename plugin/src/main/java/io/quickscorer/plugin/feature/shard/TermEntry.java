// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import org.apache.lucene.index.TermState;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * The entry of a term in a segment's dictionary.
 *
 * @param isPossible false if the dictionary's index alone shows that the segment lacks the term;
 *     Lucene creates scorers for all other terms
 * @param state locates the term's postings; null if the segment lacks the term
 * @param documents the number of documents with the term
 * @param occurrences the number of occurrences of the term in all documents
 */
record TermEntry(
    BytesRef term,
    boolean isPossible,
    @Nullable TermState state,
    int documents,
    long occurrences) {}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import org.apache.lucene.index.TermState;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * The entry of a term in a segment's dictionary.
 *
 * @param state where its postings are, null if the segment lacks the term
 */
record TermEntry(BytesRef term, @Nullable TermState state, int documents, long occurrences) {}

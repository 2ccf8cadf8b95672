// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOBooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the dictionary entries of terms in one field of one segment. It also contains the
 * terms that the segment lacks.
 */
final class TermCache {
  private final Terms dictionary;
  private final Map<BytesRef, TermEntry> known = new HashMap<>();

  /** The enum that finds all terms; callers of {@link #at} must not advance it. */
  private @Nullable TermsEnum shared;

  TermCache(Terms dictionary) {
    this.dictionary = dictionary;
  }

  TermEntry lookUp(BytesRef text) throws IOException {
    TermEntry found = known.get(text);
    if (found == null) {
      TermsEnum entry = shared();
      BytesRef term = BytesRef.deepCopyOf(text);
      IOBooleanSupplier seek = entry.prepareSeekExact(term);
      found =
          seek != null && seek.get()
              ? new TermEntry(term, true, entry.termState(), entry.docFreq(), entry.totalTermFreq())
              : new TermEntry(term, seek != null, null, 0, 0);
      known.put(term, found);
    }
    return found;
  }

  /**
   * Returns the shared enum, positioned at a term that the segment contains. The position is valid
   * until the next call.
   */
  TermsEnum at(TermEntry term) throws IOException {
    TermsEnum entry = shared();
    if (term.state() != null) {
      entry.seekExact(term.term(), term.state());
    }
    return entry;
  }

  TermsEnum newEnum() throws IOException {
    return dictionary.iterator();
  }

  private TermsEnum shared() throws IOException {
    TermsEnum entry = shared;
    if (entry == null) {
      entry = newEnum();
      shared = entry;
    }
    return entry;
  }
}

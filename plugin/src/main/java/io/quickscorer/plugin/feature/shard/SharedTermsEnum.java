// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import io.quickscorer.plugin.feature.window.Cancellation;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.index.ImpactsEnum;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.AttributeSource;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOBooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds terms in the field's {@link TermCache}. It opens a separate Lucene enum only if the caller
 * iterates.
 */
final class SharedTermsEnum extends TermsEnum {
  private static final int TERMS_PER_CHECK = 1 << 12;

  private final TermCache memory;
  private final Cancellation cancellation;

  /**
   * The current term, if it was found in the cache; null if {@link #moving} is at the current term.
   */
  private @Nullable TermEntry remembered;

  private @Nullable TermsEnum moving;
  private int iterated;

  SharedTermsEnum(TermCache memory, Cancellation cancellation) {
    this.memory = memory;
    this.cancellation = cancellation;
  }

  /** Returns Lucene's own enum, at the current term. */
  private TermsEnum moving() throws IOException {
    TermsEnum own = moving;
    if (own == null) {
      own = memory.newEnum();
      moving = own;
    }
    TermEntry known = remembered;
    if (known != null && known.state() != null) {
      own.seekExact(known.term(), known.state());
    }
    remembered = null;
    return own;
  }

  private boolean setCurrent(TermEntry known) {
    remembered = known.state() == null ? null : known;
    return remembered != null;
  }

  @Override
  public boolean seekExact(BytesRef text) throws IOException {
    return setCurrent(memory.lookUp(text));
  }

  /**
   * Returns null exactly if Lucene's own enum does, even if the cache shows that the term is
   * absent. Otherwise a query would have another number of scorers, which affects the rounding of
   * its scores.
   */
  @Override
  public @Nullable IOBooleanSupplier prepareSeekExact(BytesRef text) throws IOException {
    TermEntry known = memory.lookUp(text);
    return known.isPossible() ? () -> setCurrent(known) : null;
  }

  @Override
  public void seekExact(BytesRef term, TermState state) throws IOException {
    remembered = null;
    moving().seekExact(term, state);
  }

  @Override
  public void seekExact(long ord) throws IOException {
    remembered = null;
    moving().seekExact(ord);
  }

  @Override
  public SeekStatus seekCeil(BytesRef text) throws IOException {
    remembered = null;
    return moving().seekCeil(text);
  }

  @Override
  public @Nullable BytesRef next() throws IOException {
    if (++iterated % TERMS_PER_CHECK == 0) {
      cancellation.check();
    }
    return moving().next();
  }

  @Override
  public BytesRef term() throws IOException {
    return remembered == null ? moving().term() : remembered.term();
  }

  @Override
  public long ord() throws IOException {
    return moving().ord();
  }

  @Override
  public int docFreq() throws IOException {
    return remembered == null ? moving().docFreq() : remembered.documents();
  }

  @Override
  public long totalTermFreq() throws IOException {
    return remembered == null ? moving().totalTermFreq() : remembered.occurrences();
  }

  @Override
  public TermState termState() throws IOException {
    return remembered == null || remembered.state() == null
        ? moving().termState()
        : remembered.state();
  }

  @Override
  public PostingsEnum postings(@Nullable PostingsEnum reuse, int flags) throws IOException {
    return remembered == null
        ? moving().postings(reuse, flags)
        : memory.at(remembered).postings(reuse, flags);
  }

  @Override
  public ImpactsEnum impacts(int flags) throws IOException {
    return remembered == null ? moving().impacts(flags) : memory.at(remembered).impacts(flags);
  }

  @Override
  public AttributeSource attributes() {
    try {
      return moving().attributes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import io.quickscorer.plugin.feature.Cancellation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.ImpactsEnum;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.AttributeSource;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOBooleanSupplier;
import org.apache.lucene.util.automaton.CompiledAutomaton;
import org.jspecify.annotations.Nullable;

/**
 * The terms of one field in one segment (a part of the index). The look-up of each term is cached,
 * even if the segment lacks the term. Used by one thread.
 */
final class SharedTerms extends FilterLeafReader.FilterTerms {
  private static final int TERMS_PER_CHECK = 1 << 12;

  private final Terms checked;
  private final Supplier<Cancellation> cancellation;
  private final Map<BytesRef, Entry> known = new HashMap<>();

  /** The segment's dictionary of terms. {@link #at} moves it to a term. Null until it is needed. */
  private @Nullable TermsEnum shared;

  /**
   * The cached result of looking up a term in the dictionary.
   *
   * @param isPossible false if the index of the dictionary already shows that the segment lacks the
   *     term, so that Lucene creates no scorer
   * @param state locates the term's list of documents; null if the segment lacks the term
   * @param documents the number of documents with the term
   * @param occurrences the number of occurrences of the term in all documents
   */
  private record Entry(
      BytesRef term,
      boolean isPossible,
      @Nullable TermState state,
      int documents,
      long occurrences) {}

  /**
   * Creates the terms of a field.
   *
   * @param checked the field's terms, which check at each step whether the search was cancelled
   * @param plain the same terms without the check
   * @param cancellation returns the object that checks whether the current search was cancelled
   */
  SharedTerms(Terms checked, Terms plain, Supplier<Cancellation> cancellation) {
    super(plain);
    this.checked = checked;
    this.cancellation = cancellation;
  }

  @Override
  public TermsEnum iterator() {
    return new View();
  }

  @Override
  public TermsEnum intersect(CompiledAutomaton automaton, @Nullable BytesRef start)
      throws IOException {
    return checked.intersect(automaton, start);
  }

  @Override
  public @Nullable BytesRef getMin() throws IOException {
    return in.getMin();
  }

  @Override
  public @Nullable BytesRef getMax() throws IOException {
    return in.getMax();
  }

  private Entry lookUp(BytesRef text) throws IOException {
    Entry found = known.get(text);
    if (found == null) {
      TermsEnum entry = shared();
      BytesRef term = BytesRef.deepCopyOf(text);
      IOBooleanSupplier seek = entry.prepareSeekExact(term);
      found =
          seek != null && seek.get()
              ? new Entry(term, true, entry.termState(), entry.docFreq(), entry.totalTermFreq())
              : new Entry(term, seek != null, null, 0, 0);
      known.put(term, found);
    }
    return found;
  }

  /**
   * Returns the shared dictionary, positioned at a term that the segment contains. The position is
   * valid until the next call.
   */
  private TermsEnum at(Entry term) throws IOException {
    TermsEnum entry = shared();
    if (term.state() != null) {
      entry.seekExact(term.term(), term.state());
    }
    return entry;
  }

  private TermsEnum shared() throws IOException {
    TermsEnum entry = shared;
    if (entry == null) {
      entry = in.iterator();
      shared = entry;
    }
    return entry;
  }

  /** Finds terms in the cache. Opens Lucene's dictionary only if the caller iterates over terms. */
  private final class View extends TermsEnum {
    /** The current term, if it was found in the cache; null if it was found by {@link #moving}. */
    private @Nullable Entry remembered;

    private @Nullable TermsEnum moving;
    private int iterated;

    /** Returns Lucene's dictionary, positioned at the current term. */
    private TermsEnum moving() throws IOException {
      TermsEnum own = moving;
      if (own == null) {
        own = in.iterator();
        moving = own;
      }
      Entry known = remembered;
      if (known != null && known.state() != null) {
        own.seekExact(known.term(), known.state());
      }
      remembered = null;
      return own;
    }

    private boolean setCurrent(Entry known) {
      remembered = known.state() == null ? null : known;
      return remembered != null;
    }

    @Override
    public boolean seekExact(BytesRef text) throws IOException {
      return setCurrent(lookUp(text));
    }

    /**
     * Prepares to look up a term. Returns null if and only if Lucene's dictionary does, because
     * this affects how Lucene rounds scores.
     */
    @Override
    public @Nullable IOBooleanSupplier prepareSeekExact(BytesRef text) throws IOException {
      Entry known = lookUp(text);
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
        cancellation.get().check();
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
          : at(remembered).postings(reuse, flags);
    }

    @Override
    public ImpactsEnum impacts(int flags) throws IOException {
      return remembered == null ? moving().impacts(flags) : at(remembered).impacts(flags);
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
}

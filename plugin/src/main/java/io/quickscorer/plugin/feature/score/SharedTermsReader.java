// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.score;

import io.quickscorer.plugin.feature.window.Cancellation;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.CompiledAutomaton;
import org.jspecify.annotations.Nullable;

/**
 * A search's reader for the feature queries of one request, with two differences.
 *
 * <p>Each term is looked up once per segment and then remembered: the features of a set ask for the
 * same few terms again and again. And postings come without the server's check for cancellation at
 * every advance, which costs more than many an advance does; {@link ScorePlan} checks instead. What
 * walks dictionaries or points still meets the server's checks.
 *
 * <p>Never closed: what it wraps belongs to the search. For one thread.
 */
public final class SharedTermsReader extends FilterDirectoryReader {
  /** The reader whose every advance checks; it can't be named by type, being the server's own. */
  private static final String CHECKING_READER =
      "org.opensearch.search.internal.ExitableDirectoryReader$ExitableLeafReader";

  private SharedTermsReader(DirectoryReader in, Cancellation cancellation) throws IOException {
    super(
        in,
        new SubReaderWrapper() {
          @Override
          public LeafReader wrap(LeafReader reader) {
            return new Segment(reader, cancellation);
          }
        });
  }

  public static DirectoryReader wrap(DirectoryReader reader, Cancellation cancellation)
      throws IOException {
    return new SharedTermsReader(reader, cancellation);
  }

  @Override
  protected DirectoryReader doWrapDirectoryReader(DirectoryReader in) {
    throw new UnsupportedOperationException("made for one search, not to be reopened");
  }

  @Override
  public @Nullable CacheHelper getReaderCacheHelper() {
    return in.getReaderCacheHelper();
  }

  private static final class Segment extends FilterLeafReader {
    private final LeafReader unchecked;
    private final Cancellation cancellation;
    private final Map<String, Terms> fields = new HashMap<>();

    Segment(LeafReader in, Cancellation cancellation) {
      super(in);
      boolean checks = in.getClass().getName().equals(CHECKING_READER);
      this.unchecked = checks ? ((FilterLeafReader) in).getDelegate() : in;
      this.cancellation = cancellation;
    }

    @Override
    public @Nullable Terms terms(String field) throws IOException {
      Terms known = fields.get(field);
      if (known == null) {
        Terms checked = in.terms(field);
        Terms plain = unchecked.terms(field);
        if (checked == null || plain == null) {
          return null;
        }
        known = new SharedTerms(checked, plain, cancellation);
        fields.put(field, known);
      }
      return known;
    }

    @Override
    public @Nullable CacheHelper getCoreCacheHelper() {
      return in.getCoreCacheHelper();
    }

    @Override
    public @Nullable CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }

  /** One field of one segment. */
  private static final class SharedTerms extends FilterLeafReader.FilterTerms {
    private final Terms checked;
    private final Cancellation cancellation;
    private final TermCache memory;

    SharedTerms(Terms checked, Terms plain, Cancellation cancellation) {
      super(plain);
      this.checked = checked;
      this.cancellation = cancellation;
      this.memory = new TermCache(plain);
    }

    @Override
    public TermsEnum iterator() {
      return new SharedTermsEnum(memory, cancellation);
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
  }
}

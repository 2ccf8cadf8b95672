// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.score;

import io.quickscorer.plugin.feature.window.Cancellation;
import io.quickscorer.plugin.feature.window.Window;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOSupplier;
import org.apache.lucene.util.automaton.CompiledAutomaton;
import org.jspecify.annotations.Nullable;

/**
 * A search's reader for the features of one request and window, with three differences.
 *
 * <p>Each term is looked up once per segment and then remembered: the features of a set ask for the
 * same few terms again and again. And postings come without the server's check for cancellation at
 * every advance, which costs more than many an advance does; {@link ScorePlan} checks instead. What
 * walks dictionaries or points still meets the server's checks. And a field with one number per
 * document is decoded once for the window ({@link SharedNumbers}), whoever reads it in whatever
 * way.
 *
 * <p>Never closed: what it wraps belongs to the search. For one thread.
 */
public final class SharedTermsReader extends FilterDirectoryReader {
  /** The reader whose every advance checks; it can't be named by type, being the server's own. */
  private static final String CHECKING_READER =
      "org.opensearch.search.internal.ExitableDirectoryReader$ExitableLeafReader";

  private SharedTermsReader(DirectoryReader in, Window window, Cancellation cancellation)
      throws IOException {
    super(in, new Wrapper(window, cancellation));
  }

  /**
   * @param window whose documents the features are of
   */
  public static DirectoryReader wrap(
      DirectoryReader reader, Window window, Cancellation cancellation) throws IOException {
    return new SharedTermsReader(reader, window, cancellation);
  }

  /** Bytes of the numbers of one field, about. */
  public static long bytesPerField(int documents) {
    return documents * (Long.BYTES + 1L);
  }

  /** Wraps segments in their order, which is that of their documents. */
  private static final class Wrapper extends SubReaderWrapper {
    private final int[] docs;
    private final Cancellation cancellation;
    private int base;
    private int from;

    Wrapper(Window window, Cancellation cancellation) {
      this.docs = window.docs();
      this.cancellation = cancellation;
    }

    @Override
    public LeafReader wrap(LeafReader reader) {
      int end = base + reader.maxDoc();
      int to = from;
      while (to < docs.length && docs[to] < end) {
        to++;
      }
      Segment segment = new Segment(reader, docs, from, to, base, cancellation);
      base = end;
      from = to;
      return segment;
    }
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
    private final int[] docs;
    private final int from;
    private final int to;
    private final int base;
    private final Cancellation cancellation;
    private final Map<String, Terms> fields = new HashMap<>();
    private final Map<String, SharedNumbers> numbers = new HashMap<>();

    /** The window's documents in this segment, once a field is read. */
    private int[] docsHere = new int[0];

    /**
     * @param docs of the window; those of this segment are from {@code from} to {@code to}
     */
    Segment(LeafReader in, int[] docs, int from, int to, int base, Cancellation cancellation) {
      super(in);
      boolean checks = in.getClass().getName().equals(CHECKING_READER);
      this.unchecked = checks ? ((FilterLeafReader) in).getDelegate() : in;
      this.docs = docs;
      this.from = from;
      this.to = to;
      this.base = base;
      this.cancellation = cancellation;
    }

    @Override
    public @Nullable NumericDocValues getNumericDocValues(String field) throws IOException {
      return from == to || info(field, DocValuesType.NUMERIC) == null
          ? in.getNumericDocValues(field)
          : shared(field, () -> required(in.getNumericDocValues(field)));
    }

    @Override
    public @Nullable SortedNumericDocValues getSortedNumericDocValues(String field)
        throws IOException {
      if (from == to || info(field, DocValuesType.SORTED_NUMERIC) == null) {
        return in.getSortedNumericDocValues(field);
      }
      if (!numbers.containsKey(field)) {
        SortedNumericDocValues values = in.getSortedNumericDocValues(field);
        if (values == null || DocValues.unwrapSingleton(values) == null) {
          return values;
        }
      }
      return DocValues.singleton(
          shared(
              field,
              () ->
                  required(
                      DocValues.unwrapSingleton(required(in.getSortedNumericDocValues(field))))));
    }

    private @Nullable FieldInfo info(String field, DocValuesType type) {
      FieldInfo info = in.getFieldInfos().fieldInfo(field);
      return info == null || info.getDocValuesType() != type ? null : info;
    }

    private static <T> T required(@Nullable T values) {
      if (values == null) {
        throw new IllegalStateException("values that were there are gone");
      }
      return values;
    }

    private NumericDocValues shared(String field, IOSupplier<NumericDocValues> own)
        throws IOException {
      SharedNumbers known = numbers.get(field);
      if (known == null) {
        known = new SharedNumbers(docsHere(), own);
        numbers.put(field, known);
      }
      return known.view();
    }

    private int[] docsHere() {
      if (docsHere.length == 0) {
        docsHere = Arrays.copyOfRange(docs, from, to);
        Arrays.setAll(docsHere, i -> docsHere[i] - base);
      }
      return docsHere;
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

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import io.quickscorer.plugin.feature.Cancellation;
import io.quickscorer.plugin.feature.Window;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
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
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.IOSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a search's index for the features of one request. It differs from the search's own reader
 * in three ways:
 *
 * <ol>
 *   <li>It looks each term up once per segment and caches the entry, because many features use
 *       equal terms.
 *   <li>Lists of documents (postings) do not check for cancellation at every step; {@link
 *       ScorePlan} checks instead, once per block.
 *   <li>A field with one number per document is decoded once for all features that read it ({@link
 *       SharedNumbers}).
 * </ol>
 *
 * <p>It is never closed, because the wrapped reader belongs to the search. Used by one thread.
 */
final class SharedReader extends FilterDirectoryReader {
  /**
   * The class name of the server's reader that checks for cancellation at every step. The class is
   * not public.
   */
  private static final String CHECKING_READER =
      "org.opensearch.search.internal.ExitableDirectoryReader$ExitableLeafReader";

  private final Current current;

  private SharedReader(DirectoryReader in, Current current) throws IOException {
    super(in, new Wrapper(current));
    this.current = current;
  }

  public static SharedReader wrap(DirectoryReader reader) throws IOException {
    return new SharedReader(reader, new Current());
  }

  /**
   * Starts to read for a list of hits, and releases the field values of the previous list.
   *
   * @param window the hits whose features are computed
   */
  public void begin(Window window, Cancellation cancellation) {
    current.begin(window.docs(), cancellation);
  }

  /** Releases the field values of the current list of hits. */
  public void end() {
    current.begin(new int[0], Cancellation.NONE);
  }

  /** Returns an estimate of the heap bytes of one field's decoded numbers. */
  public static long bytesPerField(int documents) {
    return documents * (Long.BYTES + 1L);
  }

  /** The current list of hits, and the readers of segments that hold field values for it. */
  private static final class Current {
    private int[] docs = new int[0];
    private Cancellation cancellation = Cancellation.NONE;
    private final List<Segment> read = new ArrayList<>();

    private void begin(int[] newDocs, Cancellation newCancellation) {
      read.forEach(Segment::forget);
      read.clear();
      docs = newDocs;
      cancellation = newCancellation;
    }
  }

  /** Wraps the readers of all segments (parts of the index), in order of their doc ids. */
  private static final class Wrapper extends SubReaderWrapper {
    private final Current current;
    private int base;

    Wrapper(Current current) {
      this.current = current;
    }

    @Override
    public LeafReader wrap(LeafReader reader) {
      Segment segment = new Segment(reader, base, current);
      base += reader.maxDoc();
      return segment;
    }
  }

  @Override
  protected DirectoryReader doWrapDirectoryReader(DirectoryReader in) {
    throw new UnsupportedOperationException(
        "this reader belongs to one search and cannot be reopened");
  }

  @Override
  public @Nullable CacheHelper getReaderCacheHelper() {
    return in.getReaderCacheHelper();
  }

  private static final class Segment extends FilterLeafReader {
    private final LeafReader unchecked;
    private final int base;
    private final Current current;
    private final Map<String, Terms> fields = new HashMap<>();
    private final Map<String, SharedNumbers> numbers = new HashMap<>();

    /** The hits' doc ids in this segment; null until they are needed. */
    private int @Nullable [] docs;

    Segment(LeafReader in, int base, Current current) {
      super(in);
      boolean checks = in.getClass().getName().equals(CHECKING_READER);
      this.unchecked = checks ? ((FilterLeafReader) in).getDelegate() : in;
      this.base = base;
      this.current = current;
    }

    private void forget() {
      docs = null;
      numbers.clear();
    }

    private int[] docs() {
      int[] known = docs;
      if (known == null) {
        int from = place(base);
        known = Arrays.copyOfRange(current.docs, from, Math.max(from, place(base + maxDoc())));
        for (int i = 0; i < known.length; i++) {
          known[i] -= base;
        }
        docs = known;
        current.read.add(this);
      }
      return known;
    }

    /** Returns how many hits of the window have a smaller id than {@code doc}. */
    private int place(int doc) {
      int found = Arrays.binarySearch(current.docs, doc);
      return found < 0 ? -found - 1 : found;
    }

    @Override
    public @Nullable NumericDocValues getNumericDocValues(String field) throws IOException {
      return docs().length == 0 || info(field, DocValuesType.NUMERIC) == null
          ? in.getNumericDocValues(field)
          : shared(field, () -> required(field, in.getNumericDocValues(field)));
    }

    @Override
    public @Nullable SortedNumericDocValues getSortedNumericDocValues(String field)
        throws IOException {
      if (docs().length == 0 || info(field, DocValuesType.SORTED_NUMERIC) == null) {
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
                      field,
                      DocValues.unwrapSingleton(
                          required(field, in.getSortedNumericDocValues(field))))));
    }

    private @Nullable FieldInfo info(String field, DocValuesType type) {
      FieldInfo info = in.getFieldInfos().fieldInfo(field);
      return info == null || info.getDocValuesType() != type ? null : info;
    }

    private static <T> T required(String field, @Nullable T values) {
      if (values == null) {
        throw new IllegalStateException("the segment has no doc values of field [" + field + "]");
      }
      return values;
    }

    private NumericDocValues shared(String field, IOSupplier<NumericDocValues> own)
        throws IOException {
      SharedNumbers known = numbers.get(field);
      if (known == null) {
        known = new SharedNumbers(docs(), own);
        numbers.put(field, known);
      }
      return known.view();
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
        known = new SharedTerms(checked, plain, () -> current.cancellation);
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

  /**
   * The numbers of one field in one segment, decoded once for the hits of a window, and shared by
   * all features that read the field. Other documents, and iterations over all documents, are read
   * from Lucene's doc values. Used by one thread.
   */
  static final class SharedNumbers {
    private final int[] docs;
    private final long[] values;
    private final FixedBitSet present;
    private final IOSupplier<NumericDocValues> own;

    /**
     * Decodes the numbers of the hits.
     *
     * @param docs the hits' doc ids in the segment, ascending
     * @param own opens Lucene's doc values of the field
     */
    SharedNumbers(int[] docs, IOSupplier<NumericDocValues> own) throws IOException {
      this.docs = docs;
      this.own = own;
      this.values = new long[docs.length];
      this.present = new FixedBitSet(docs.length);
      NumericDocValues all = own.get();
      for (int i = 0; i < docs.length; i++) {
        if (all.advanceExact(docs[i])) {
          values[i] = all.longValue();
          present.set(i);
        }
      }
    }

    /** Returns a new iterator over the field's doc values, for one feature. */
    NumericDocValues view() {
      return new View();
    }

    private final class View extends NumericDocValues {
      private int place = -1;

      /**
       * Lucene's doc values of the field, positioned at the current document; null until a document
       * that is not a hit is read.
       */
      private @Nullable NumericDocValues others;

      private boolean outside;

      private NumericDocValues others() throws IOException {
        NumericDocValues opened = others;
        if (opened == null) {
          opened = own.get();
          others = opened;
          if (place >= 0) {
            opened.advanceExact(docs[place]);
          }
        }
        outside = true;
        return opened;
      }

      private NumericDocValues opened() {
        NumericDocValues opened = others;
        if (opened == null) {
          throw new IllegalStateException(
              "internal error: the values of a field were read before they were opened; report this"
                  + " as a bug");
        }
        return opened;
      }

      @Override
      public boolean advanceExact(int target) throws IOException {
        int found = place + 1;
        if (found >= docs.length || docs[found] != target) {
          found = Arrays.binarySearch(docs, target);
        }
        if (found < 0 || outside) {
          return others().advanceExact(target);
        }
        place = found;
        return present.get(found);
      }

      @Override
      public long longValue() throws IOException {
        return outside ? opened().longValue() : values[place];
      }

      @Override
      public int docID() {
        return outside ? opened().docID() : place < 0 ? -1 : docs[place];
      }

      @Override
      public int nextDoc() throws IOException {
        return others().nextDoc();
      }

      @Override
      public int advance(int target) throws IOException {
        return others().advance(target);
      }

      @Override
      public long cost() {
        return Math.max(1, docs.length);
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.IOSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The doc values (numbers) of one field in one segment, decoded once for the documents of a window.
 * All features that read the field share them: field features, functions, scripts and expressions.
 * For other documents, and for iteration, a reader uses the field's own doc values. Used by one
 * thread.
 */
final class SharedNumbers {
  private final int[] docs;
  private final long[] values;
  private final FixedBitSet present;
  private final IOSupplier<NumericDocValues> own;

  /**
   * Decodes the numbers of the window's documents.
   *
   * @param docs the window's documents in the segment, ascending
   * @param own opens the field's own doc values
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
     * The field's own doc values; null until they are needed. Once opened, they are kept at the
     * present document of this view.
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
        throw new IllegalStateException("the values were read before they were opened");
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

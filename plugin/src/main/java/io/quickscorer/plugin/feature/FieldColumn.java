package io.quickscorer.plugin.feature;

import io.quickscorer.matrix.FeatureMatrix;
import java.io.IOException;
import org.apache.lucene.search.IndexSearcher;
import org.opensearch.index.fielddata.IndexNumericFieldData;
import org.opensearch.index.fielddata.SortedNumericDoubleValues;

/** Reads a numeric field's doc values into a column; of several values the least. */
final class FieldColumn {
  private FieldColumn() {}

  /** Overwrites the column where a document has a value, and leaves the rest as it is. */
  static void collect(
      IndexNumericFieldData field,
      IndexSearcher searcher,
      Window window,
      int column,
      FeatureMatrix matrix)
      throws IOException {
    int[] docs = window.docs();
    float[] out = matrix.values();
    int at = matrix.column(column);
    Segments.forEach(
        searcher,
        window,
        (segment, from, to) -> {
          SortedNumericDoubleValues values = field.load(segment).getDoubleValues();
          for (int i = from; i < to; i++) {
            if (values.advanceExact(docs[i] - segment.docBase)) {
              out[at + i] = (float) values.nextValue();
            }
          }
        });
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.memory.MemoryCharge;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.lease.Releasable;
import org.opensearch.core.rest.RestStatus;

/**
 * The feature values and scores of ranked hits, one row per hit, in memory until the fetch phase
 * adds them to the response.
 *
 * <p>{@code values[i * features + f]} is the value of feature f for {@code docs[i]}; {@code docs}
 * is ascending.
 *
 * @param features the number of values in a row
 * @param scores {@code scores[m][i]} is the score of {@code docs[i]} by the clause's model m
 */
@SuppressWarnings("ArrayRecordComponent") // instances are never compared
public record LoggedRows(
    int[] docs, float[] values, int features, double[][] scores, MemoryCharge charge)
    implements Releasable {
  /**
   * Returns the number of bytes that {@link #of} allocates.
   *
   * @param documents the number of hits
   * @param features the number of feature values per hit
   * @param models the number of scores per hit
   */
  public static long bytes(int documents, int features, int models) {
    long row = (long) Float.BYTES * features + (long) Double.BYTES * models + Integer.BYTES;
    return Math.multiplyExact(row, documents);
  }

  /**
   * Copies the values of the logged features from matrices into rows, one per document.
   *
   * @param docs the doc ids of the matrices' documents, ascending
   * @param matrices the matrices of feature values; a row has the document's values in the first
   *     matrix, then those in the second, and so on, until it is full
   * @param features the number of values in a row
   * @param scores for each model, the scores of the documents
   * @param charge a charge of {@link #bytes(int, int, int)} bytes, which is released when the rows
   *     are closed
   */
  public static LoggedRows of(
      int[] docs,
      List<FeatureMatrix> matrices,
      int features,
      double[][] scores,
      MemoryCharge charge) {
    float[] values = new float[Math.multiplyExact(docs.length, features)];
    int place = 0;
    for (FeatureMatrix matrix : matrices) {
      for (int f = 0; f < matrix.features() && place < features; f++) {
        for (int i = 0; i < docs.length; i++) {
          values[i * features + place] = matrix.get(i, f);
        }
        place++;
      }
    }
    return new LoggedRows(docs, values, features, scores, charge);
  }

  /**
   * Returns an object with only the rows of some documents, and reduces the charge accordingly.
   *
   * @param wanted doc ids, ascending
   */
  public LoggedRows only(int[] wanted) {
    int[] places = Arrays.stream(wanted).map(this::find).filter(i -> i >= 0).toArray();
    int[] keptDocs = new int[places.length];
    float[] keptValues = new float[places.length * features];
    double[][] keptScores = new double[scores.length][places.length];
    for (int k = 0; k < places.length; k++) {
      int i = places[k];
      keptDocs[k] = docs[i];
      System.arraycopy(values, i * features, keptValues, k * features, features);
      for (int m = 0; m < scores.length; m++) {
        keptScores[m][k] = scores[m][i];
      }
    }
    charge.shrinkTo(bytes(places.length, features, scores.length));
    return new LoggedRows(keptDocs, keptValues, features, keptScores, charge);
  }

  /** Returns the exception (429) for rows that were deleted before the fetch phase. */
  static OpenSearchStatusException deleted() {
    return new OpenSearchStatusException(
        "the feature values of a hit were deleted, because other searches needed the memory or"
            + " the fetch phase began too late; send the search again",
        RestStatus.TOO_MANY_REQUESTS);
  }

  /** Returns a document's row; null if it has none. */
  public @Nullable Row row(int doc) {
    int place = find(doc);
    return place < 0 ? null : new Row(this, place);
  }

  private int find(int doc) {
    return Arrays.binarySearch(docs, doc);
  }

  /** Returns the number of bytes charged for the rows. */
  public long bytes() {
    return charge.bytes();
  }

  @Override
  public void close() {
    charge.close();
  }

  /**
   * The feature values and scores of one document.
   *
   * @param place the index of the row
   */
  public record Row(LoggedRows rows, int place) {
    /** Returns a copy of the feature values; NaN for a missing value. */
    public float[] values() {
      int features = rows.features;
      return Arrays.copyOfRange(rows.values, place * features, (place + 1) * features);
    }

    /** Returns the number of models that scored the document. */
    public int models() {
      return rows.scores.length;
    }

    public double score(int model) {
      return rows.scores[model][place];
    }
  }
}

package io.quickscorer.plugin.rescore;

import io.quickscorer.matrix.FeatureMatrix;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lease.Releasable;

/**
 * Feature values and scores of rescored hits, kept until the fetch phase shows them.
 *
 * <p>{@code values[i * features + f]} is the value of feature f for {@code docs[i]}; docs ascend.
 */
final class LoggedRows implements Releasable {
  private final int[] docs;
  private final float[] values;
  private final int features;

  /** The model's scores, null if there is no model. */
  private final double @Nullable [] scores;

  private final MemoryCharge charge;

  private LoggedRows(
      int[] docs, float[] values, int features, double @Nullable [] scores, MemoryCharge charge) {
    this.docs = docs;
    this.values = values;
    this.features = features;
    this.scores = scores;
    this.charge = charge;
  }

  /** Bytes that {@link #of} will need. */
  static long bytes(int documents, int features) {
    return (long) documents * (Float.BYTES * features + Double.BYTES + Integer.BYTES);
  }

  /**
   * Copies the rows of a matrix.
   *
   * @param docs doc ids of its documents, ascending
   * @param charge holds {@link #bytes} and is closed with the rows
   */
  static LoggedRows of(
      int[] docs, FeatureMatrix matrix, double @Nullable [] scores, MemoryCharge charge) {
    int features = matrix.features();
    float[] values = new float[docs.length * features];
    for (int f = 0; f < features; f++) {
      for (int i = 0; i < docs.length; i++) {
        values[i * features + f] = matrix.get(i, f);
      }
    }
    return new LoggedRows(docs, values, features, scores, charge);
  }

  /**
   * The rows of some documents only, under the same charge, made smaller.
   *
   * @param wanted doc ids, ascending
   */
  LoggedRows only(int[] wanted) {
    int[] places = Arrays.stream(wanted).map(this::find).filter(i -> i >= 0).toArray();
    int[] keptDocs = new int[places.length];
    float[] keptValues = new float[places.length * features];
    double[] keptScores = scores == null ? null : new double[places.length];
    for (int k = 0; k < places.length; k++) {
      int i = places[k];
      keptDocs[k] = docs[i];
      System.arraycopy(values, i * features, keptValues, k * features, features);
      if (scores != null && keptScores != null) {
        keptScores[k] = scores[i];
      }
    }
    charge.shrinkTo(bytes(places.length, features));
    return new LoggedRows(keptDocs, keptValues, features, keptScores, charge);
  }

  /** Place of a document, negative if it has no row. */
  int find(int doc) {
    return Arrays.binarySearch(docs, doc);
  }

  int features() {
    return features;
  }

  float value(int place, int feature) {
    return values[place * features + feature];
  }

  boolean scored() {
    return scores != null;
  }

  double score(int place) {
    if (scores == null) {
      throw new IllegalStateException("rows without scores");
    }
    return scores[place];
  }

  @Override
  public void close() {
    charge.close();
  }
}

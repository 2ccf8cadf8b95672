package io.quickscorer.plugin.rescore;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.feature.BoundFeature;
import io.quickscorer.plugin.feature.Cancellation;
import io.quickscorer.plugin.feature.Window;
import io.quickscorer.plugin.model.LoadedModel;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lease.Releasable;

/** Feature values of a window's documents and the model's scores for them; charged to a breaker. */
final class ScoredWindow implements Releasable {
  /** Documents times trees scored between two checks for cancellation: some milliseconds. */
  private static final long BLOCK_WORK = 1 << 20;

  private final FeatureMatrix features;

  /** Per feature of the set its column in {@link #features}, or -1. */
  private final int[] columns;

  private final double @Nullable [] scores;
  private final long extractNanos;
  private final long scoreNanos;
  private final MemoryCharge charge;

  private ScoredWindow(
      FeatureMatrix features,
      int[] columns,
      double @Nullable [] scores,
      long extractNanos,
      long scoreNanos,
      MemoryCharge charge) {
    this.features = features;
    this.columns = columns;
    this.scores = scores;
    this.extractNanos = extractNanos;
    this.scoreNanos = scoreNanos;
    this.charge = charge;
  }

  /**
   * Extracts the features, and scores them if there is a model.
   *
   * <p>Where rows are logged the matrix has all features in the set's order, and the model's
   * columns are copied out of it; else the model's own columns are filled and no others.
   */
  static ScoredWindow of(
      EnsembleRescoreContext context,
      @Nullable LoadedModel model,
      Window window,
      IndexSearcher searcher)
      throws IOException {
    boolean all = model == null || context.options().log();
    int[] columns =
        model == null || all ? context.features().allColumns() : columns(model, context);
    int width = model == null || all ? columns.length : width(model);
    long cells = FeatureMatrix.cells(width, window.size());
    if (all && model != null) {
      cells += FeatureMatrix.cells(width(model), window.size());
    }
    long bytes =
        cells * Float.BYTES
            + (long) window.size() * Double.BYTES
            + context.features().scratchBytes(columns, window.size());
    MemoryCharge charge = MemoryCharge.take(context.breaker(), bytes, "quickscorer window");
    boolean done = false;
    try {
      long start = System.nanoTime();
      FeatureMatrix matrix = new FeatureMatrix(width, window.size());
      context.features().collect(searcher, window, columns, matrix);
      long extracted = System.nanoTime();
      double[] scores = null;
      if (model != null) {
        EnsembleScorer scorer = context.services().engines().scorer(model, context.options());
        FeatureMatrix ordered = ordered(model, matrix, all, columns);
        scores = score(scorer, ordered, Cancellation.of(searcher));
        if (context.options().transformed()) {
          Arrays.setAll(scores, transform(model, scores));
        }
      }
      long scored = System.nanoTime();
      done = true;
      return new ScoredWindow(
          matrix, columns, scores, extracted - start, scored - extracted, charge);
    } finally {
      if (!done) {
        charge.close();
      }
    }
  }

  private static IntToDoubleFunction transform(LoadedModel model, double[] scores) {
    return i -> model.transform().apply(scores[i]);
  }

  private static int width(LoadedModel model) {
    return model.scorer().ensemble().featureNames().size();
  }

  /** Per feature of the set the first of the ensemble's columns it stands for, if it is needed. */
  private static int[] columns(LoadedModel model, EnsembleRescoreContext context) {
    List<BoundFeature> bound = context.bound().features().features();
    int[] columns = new int[bound.size()];
    Arrays.fill(columns, -1);
    int[] places = model.columns();
    for (int f = places.length - 1; f >= 0; f--) {
      if (places[f] >= 0 && !(bound.get(places[f]) instanceof BoundFeature.Unused)) {
        columns[places[f]] = f;
      }
    }
    return columns;
  }

  /** The extracted columns as the ensemble wants them. */
  private static FeatureMatrix ordered(
      LoadedModel model, FeatureMatrix extracted, boolean all, int[] columns) {
    FeatureMatrix matrix = all ? new FeatureMatrix(width(model), extracted.documents()) : extracted;
    int[] places = model.columns();
    for (int f = 0; f < places.length; f++) {
      int from = places[f] < 0 ? -1 : columns[places[f]];
      if (from >= 0 && (all || from != f)) {
        copyColumn(extracted, from, 0, matrix, f, extracted.documents());
      }
    }
    return matrix;
  }

  private static void copyColumn(
      FeatureMatrix from, int column, int document, FeatureMatrix to, int toColumn, int count) {
    System.arraycopy(
        from.values(), from.column(column) + document, to.values(), to.column(toColumn), count);
  }

  /** Scores block after block, so that a cancelled search stops soon. */
  private static double[] score(
      EnsembleScorer scorer, FeatureMatrix matrix, Cancellation cancellation) {
    int documents = matrix.documents();
    double[] scores = new double[documents];
    long perBlock = BLOCK_WORK / scorer.ensemble().shape().trees() / FeatureMatrix.BLOCK;
    int block = (int) Math.max(1, Math.min(perBlock, 1 << 10)) * FeatureMatrix.BLOCK;
    Scratch scratch = scorer.newScratch();
    cancellation.check();
    if (documents <= block) {
      scorer.score(matrix, scratch, scores);
      return scores;
    }
    FeatureMatrix part = new FeatureMatrix(matrix.features(), block);
    double[] partScores = new double[block];
    for (int from = 0; from < documents; from += block) {
      int count = Math.min(block, documents - from);
      part.reset(count);
      for (int f = 0; f < matrix.features(); f++) {
        copyColumn(matrix, f, from, part, f, count);
      }
      cancellation.check();
      scorer.score(part, scratch, partScores);
      System.arraycopy(partScores, 0, scores, from, count);
    }
    return scores;
  }

  /** All values of the window, for logging. */
  FeatureMatrix features() {
    return features;
  }

  /** The value of a feature of the set, or NaN if it was not extracted. */
  float value(int document, int feature) {
    return columns[feature] < 0 ? Float.NaN : features.get(document, columns[feature]);
  }

  double @Nullable [] scores() {
    return scores;
  }

  long extractNanos() {
    return extractNanos;
  }

  long scoreNanos() {
    return scoreNanos;
  }

  @Override
  public void close() {
    charge.close();
  }
}

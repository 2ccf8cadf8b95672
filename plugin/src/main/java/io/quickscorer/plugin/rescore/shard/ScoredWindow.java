// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.feature.ShardFeature;
import io.quickscorer.plugin.feature.window.Cancellation;
import io.quickscorer.plugin.feature.window.Window;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.node.CompiledModel;
import io.quickscorer.plugin.stats.RescoreStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lease.Releasable;

/**
 * Feature values of a window's documents and the models' scores for them; charged to a breaker.
 *
 * <p>One model whose values nobody logs has its features extracted right into its own matrix. In
 * all other cases each group of features is extracted once, and the models' columns are copied out
 * of it.
 */
final class ScoredWindow implements Releasable {
  private final EnsembleRescoreContext context;
  private final Window window;

  /** Per group its features' values, and per feature of the group its column, or -1. */
  private final List<FeatureMatrix> matrices = new ArrayList<>();

  private final List<int[]> columns = new ArrayList<>();

  /** Per model the scores of the window's documents. */
  private double[][] scores = {};

  private long extractNanos;
  private long scoreNanos;
  private final MemoryCharge charge;

  private ScoredWindow(EnsembleRescoreContext context, Window window, MemoryCharge charge) {
    this.context = context;
    this.window = window;
    this.charge = charge;
  }

  /** Extracts the features, scores them by each model, and counts them as seen by it. */
  static ScoredWindow of(
      EnsembleRescoreContext context,
      List<CompiledModel> models,
      Window window,
      IndexSearcher searcher)
      throws IOException {
    boolean direct =
        models.size() == 1 && !context.options().log() && context.bound().rule() == null;
    return of(context, models, window, searcher, direct, context.services().stats());
  }

  /**
   * The same for hits that were scored before, and so are not counted again; keeps the values of
   * features too that no model reads but other features do.
   */
  static ScoredWindow withInputs(
      EnsembleRescoreContext context,
      List<CompiledModel> models,
      Window window,
      IndexSearcher searcher)
      throws IOException {
    return of(context, models, window, searcher, false, null);
  }

  private static ScoredWindow of(
      EnsembleRescoreContext context,
      List<CompiledModel> models,
      Window window,
      IndexSearcher searcher,
      boolean direct,
      @Nullable RescoreStats stats)
      throws IOException {
    List<int[]> columns = new ArrayList<>();
    List<Integer> widths = new ArrayList<>();
    for (var group : context.bound().groups()) {
      int[] of =
          direct
              ? ModelColumns.own(models.getFirst(), group.features())
              : ModelColumns.compact(group.features());
      columns.add(of);
      widths.add(direct ? ModelColumns.width(models.getFirst()) : ModelColumns.count(of));
    }
    context
        .budget()
        .checkValues(widths.stream().mapToLong(Integer::longValue).sum(), window.size());
    long bytes = bytes(widths, models, direct, window.size());
    for (int g = 0; g < columns.size(); g++) {
      bytes += context.groups().get(g).scratchBytes(columns.get(g), window.size());
    }
    MemoryCharge charge = MemoryCharge.take(context.breaker(), bytes, "quickscorer window");
    ScoredWindow scored = new ScoredWindow(context, window, charge);
    boolean done = false;
    try {
      scored.extract(columns, widths, searcher);
      scored.score(models, direct, stats, Cancellation.of(searcher));
      done = true;
      return scored;
    } finally {
      if (!done) {
        charge.close();
      }
    }
  }

  private static long bytes(
      List<Integer> widths, List<CompiledModel> models, boolean direct, int documents) {
    long cells = 0;
    for (int width : widths) {
      cells += FeatureMatrix.cells(width, documents);
    }
    long copied = 0;
    for (CompiledModel model : models) {
      copied = Math.max(copied, FeatureMatrix.cells(ModelColumns.width(model), documents));
    }
    return (cells + (direct ? 0 : copied)) * Float.BYTES
        + (long) models.size() * documents * Double.BYTES;
  }

  private void extract(List<int[]> groupColumns, List<Integer> widths, IndexSearcher searcher)
      throws IOException {
    long start = System.nanoTime();
    for (int g = 0; g < groupColumns.size(); g++) {
      FeatureMatrix matrix = new FeatureMatrix(widths.get(g), window.size());
      context.groups().get(g).collect(searcher, window, groupColumns.get(g), matrix);
      matrices.add(matrix);
      columns.add(groupColumns.get(g));
    }
    extractNanos = System.nanoTime() - start;
  }

  private void score(
      List<CompiledModel> models,
      boolean direct,
      @Nullable RescoreStats stats,
      Cancellation cancellation) {
    long start = System.nanoTime();
    ModelScores scoring = new ModelScores(context.services(), context.options(), context.bound());
    scores = scoring.of(models, matrices, columns, direct, stats, extractNanos, cancellation);
    scoreNanos = System.nanoTime() - start;
  }

  /** The values of each group's features; those that are logged are the first group's first. */
  List<FeatureMatrix> matrices() {
    return matrices;
  }

  /** How many columns the matrices have together. */
  int columns() {
    return matrices.stream().mapToInt(FeatureMatrix::features).sum();
  }

  /** The first group's features as the first model's matrix, for explaining it. */
  FeatureMatrix firstModels(CompiledModel first) {
    return new ModelScores(context.services(), context.options(), context.bound())
        .matrix(0, first, matrices, columns, false);
  }

  /** The value of a feature of the first group, or NaN if it was not extracted. */
  float value(int document, int feature) {
    int column = columns.getFirst()[feature];
    return column < 0 ? Float.NaN : matrices.getFirst().get(document, column);
  }

  /** What a feature of the first group reads for the first document, if it is an expression. */
  List<ShardFeature.Input> inputs(int feature, IndexSearcher searcher) throws IOException {
    return context
        .groups()
        .getFirst()
        .inputs(feature, searcher, window, columns.getFirst(), matrices.getFirst());
  }

  /** What the first model's scores become at last. */
  FinalScores finals() {
    return new FinalScores(
        context.services(),
        context.options(),
        context.bound(),
        matrices.getFirst(),
        columns.getFirst());
  }

  /** Per model the scores of the window's documents; none if there is no model. */
  double[][] scores() {
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

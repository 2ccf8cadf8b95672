// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.feature.BoundFeature;
import io.quickscorer.plugin.feature.ShardFeature;
import io.quickscorer.plugin.feature.window.Cancellation;
import io.quickscorer.plugin.feature.window.Window;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.CompiledModel;
import io.quickscorer.plugin.stats.RescoreStats;
import io.quickscorer.plugin.verify.Verifier;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
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
  /** Documents times trees scored between two checks for cancellation: some milliseconds. */
  private static final long BLOCK_WORK = 1 << 20;

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
    boolean direct = models.size() == 1 && !context.options().log();
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
    scores = new double[models.size()][];
    for (int m = 0; m < scores.length; m++) {
      CompiledModel model = models.get(m);
      FeatureMatrix matrix = matrix(m, model, direct);
      if (stats != null) {
        stats.observed().observe(model.id(), matrix);
      }
      long begin = System.nanoTime();
      scores[m] =
          context
              .services()
              .engines()
              .with(
                  model,
                  context.options(),
                  scorer -> score(model.id(), scorer, matrix, cancellation));
      if (stats != null) {
        stats.scored(model.id(), window.size(), extractNanos, System.nanoTime() - begin);
      }
      if (context.options().transformed()) {
        for (int i = 0; i < scores[m].length; i++) {
          scores[m][i] = model.transform().apply(scores[m][i]);
        }
      }
    }
    scoreNanos = System.nanoTime() - start;
  }

  /** A model's own matrix: the extracted one, put in order, or columns copied out of it. */
  private FeatureMatrix matrix(int m, CompiledModel model, boolean direct) {
    int g = context.bound().models().get(m).group();
    FeatureMatrix extracted = matrices.get(g);
    FeatureMatrix matrix =
        direct ? extracted : new FeatureMatrix(ModelColumns.width(model), window.size());
    List<BoundFeature> group = context.bound().groups().get(g).features();
    ModelColumns.arrange(ModelColumns.places(model, group), columns.get(g), extracted, matrix);
    return matrix;
  }

  /** Scores block after block, so that a cancelled search stops soon. */
  private double[] score(
      ModelId id, EnsembleScorer scorer, FeatureMatrix matrix, Cancellation cancellation) {
    Verifier verifier = context.services().verifier();
    int documents = matrix.documents();
    double[] scores = new double[documents];
    long perBlock =
        BLOCK_WORK / Math.max(1, scorer.ensemble().shape().trees()) / FeatureMatrix.BLOCK;
    int block = (int) Math.max(1, Math.min(perBlock, 1 << 10)) * FeatureMatrix.BLOCK;
    Scratch scratch = scorer.newScratch();
    cancellation.check();
    if (documents <= block) {
      scorer.score(matrix, scratch, scores);
      verifier.offer(id, scorer, scratch, matrix, scores);
      return scores;
    }
    FeatureMatrix part = new FeatureMatrix(matrix.features(), block);
    double[] partScores = new double[block];
    for (int from = 0; from < documents; from += block) {
      int count = Math.min(block, documents - from);
      part.setFrom(matrix, from, count);
      cancellation.check();
      scorer.score(part, scratch, partScores);
      verifier.offer(id, scorer, scratch, part, partScores);
      System.arraycopy(partScores, 0, scores, from, count);
    }
    return scores;
  }

  /** The values of the first group's features, those that are logged first. */
  FeatureMatrix features() {
    return matrices.getFirst();
  }

  /** The first group's features as the first model's matrix, for explaining it. */
  FeatureMatrix firstModels(CompiledModel first) {
    return matrix(0, first, false);
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

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.feature.BoundFeature;
import io.quickscorer.plugin.feature.Cancellation;
import io.quickscorer.plugin.feature.IdleThreads;
import io.quickscorer.plugin.feature.Window;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.stats.RescoreStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lease.Releasable;

/**
 * The feature values of a list of hits (the window), and the scores of the models for these hits.
 * Their memory is charged to a circuit breaker.
 *
 * <p>With one model, and if no values are logged or sent to another node, features are computed
 * directly into the model's matrix. Otherwise, each group of features that models share is computed
 * once, and copied to the matrix of each model.
 */
final class ScoredWindow implements Releasable {
  private final EnsembleRescoreContext context;
  private final BoundClause.Stage stage;
  private final Window window;

  /**
   * The feature values, one matrix per group of features. The array at the same index in {@link
   * #columns} has the column of each feature of the group.
   */
  private final List<FeatureMatrix> matrices = new ArrayList<>();

  private final List<int[]> columns = new ArrayList<>();

  /** For each group of features, the features whose values were copied from an earlier stage. */
  private final List<BitSet> taken = new ArrayList<>();

  private double[][] scores = {};

  private long extractNanos;
  private long scoreNanos;
  private long sortNanos;
  private final MemoryCharge charge;

  private ScoredWindow(
      EnsembleRescoreContext context, BoundClause.Stage stage, Window window, MemoryCharge charge) {
    this.context = context;
    this.stage = stage;
    this.window = window;
    this.charge = charge;
  }

  /**
   * Computes the features of a {@linkplain BoundClause.Stage stage} for a list of hits, scores the
   * hits by each model of the stage, and updates the statistics.
   *
   * @param models the stage's models; the caller keeps them in memory
   * @param earlier the scored hits of earlier stages; feature values that these stages have
   *     computed are copied
   */
  static ScoredWindow of(
      EnsembleRescoreContext context,
      BoundClause.Stage stage,
      List<CompiledModel> models,
      Window window,
      IndexSearcher searcher,
      List<ScoredWindow> earlier)
      throws IOException {
    ClauseOptions options = stage.options();
    boolean keepsValues = options.log() || options.isGlobal();
    boolean direct = models.size() == 1 && !keepsValues && stage.bound().rule() == null;
    RescoreStats stats = context.services().stats();
    return of(context, stage, models, window, searcher, earlier, direct, stats);
  }

  /**
   * Scores hits again to explain them, without changing the statistics. The result also has the
   * values of features that only serve as inputs of other features.
   */
  static ScoredWindow withInputs(
      EnsembleRescoreContext context,
      BoundClause.Stage stage,
      List<CompiledModel> models,
      Window window,
      IndexSearcher searcher)
      throws IOException {
    return of(context, stage, models, window, searcher, List.of(), false, null);
  }

  private static ScoredWindow of(
      EnsembleRescoreContext context,
      BoundClause.Stage stage,
      List<CompiledModel> models,
      Window window,
      IndexSearcher searcher,
      List<ScoredWindow> earlier,
      boolean direct,
      @Nullable RescoreStats stats)
      throws IOException {
    List<int[]> columns = new ArrayList<>();
    List<Integer> widths = new ArrayList<>();
    for (int g = 0; g < stage.bound().groups().size(); g++) {
      List<BoundFeature> group = stage.bound().groups().get(g).features();
      if (!stage.reads(g)) {
        columns.add(ModelScores.noColumns(group));
        widths.add(0);
        continue;
      }
      int[] groupColumns =
          direct
              ? ModelScores.ownColumns(models.getFirst(), group)
              : ModelScores.compactColumns(group);
      columns.add(groupColumns);
      widths.add(
          direct ? ModelScores.width(models.getFirst()) : ModelScores.countColumns(groupColumns));
    }
    context
        .budget()
        .checkValues(widths.stream().mapToLong(Integer::longValue).sum(), window.size());
    long bytes = bytes(widths, models, direct, window.size());
    for (int g = 0; g < columns.size(); g++) {
      if (!stage.reads(g)) {
        continue;
      }
      bytes += context.groups().get(g).scratchBytes(columns.get(g), window.size());
    }
    MemoryCharge charge = MemoryCharge.take(context.breaker(), bytes, "quickscorer window");
    ScoredWindow scored = new ScoredWindow(context, stage, window, charge);
    boolean done = false;
    try {
      scored.extract(columns, widths, searcher, earlier);
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
      copied = Math.max(copied, FeatureMatrix.cells(ModelScores.width(model), documents));
    }
    return (cells + (direct ? 0 : copied)) * Float.BYTES
        + (long) models.size() * documents * Double.BYTES;
  }

  private void extract(
      List<int[]> groupColumns,
      List<Integer> widths,
      IndexSearcher searcher,
      List<ScoredWindow> earlier)
      throws IOException {
    long start = System.nanoTime();
    for (int g = 0; g < groupColumns.size(); g++) {
      FeatureMatrix matrix =
          context.services().engines().buffers().takeMatrix(widths.get(g), window.size());
      int[] own = groupColumns.get(g);
      BitSet known = new BitSet();
      for (ScoredWindow before : earlier) {
        before.copy(g, window, own, matrix, known);
      }
      IdleThreads idle = context.services().idle();
      context.groups().get(g).collect(searcher, window, own, known, matrix, idle);
      matrices.add(matrix);
      columns.add(own);
      taken.add(known);
    }
    extractNanos = System.nanoTime() - start;
  }

  /**
   * Copies feature values of some of the hits to another matrix.
   *
   * @param part the hits to copy
   * @param to for each feature of the group, its column in {@code matrix}; -1 for a feature not to
   *     copy
   * @param matrix receives the values
   * @param known bit f is set if {@code matrix} already has the values of feature f; this method
   *     sets the bits of the features that it copies
   */
  private void copy(int group, Window part, int[] to, FeatureMatrix matrix, BitSet known) {
    int[] from = columns.get(group);
    int[] places = new int[0];
    for (int f = 0; f < to.length; f++) {
      if (to[f] < 0 || from[f] < 0 || known.get(f)) {
        continue;
      }
      places = places.length == 0 ? places(part) : places;
      float[] values = matrices.get(group).values();
      int source = matrices.get(group).column(from[f]);
      int target = matrix.column(to[f]);
      for (int i = 0; i < places.length; i++) {
        matrix.values()[target + i] = values[source + places[i]];
      }
      known.set(f);
    }
  }

  /**
   * Returns, for each hit of {@code part}, its index in this object's window.
   *
   * @param part some of the window's hits
   */
  private int[] places(Window part) {
    return Arrays.stream(part.docs()).map(doc -> Arrays.binarySearch(window.docs(), doc)).toArray();
  }

  private void score(
      List<CompiledModel> models,
      boolean direct,
      @Nullable RescoreStats stats,
      Cancellation cancellation) {
    long start = System.nanoTime();
    ModelScores scoring = new ModelScores(context.services(), stage.options(), stage.bound());
    scores = scoring.of(models, matrices, columns, direct, stats, extractNanos, cancellation);
    scoreNanos = System.nanoTime() - start;
  }

  /**
   * Returns the feature values, one matrix per group. A group that the stage does not read has an
   * empty matrix. The logged features are the first columns of the first matrix.
   */
  List<FeatureMatrix> matrices() {
    return matrices;
  }

  /** Returns the total number of columns in the matrices of all groups of features. */
  int columns() {
    return matrices.stream().mapToInt(FeatureMatrix::features).reduce(0, Math::addExact);
  }

  /** Returns the values of the first document, to explain its score by the stage's first model. */
  ModelExplanation.Values explained(CompiledModel first, IndexSearcher searcher) {
    int g = stage.rankingGroup();
    FeatureMatrix features = matrices.get(g);
    int[] own = columns.get(g);
    FeatureMatrix row =
        new ModelScores(context.services(), stage.options(), stage.bound())
            .matrix(0, first, matrices, columns, false);
    return new ModelExplanation.Values(
        features,
        own,
        row,
        feature -> context.groups().get(g).inputs(feature, searcher, window, own, features));
  }

  /** Returns the scores by which the hits are sorted; see {@link FinalScores}. */
  float[] finals() throws IOException {
    return stage.bound().rule() == null
        ? stage.options().combination().combine(window.scores(), scores[0])
        : finalScores().of(window.scores(), scores[0]);
  }

  /** Returns the object that computes and explains the scores by which hits are sorted. */
  FinalScores finalScores() {
    int g = stage.rankingGroup();
    return new FinalScores(
        context.services(), stage.options(), stage.bound(), matrices.get(g), columns.get(g));
  }

  /**
   * Returns the indices of the features of a group that were computed for this object, not copied
   * from another stage.
   */
  BitSet extracted(int group) {
    return context.groups().get(group).computed(columns.get(group), taken.get(group));
  }

  /** Returns the {@linkplain BoundClause.Stage stage} whose models scored the hits. */
  BoundClause.Stage stage() {
    return stage;
  }

  Window window() {
    return window;
  }

  /** Returns, for each model, the scores of the hits; empty if there is no model. */
  double[][] scores() {
    return scores;
  }

  long extractNanos() {
    return extractNanos;
  }

  long scoreNanos() {
    return scoreNanos;
  }

  /** Sets the time for sorting the hits, in nanoseconds. */
  void sorted(long nanos) {
    sortNanos = nanos;
  }

  long sortNanos() {
    return sortNanos;
  }

  /** Releases the memory of the feature values, which must not be read afterwards. */
  @Override
  public void close() {
    charge.close();
    if (scores.length > 0) {
      ModelId model = stage.bound().ids().getFirst();
      IdleBuffers idle = context.services().engines().buffers();
      matrices.forEach(matrix -> idle.keep(model, matrix));
    }
    matrices.clear();
  }
}

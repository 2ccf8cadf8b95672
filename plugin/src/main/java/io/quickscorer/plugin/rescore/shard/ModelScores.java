// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.feature.BoundFeature;
import io.quickscorer.plugin.feature.Cancellation;
import io.quickscorer.plugin.feature.FeatureDefinition;
import io.quickscorer.plugin.feature.IdleThreads;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.stats.RescoreStats;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.breaker.CircuitBreaker;

/**
 * Computes the scores of documents by a clause's models, from matrices of feature values. Models
 * share a group of features unless their sets define a feature differently. Each group has one
 * matrix.
 *
 * <p>In an array named {@code columns}, element f is the matrix's column for feature f of a group,
 * or -1 if there is none.
 */
record ModelScores(RescoreServices services, ClauseOptions options, BoundClause bound) {
  /**
   * Minimum work per thread: the number of documents times the number of trees. This work takes
   * about 0.6 ms.
   */
  private static final long MIN_THREAD_WORK = 1 << 19;

  /**
   * Minimum number of documents in a block, because engines (algorithms) score small blocks slowly.
   */
  private static final int MIN_BLOCK = 512;

  /**
   * Maximum bytes of temporary arrays; if more is needed, the documents are divided into blocks.
   */
  private static final long MAX_SCRATCH = 1 << 25;

  /**
   * Number of blocks of documents per thread. With several blocks per thread, a slow thread can
   * process fewer of them.
   */
  private static final int BLOCKS_PER_THREAD = 4;

  /**
   * Returns the scores of the documents, for each model.
   *
   * @param models the clause's models; the caller keeps them in memory
   * @param matrices one matrix per group of features, all with the same documents
   * @param columns one array per group; element f is the column of the group's feature f in the
   *     matrix, or -1
   * @param direct true if there is only one model, and the only matrix already has this model's
   *     columns
   * @param stats receives the number of scores and the times; null to leave statistics unchanged
   * @param extractNanos the time for computing the feature values, in nanoseconds, for {@code
   *     stats}
   */
  public double[][] of(
      List<CompiledModel> models,
      List<FeatureMatrix> matrices,
      List<int[]> columns,
      boolean direct,
      @Nullable RescoreStats stats,
      long extractNanos,
      Cancellation cancellation) {
    double[][] scores = new double[models.size()][];
    for (int m = 0; m < scores.length; m++) {
      CompiledModel model = models.get(m);
      FeatureMatrix matrix = matrix(m, model, matrices, columns, direct);
      if (stats != null) {
        stats.observe(model.id(), () -> model.scorer().ensemble(), matrix);
      }
      long begin = System.nanoTime();
      scores[m] =
          options.usesOwnEngine()
              ? score(model.id(), model.scorer(), matrix, cancellation)
              : services
                  .engines()
                  .with(model, options, scorer -> score(model.id(), scorer, matrix, cancellation));
      if (stats != null) {
        stats.scored(model.id(), matrix.documents(), extractNanos, System.nanoTime() - begin);
      }
      if (options.transformed()) {
        for (int i = 0; i < scores[m].length; i++) {
          scores[m][i] = model.transform().apply(scores[m][i]);
        }
      }
    }
    if (stats != null && scores.length > 1) {
      stats.comparisons().scored(options.names().experiment(), bound.ids(), scores);
    }
    return scores;
  }

  /**
   * Returns the matrix that a model scores.
   *
   * @param m the model's index in the clause
   * @param direct true if the group's matrix already has the model's columns, and is returned
   *     itself; false to return a new matrix with these columns
   */
  public FeatureMatrix matrix(
      int m,
      CompiledModel model,
      List<FeatureMatrix> matrices,
      List<int[]> columns,
      boolean direct) {
    int g = bound.models().get(m).group();
    FeatureMatrix extracted = matrices.get(g);
    FeatureMatrix matrix =
        direct ? extracted : new FeatureMatrix(width(model), extracted.documents());
    List<BoundFeature> group = bound.groups().get(g).features();
    arrange(places(model, group), columns.get(g), extracted, matrix);
    return matrix;
  }

  /**
   * Computes the scores of all documents of a matrix, in blocks if idle threads can help or the
   * temporary arrays would be too large.
   */
  private double[] score(
      ModelId id, EnsembleScorer scorer, FeatureMatrix matrix, Cancellation cancellation) {
    int documents = matrix.documents();
    double[] scores = new double[documents];
    long trees = Math.max(1, scorer.ensemble().shape().trees());
    int max = Math.max(1, documents);
    while (max > MIN_BLOCK && scorer.scratchBytes(max) > MAX_SCRATCH) {
      max = Math.ceilDiv(max / 2, MIN_BLOCK) * MIN_BLOCK;
    }
    long scratch = scorer.scratchBytes(max);
    long bytes = FeatureMatrix.cells(matrix.features(), max) * Float.BYTES + 8L * max;
    CircuitBreaker breaker = services.memory().breaker();
    try (MemoryCharge charge = MemoryCharge.take(breaker, scratch, "quickscorer engine");
        IdleThreads.Helpers helpers = helpers(scorer, documents * trees, scratch + bytes)) {
      int block = helpers.threads() == 1 ? max : shared(documents, max, helpers.threads());
      helpers.run(
          Math.ceilDiv(documents, block),
          parts -> score(parts, block, id, scorer, matrix, scores, cancellation));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return scores;
  }

  /**
   * Returns idle threads for computing scores; none for a GPU, which divides the work by itself.
   */
  private IdleThreads.Helpers helpers(EnsembleScorer scorer, long work, long bytes) {
    return scorer.uses(Algorithm.GPU) || scorer.uses(Algorithm.GPU_QS)
        ? IdleThreads.Helpers.NONE
        : services.idle().ask(work, MIN_THREAD_WORK, bytes);
  }

  private static int shared(int documents, int max, int threads) {
    int even = Math.ceilDiv(documents, BLOCKS_PER_THREAD * threads);
    int block = Math.ceilDiv(even, MIN_BLOCK) * MIN_BLOCK;
    return Math.min(max, block);
  }

  /**
   * Computes the scores of blocks of documents on the calling thread, until no block is left or the
   * search is cancelled.
   */
  private void score(
      IdleThreads.Parts parts,
      int block,
      ModelId id,
      EnsembleScorer scorer,
      FeatureMatrix matrix,
      double[] scores,
      Cancellation cancellation) {
    int part = parts.next();
    if (part < 0) {
      return;
    }
    int documents = matrix.documents();
    boolean whole = documents <= block;
    IdleBuffers buffers = services.engines().buffers();
    Scratch scratch = buffers.takeScratch(scorer);
    FeatureMatrix copy = whole ? matrix : new FeatureMatrix(matrix.features(), block);
    double[] copyScores = whole ? scores : new double[block];
    for (; part >= 0; part = parts.next()) {
      cancellation.check();
      int from = part * block;
      int count = Math.min(block, documents - from);
      if (!whole) {
        copy.setFrom(matrix, from, count);
      }
      scorer.score(copy, scratch, copyScores, cancellation::check);
      services.verifier().offer(id, scorer, scratch, copy, copyScores);
      if (!whole) {
        System.arraycopy(copyScores, 0, scores, from, count);
      }
    }
    buffers.keep(id, scorer, scratch);
  }

  /** Returns the number of columns in the matrix that a model scores. */
  static int width(CompiledModel model) {
    return model.scorer().ensemble().featureNames().size();
  }

  /**
   * Returns one element per feature of the group: the feature's column in the model's matrix, the
   * first if it has several; -1 if it has none.
   */
  static int[] ownColumns(CompiledModel model, List<BoundFeature> group) {
    int[] columns = noColumns(group);
    int[] places = places(model, group);
    for (int f = places.length - 1; f >= 0; f--) {
      if (places[f] >= 0 && !(group.get(places[f]) instanceof BoundFeature.Unused)) {
        columns[places[f]] = f;
      }
    }
    return columns;
  }

  /**
   * Returns the column of each feature: the needed features get the columns 0, 1, 2 and so on, and
   * each other feature gets -1.
   */
  static int[] compactColumns(List<BoundFeature> group) {
    int[] columns = new int[group.size()];
    int next = 0;
    for (int f = 0; f < columns.length; f++) {
      columns[f] = group.get(f) instanceof BoundFeature.Unused ? -1 : next++;
    }
    return columns;
  }

  static int[] noColumns(List<BoundFeature> group) {
    int[] columns = new int[group.size()];
    Arrays.fill(columns, -1);
    return columns;
  }

  /** Returns the number of columns in the result of {@link #compactColumns}. */
  static int countColumns(int[] columns) {
    return (int) Arrays.stream(columns).filter(column -> column >= 0).count();
  }

  /**
   * Returns one element per feature in the model's file: the feature's index in the group; -1 if
   * the group lacks it.
   */
  static int[] places(CompiledModel model, List<BoundFeature> group) {
    List<FeatureDefinition> set = model.features().features();
    int[] places = model.columns();
    if (isStartOf(set, group)) {
      return places;
    }
    Map<String, Integer> byName = new HashMap<>();
    for (int f = 0; f < group.size(); f++) {
      byName.putIfAbsent(group.get(f).name(), f);
    }
    return Arrays.stream(places)
        .map(place -> place < 0 ? -1 : byName.getOrDefault(set.get(place).name(), -1))
        .toArray();
  }

  private static boolean isStartOf(List<FeatureDefinition> set, List<BoundFeature> group) {
    if (set.size() > group.size()) {
      return false;
    }
    for (int f = 0; f < set.size(); f++) {
      if (!set.get(f).name().equals(group.get(f).name())) {
        return false;
      }
    }
    return true;
  }

  /**
   * Copies feature values to the columns that a model reads.
   *
   * @param places one element per feature in the model's file: the feature's index in the group, or
   *     -1
   * @param columns one element per feature of the group: the feature's column in {@code extracted},
   *     or -1
   * @param extracted the matrix with the computed features
   * @param to receives the values; may be {@code extracted} itself
   */
  static void arrange(int[] places, int[] columns, FeatureMatrix extracted, FeatureMatrix to) {
    boolean same = to.values() == extracted.values();
    for (int f = 0; f < places.length; f++) {
      int from = places[f] < 0 ? -1 : columns[places[f]];
      if (from >= 0 && !(same && from == f)) {
        System.arraycopy(
            extracted.values(),
            extracted.column(from),
            to.values(),
            to.column(f),
            extracted.documents());
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.feature.BoundFeatures;
import io.quickscorer.plugin.feature.Cancellation;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.stats.RescoreStats;
import java.util.ArrayList;
import java.util.List;

/**
 * The feature values, sent by shards, of the hits that the coordinating node ranks together.
 *
 * @param matrices one matrix per group of the clause's features; its rows are the hits whose values
 *     the coordinating node needs, best first
 * @param columns one array per group; element f is the column of the group's feature f in the
 *     matrix, or -1 if the feature is not needed
 * @param rows element i is the row of hit i; -1 if its values are not needed
 */
record GlobalWindow(List<FeatureMatrix> matrices, List<int[]> columns, int[] rows) {
  /** Returns the total number of columns in the matrices of all groups of features. */
  static int width(BoundClause bound) {
    return bound.groups().stream().mapToInt(GlobalWindow::width).reduce(0, Math::addExact);
  }

  private static int width(BoundFeatures group) {
    return ModelScores.countColumns(ModelScores.compactColumns(group.features()));
  }

  /** Returns the bytes of the feature values and scores of a number of hits. */
  static long bytes(BoundClause bound, int hits, List<CompiledModel> models) {
    long copied = 0;
    for (CompiledModel model : models) {
      copied = Math.max(copied, FeatureMatrix.cells(ModelScores.width(model), hits));
    }
    long cells = copied;
    for (BoundFeatures group : bound.groups()) {
      cells += FeatureMatrix.cells(width(group), hits);
    }
    return cells * Float.BYTES + (long) models.size() * hits * Double.BYTES;
  }

  /**
   * Creates the matrices from the values that the shards sent.
   *
   * @param sent the data that the shards sent, one element per hit
   * @throws IllegalArgumentException (400) if a hit has no values
   * @throws IllegalStateException if a hit has a wrong number of values
   */
  static GlobalWindow of(BoundClause bound, List<CarriedHit> sent) {
    List<FeatureMatrix> matrices = new ArrayList<>();
    List<int[]> columns = new ArrayList<>();
    int width = width(bound);
    int[] rows = new int[sent.size()];
    int count = 0;
    for (int i = 0; i < rows.length; i++) {
      rows[i] = sent.get(i).needsValues() ? count++ : -1;
    }
    for (BoundFeatures group : bound.groups()) {
      int[] groupColumns = ModelScores.compactColumns(group.features());
      columns.add(groupColumns);
      matrices.add(new FeatureMatrix(ModelScores.countColumns(groupColumns), count));
    }
    for (int i = 0; i < rows.length; i++) {
      if (rows[i] < 0) {
        continue;
      }
      float[] values = sent.get(i).values();
      if (values.length == 0 && width > 0) {
        throw new IllegalArgumentException(
            "a hit of the window has no feature values, because it was moved there from beyond the"
                + " window of its shard in another cluster; send the search with"
                + " [ccs_minimize_roundtrips] false");
      }
      if (values.length != width) {
        throw new IllegalStateException(
            "a hit has " + values.length + " feature values, expected " + width);
      }
      int next = 0;
      for (FeatureMatrix matrix : matrices) {
        for (int f = 0; f < matrix.features(); f++) {
          matrix.set(rows[i], f, values[next++]);
        }
      }
    }
    GlobalWindow window = new GlobalWindow(matrices, columns, rows);
    window.scale(bound);
    return window;
  }

  /**
   * Scales the values of those features that are relative to the other hits, such as a rank. Shards
   * cannot do this, because they do not know all hits.
   */
  private void scale(BoundClause bound) {
    for (int g = 0; g < matrices.size(); g++) {
      FeatureMatrix matrix = matrices.get(g);
      for (BoundFeatures.Relative feature : bound.groups().get(g).relative()) {
        int start = matrix.column(columns.get(g)[feature.place()]);
        feature.apply(matrix.values(), start, matrix.documents());
      }
    }
  }

  /**
   * Computes the scores of the hits whose values this object has, by each model.
   *
   * @param counts whether the statistics count the scores
   */
  double[][] scores(
      RescoreServices services,
      ClauseOptions options,
      BoundClause bound,
      List<CompiledModel> models,
      boolean counts,
      Cancellation cancellation) {
    RescoreStats stats = counts ? services.stats() : null;
    long start = System.nanoTime();
    double[][] scores =
        new ModelScores(services, options, bound)
            .of(models, matrices, columns, false, stats, 0, cancellation);
    if (stats != null && scores.length > 0) {
      stats.scored(System.nanoTime() - start);
    }
    return scores;
  }

  /** Returns the first {@code count} feature values of a hit, the logged ones; NaN if missing. */
  float[] logged(int hit, int count) {
    float[] values = new float[count];
    for (int f = 0; f < count; f++) {
      values[f] = matrices.getFirst().get(rows[hit], f);
    }
    return values;
  }

  /** Returns a copy with only the hit that has this index. */
  GlobalWindow only(int hit) {
    List<FeatureMatrix> alone = new ArrayList<>();
    for (FeatureMatrix matrix : matrices) {
      FeatureMatrix row = new FeatureMatrix(matrix.features(), 1);
      for (int f = 0; f < matrix.features(); f++) {
        row.set(0, f, matrix.get(rows[hit], f));
      }
      alone.add(row);
    }
    return new GlobalWindow(alone, columns, new int[1]);
  }
}

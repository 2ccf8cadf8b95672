// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.train.data.FeatureRows;
import java.util.ArrayList;
import java.util.List;

/** Computes a model's scores of the logged hits of queries. */
final class ModelScores {
  private ModelScores() {}

  /** Returns the raw scores of the hits: one array per query, with one score per hit. */
  static List<double[]> of(TreeEnsemble ensemble, List<FeatureRows.Hits> hits) {
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble, Algorithm.CPU);
    Scratch scratch = scorer.newScratch();
    int features = ensemble.featureNames().size();
    List<double[]> scores = new ArrayList<>();
    for (FeatureRows.Hits query : hits) {
      double[] score = new double[query.ids().size()];
      float[] flat = FeatureRows.flat(query.values(), features);
      scorer.score(FeatureMatrix.ofRows(flat, features), scratch, score);
      scores.add(score);
    }
    return scores;
  }
}

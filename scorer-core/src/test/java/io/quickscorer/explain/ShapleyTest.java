// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Seeds;
import io.quickscorer.testing.Values;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Contributions of random ensembles against Shapley's definition, over all subsets of features. */
final class ShapleyTest {
  private static final int ENSEMBLES = 200;
  private static final int DOCUMENTS = 8;

  /** What rounding may do to a value, as a part of the sum of all leaves' absolute values. */
  private static final double BOUND = 1e-13;

  @Test
  void equalTheDefinition() {
    SplittableRandom random = Seeds.random("shapley");
    double worst = 0;
    for (int i = 0; i < ENSEMBLES * Seeds.iterations(); i++) {
      RandomEnsembles kind =
          RandomEnsembles.of(random)
              .covers()
              .trees(1 + random.nextInt(3))
              .leaves(1, 14)
              .features(1 + random.nextInt(7));
      kind = random.nextBoolean() ? kind.categorical() : kind;
      kind = random.nextInt(4) == 0 ? kind.chains() : kind;
      TreeEnsemble ensemble = kind.build();
      Explainer explainer = Explainer.compile(ensemble);
      Workspace workspace = explainer.newWorkspace();
      FeatureMatrix documents = Values.documents(random, ensemble, DOCUMENTS);
      double size = size(ensemble);
      for (int d = 0; d < DOCUMENTS; d++) {
        double[] found = explainer.contributions(documents, d, workspace);
        double[] games = games(ensemble, documents, d);
        assertEquals(games[0], explainer.expectedValue(), BOUND * size, "nothing known");
        for (int f = 0; f < found.length; f++) {
          double exact = shapley(games, f, found.length);
          double off = Math.abs(found[f] - exact) / size;
          assertTrue(off <= BOUND, "ensemble " + i + ", feature " + f + ": off by " + off);
          worst = Math.max(worst, off);
        }
      }
    }
    System.out.printf("shapley: %d ensembles, off by %.1e of the leaves' sum%n", ENSEMBLES, worst);
  }

  @Test
  void addUpToTheScore() {
    SplittableRandom random = Seeds.random("additivity");
    double worst = 0;
    for (int leaves : new int[] {2, 64, 65, 300}) {
      for (int features : new int[] {1, 3, 200}) {
        RandomEnsembles kind =
            RandomEnsembles.of(random).covers().categorical().leaves(leaves, leaves);
        TreeEnsemble ensemble =
            (random.nextBoolean() ? kind.chains() : kind).features(features).build();
        worst = Math.max(worst, sumsOff(ensemble, random));
      }
    }
    System.out.printf("additivity: off by %.1e of the leaves' sum%n", worst);
    assertTrue(worst <= BOUND, "off by " + worst);
  }

  private static double sumsOff(TreeEnsemble ensemble, SplittableRandom random) {
    FeatureMatrix documents = Values.documents(random, ensemble, DOCUMENTS);
    ReferenceScorer scorer = ReferenceScorer.compile(ensemble);
    double[] scores = new double[DOCUMENTS];
    scorer.score(documents, scorer.newScratch(), scores);
    Explainer explainer = Explainer.compile(ensemble);
    Workspace workspace = explainer.newWorkspace();
    double worst = 0;
    for (int d = 0; d < DOCUMENTS; d++) {
      double sum = explainer.expectedValue();
      for (double contribution : explainer.contributions(documents, d, workspace)) {
        sum += contribution;
      }
      worst = Math.max(worst, Math.abs(sum - scores[d]) / size(ensemble));
    }
    return worst;
  }

  private static double size(TreeEnsemble ensemble) {
    double size = Math.abs(ensemble.initialScore());
    for (Tree tree : ensemble.trees()) {
      for (int leaf = 0; leaf < tree.leaves(); leaf++) {
        size += Math.abs(tree.leafValue(leaf));
      }
    }
    return size;
  }

  /** The ensemble's mean score for each set of known features, a bit per feature. */
  private static double[] games(TreeEnsemble ensemble, FeatureMatrix documents, int document) {
    double[] games = new double[1 << documents.features()];
    for (int known = 0; known < games.length; known++) {
      games[known] = ensemble.initialScore();
      for (Tree tree : ensemble.trees()) {
        games[known] += mean(tree, tree.splits() == 0 ? ~0 : 0, known, documents, document);
      }
    }
    return games;
  }

  /** Recursive, as the definition is; these trees are small. */
  private static double mean(
      Tree tree, int node, int known, FeatureMatrix documents, int document) {
    if (node < 0) {
      return tree.leafValue(~node);
    }
    int feature = tree.feature(node);
    int left = tree.left(node);
    int right = tree.right(node);
    if ((known >> feature & 1) != 0) {
      int child = tree.goesLeft(node, documents.get(document, feature)) ? left : right;
      return mean(tree, child, known, documents, document);
    }
    double all = tree.statistics().splitCover(node);
    return mean(tree, left, known, documents, document) * (cover(tree, left) / all)
        + mean(tree, right, known, documents, document) * (cover(tree, right) / all);
  }

  private static double cover(Tree tree, int node) {
    return node < 0 ? tree.statistics().leafCover(~node) : tree.statistics().splitCover(node);
  }

  /** The mean of what the feature adds, over all orders in which features become known. */
  private static double shapley(double[] games, int feature, int features) {
    double value = 0;
    for (int known = 0; known < games.length; known++) {
      if ((known >> feature & 1) == 0) {
        int before = Integer.bitCount(known);
        double orders = factorial(before) * factorial(features - before - 1) / factorial(features);
        value += orders * (games[known | 1 << feature] - games[known]);
      }
    }
    return value;
  }

  private static double factorial(int n) {
    return n <= 1 ? 1 : n * factorial(n - 1);
  }
}

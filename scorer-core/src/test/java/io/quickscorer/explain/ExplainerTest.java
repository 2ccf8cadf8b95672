// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Seeds;
import io.quickscorer.testing.Values;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class ExplainerTest {
  private static final int DEEPEST = EnsembleLimits.DEFAULT.maxDepth();

  /** Feature a at 0.5: 1 of 4 rows go left to value 8, 3 go right to value 4. */
  private static TreeBuilder stump(double... covers) {
    TreeBuilder builder = new TreeBuilder(EnsembleLimits.DEFAULT, 2, false);
    builder.start(0, 3);
    builder.split(0, 0, 0.5f, MissingValue.NAN_LEFT, 1, 2);
    builder.leaf(1, 8);
    builder.leaf(2, 4);
    for (int node = 0; node < covers.length; node++) {
      builder.cover(node, covers[node]);
    }
    return builder;
  }

  private static TreeEnsemble.Builder ensemble(Tree... trees) {
    return TreeEnsemble.builder(List.of("a", "b"), new ModelSource(new ModelFormat("test"), "", ""))
        .trees(List.of(trees));
  }

  @Test
  void scaleBiasAndInitialScoreCount() {
    Tree stump = stump(4, 1, 3).build(0);
    TreeEnsemble ensemble = ensemble(stump).initialScore(100).scaleAndBias(10, 1000).build();
    Explainer explainer = Explainer.compile(ensemble);
    assertEquals(10 * (100 + 5) + 1000, explainer.expectedValue());
    FeatureMatrix left = FeatureMatrix.ofRows(new float[] {0.5f, 7}, 2);
    double[] contributions = explainer.contributions(left, 0, explainer.newWorkspace());
    assertEquals(30, contributions[0], 1e-13);
    assertEquals(0, contributions[1]);
    assertEquals(List.of(new TreeContribution(0, 0, 80, 50)), explainer.topTrees(left, 0, 5));
  }

  @Test
  void missingValuesGoTheirWay() {
    Explainer explainer = Explainer.compile(ensemble(stump(4, 1, 3).build(0)).build());
    FeatureMatrix missing = FeatureMatrix.ofRows(new float[] {Float.NaN, 0}, 2);
    assertEquals(3, explainer.contributions(missing, 0, explainer.newWorkspace())[0], 1e-15);
  }

  @Test
  void absentOrImpossibleCoversAreRefused() {
    assertRefused(
        "tree 1: contributions need the cover (amount of training data) of each node",
        stump(4, 1, 3).build(0),
        stump().build(0));
    assertRefused("tree 0, split 0: cover 0.0", stump(0, 0, 0).build(0));
    assertRefused("tree 0, split 0: cover -4.0", stump(-4, -1, -3).build(0));
    assertRefused("tree 0, split 0: cover Infinity", stump(1 / 0.0, 1, 3).build(0));
    assertRefused(
        "tree 0, split 0: a child's cover is 5.0, expected 0..4.0", stump(4, 1, 5).build(0));
    assertRefused("a child's cover is -1.0", stump(4, -1, 5).build(0));
  }

  private static void assertRefused(String said, Tree... trees) {
    TreeEnsemble ensemble = ensemble(trees).build();
    UnexplainableException e =
        assertThrows(UnexplainableException.class, () -> Explainer.compile(ensemble));
    assertTrue(String.valueOf(e.getMessage()).contains(said), e.getMessage());
  }

  @Test
  void otherMatricesAreRefused() {
    Explainer explainer = Explainer.compile(ensemble(stump(4, 1, 3).build(0)).build());
    Workspace workspace = explainer.newWorkspace();
    FeatureMatrix narrow = new FeatureMatrix(1, 1);
    FeatureMatrix right = new FeatureMatrix(2, 1);
    assertThrows(
        IllegalArgumentException.class, () -> explainer.contributions(narrow, 0, workspace));
    assertThrows(
        IllegalArgumentException.class, () -> explainer.contributions(right, 1, workspace));
    assertThrows(IllegalArgumentException.class, () -> explainer.topTrees(right, -1, 1));
  }

  /** No recursion, no array of depth times depth, and a sum that is still right. */
  @Test
  void theDeepestTreeAllowed() {
    SplittableRandom random = Seeds.random("deepest");
    TreeEnsemble ensemble =
        RandomEnsembles.of(random)
            .covers()
            .chains()
            .trees(1)
            .leaves(DEEPEST + 1, DEEPEST + 1)
            .features(DEEPEST)
            .build();
    assertEquals(DEEPEST, ensemble.shape().maxDepth());
    Explainer explainer = Explainer.compile(ensemble);
    Workspace workspace = explainer.newWorkspace();
    assertTrue(workspace.bytes() < 2 << 20, workspace.bytes() + " bytes");
    FeatureMatrix documents = Values.documents(random, ensemble, 2);
    ReferenceScorer scorer = ReferenceScorer.compile(ensemble);
    double[] scores = new double[2];
    scorer.score(documents, scorer.newScratch(), scores);
    double size = 0;
    for (int leaf = 0; leaf <= DEEPEST; leaf++) {
      size += Math.abs(ensemble.trees().get(0).leafValue(leaf));
    }
    for (int d = 0; d < 2; d++) {
      double sum = explainer.expectedValue();
      for (double contribution : explainer.contributions(documents, d, workspace)) {
        sum += contribution;
      }
      assertEquals(scores[d], sum, 1e-12 * size);
    }
  }

  @Test
  void topTreesAreThoseFurthestFromTheirMean() {
    SplittableRandom random = Seeds.random("top trees");
    TreeEnsemble ensemble = RandomEnsembles.of(random).covers().trees(30).build();
    Explainer explainer = Explainer.compile(ensemble);
    FeatureMatrix documents = Values.documents(random, ensemble, 4);
    ReferenceScorer scorer = ReferenceScorer.compile(ensemble);
    for (int d = 0; d < 4; d++) {
      List<TreeContribution> top = explainer.topTrees(documents, d, 5);
      List<TreeContribution> all = explainer.topTrees(documents, d, 100);
      assertEquals(5, top.size());
      assertEquals(30, all.size());
      assertEquals(all.subList(0, 5), top);
      for (int i = 0; i < all.size(); i++) {
        TreeContribution tree = all.get(i);
        assertEquals(scorer.exitLeaf(tree.tree(), documents, d), tree.leaf());
        double before = i == 0 ? Double.POSITIVE_INFINITY : Math.abs(all.get(i - 1).contribution());
        assertTrue(Math.abs(tree.contribution()) <= before, "place " + i);
      }
    }
    assertFalse(explainer.bytes() == 0 || explainer.stepsPerDocument() == 0);
  }
}

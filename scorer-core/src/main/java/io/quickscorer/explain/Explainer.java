// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

import io.quickscorer.ensemble.LinearTerms;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Divides a document's raw score among the features. The method is path-dependent TreeSHAP in
 * double, as in LightGBM ({@code predict_contrib}) and XGBoost ({@code pred_contribs}).
 *
 * <p>The contributions of all features plus {@link #expectedValue()} are equal to the raw score
 * except for rounding. The raw score is the result of a {@link io.quickscorer.scorer scorer},
 * before any {@link io.quickscorer.ensemble.OutputTransform}. Missing values, zeros and categories
 * are treated as in scoring.
 *
 * <p>In a linear model, a feature's contribution is its term, weight times normalised value, and
 * the expected value is the initial score.
 *
 * <p>Immutable and safe to share between threads; a {@link Workspace} belongs to one thread at a
 * time.
 */
public final class Explainer {
  private final TreeEnsemble ensemble;
  private final List<TreeShap> trees;
  private final double expectedValue;

  private Explainer(TreeEnsemble ensemble, List<TreeShap> trees) {
    this.ensemble = ensemble;
    this.trees = trees;
    double sum = ensemble.initialScore();
    for (TreeShap tree : trees) {
      sum += tree.paths().expected();
    }
    this.expectedValue = ensemble.rawScore(sum);
  }

  /**
   * Prepares the explanation of an ensemble's scores.
   *
   * @throws UnexplainableException if a tree has no covers or impossible covers, if splits test
   *     columns that are derived from several features, or if leaves are linear
   */
  public static Explainer compile(TreeEnsemble ensemble) {
    if (ensemble.hasLinearLeaves()) {
      throw new UnexplainableException("contributions are not defined for linear leaves");
    }
    if (ensemble.derived() != null) {
      throw new UnexplainableException(
          ensemble.derived().normalisations().isEmpty()
              ? "contributions are not defined for splits on target statistics of categories (CTRs)"
              : "contributions are not defined for splits on the results of an ONNX Normalizer");
    }
    int[] lastEdges = new int[ensemble.featureNames().size()];
    Map<Integer, Quadrature> rules = new HashMap<>();
    List<TreeShap> trees = new ArrayList<>(ensemble.trees().size());
    for (int t = 0; t < ensemble.trees().size(); t++) {
      TreePaths paths = TreePaths.of(ensemble.trees().get(t), t, lastEdges);
      int degree = Math.max(0, paths.distinct() - 1);
      trees.add(
          new TreeShap(paths, rules.computeIfAbsent(degree / 2, d -> Quadrature.ofDegree(2 * d))));
    }
    return new Explainer(ensemble, trees);
  }

  public TreeEnsemble ensemble() {
    return ensemble;
  }

  /** Returns the mean raw score over the training data. */
  public double expectedValue() {
    return expectedValue;
  }

  /** Returns the size of this object on the heap in bytes, without the ensemble. */
  public long bytes() {
    return trees.stream().mapToLong(tree -> tree.paths().bytes()).sum();
  }

  /**
   * Returns the number of inner loop iterations per explained document. Each takes about 5 to 8 ns.
   */
  public long stepsPerDocument() {
    LinearTerms linear = ensemble.linear();
    long terms = linear == null ? 0 : linear.size();
    return trees.stream().mapToLong(TreeShap::steps).sum() + terms;
  }

  public Workspace newWorkspace() {
    int edges = 0;
    int cells = 0;
    for (TreeShap tree : trees) {
      edges = Math.max(edges, tree.paths().edges());
      cells = Math.max(cells, tree.cells());
    }
    return new Workspace(edges, cells);
  }

  /**
   * Computes each feature's contribution to a document's raw score.
   *
   * @param document the number of the document in the matrix, from 0
   * @param workspace the buffers, from {@link #newWorkspace()} of this explainer
   * @return one number per feature, in the ensemble's order and in the unit of the raw score
   * @throws IllegalArgumentException if the matrix has another number of features, or no such
   *     document
   */
  public double[] contributions(FeatureMatrix matrix, int document, Workspace workspace) {
    check(matrix, document);
    double[] contributions = new double[matrix.features()];
    for (TreeShap tree : trees) {
      tree.addTo(contributions, ensemble.weight(), matrix, document, workspace);
    }
    LinearTerms linear = ensemble.linear();
    for (int term = 0; linear != null && term < linear.size(); term++) {
      float value = linear.normalise(term, matrix.get(document, linear.feature(term)));
      contributions[linear.feature(term)] += ensemble.weight() * linear.weight(term) * value;
    }
    return contributions;
  }

  /**
   * Returns the trees with the largest absolute contributions to a document's raw score, at most
   * {@code count} of them. The tree with the largest contribution is first.
   *
   * @throws IllegalArgumentException if the matrix has another number of features, or no such
   *     document
   */
  public List<TreeContribution> topTrees(FeatureMatrix matrix, int document, int count) {
    check(matrix, document);
    List<TreeContribution> all = new ArrayList<>(trees.size());
    for (int t = 0; t < trees.size(); t++) {
      TreePaths paths = trees.get(t).paths();
      int leaf = exitLeaf(paths.tree(), matrix, document);
      double value = ensemble.weight() * paths.tree().leafValue(leaf);
      all.add(new TreeContribution(t, leaf, value, ensemble.weight() * paths.expected()));
    }
    all.sort(
        Comparator.comparingDouble((TreeContribution tree) -> -Math.abs(tree.contribution()))
            .thenComparingInt(TreeContribution::tree));
    return List.copyOf(all.subList(0, Math.min(Math.max(count, 0), all.size())));
  }

  private static int exitLeaf(Tree tree, FeatureMatrix matrix, int document) {
    int node = tree.splits() == 0 ? ~0 : 0;
    while (node >= 0) {
      boolean left = tree.goesLeft(node, matrix.get(document, tree.feature(node)));
      node = left ? tree.left(node) : tree.right(node);
    }
    return ~node;
  }

  private void check(FeatureMatrix matrix, int document) {
    int features = ensemble.featureNames().size();
    if (matrix.features() != features) {
      throw new IllegalArgumentException(
          "the matrix has " + matrix.features() + " features, and the model has " + features);
    }
    if (document < 0 || document >= matrix.documents()) {
      throw new IllegalArgumentException(
          "no document " + document + ": the matrix has " + matrix.documents() + " documents");
    }
  }
}

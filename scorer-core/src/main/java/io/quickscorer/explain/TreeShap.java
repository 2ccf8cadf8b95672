// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

import io.quickscorer.ensemble.Tree;
import io.quickscorer.matrix.FeatureMatrix;
import java.util.Arrays;

/**
 * Computes the contributions of one tree's features (Shapley values), exact except for rounding.
 * The time is proportional to the number of nodes times the number of features per path.
 *
 * <p>The definition is that of Lundberg, Erion and Lee, "Consistent Individualized Feature
 * Attribution for Tree Ensembles", arXiv:1802.03888, 2018, section 3. Each feature is known or
 * unknown. A split on a known feature sends the document to one child; a split on an unknown
 * feature averages its children, weighted by cover, the amount of training data that reached each
 * child. So the value v of a leaf is multiplied by one factor for each feature of its path. The
 * factor of a known feature is o: 1 if the document goes towards the leaf at all splits of the
 * feature, otherwise 0. The factor of an unknown feature is z, from {@link TreePaths#fractions}.
 *
 * <p>Algorithm 2 of the paper stores, at every node, one weight for each possible number of known
 * features. This class computes an integral instead, which has the same value: each feature becomes
 * known at a random time t in [0, 1], so that all orders of the features are equally likely.
 *
 * <pre>
 * {@code contribution of i = v (o_i - z_i) integral over t of product over j != i of ((1 - t) z_j + t o_j)}
 * </pre>
 *
 * <p>The integrand is a polynomial. A Gauss-Legendre rule with half as many points as features
 * integrates it exactly. At each point, one pass from the root down multiplies the factors, and one
 * pass up adds the leaves. If a feature occurs again on a path, its new factor replaces the
 * previous factor. Sources: for the evaluation of such polynomials at points, Yu, Xu, Bifet and
 * Read, "Linear TreeShap", NeurIPS 2022; for the integral, Owen, "Multilinear Extensions of Games",
 * Management Science 18(5), 1972.
 */
final class TreeShap {
  /**
   * Maximum number of doubles in a buffer. It limits the integration points that one pass over a
   * tree processes; {@link #MIN_POINTS} points are always possible.
   */
  private static final int MAX_CELLS = 1 << 16;

  /** Minimum number of integration points that one pass over the tree processes. */
  private static final int MIN_POINTS = 4;

  /** Largest cover fraction (see {@link TreePaths}) that counts as 0: too small to change a sum. */
  private static final double NOTHING = 0x1p-900;

  private final TreePaths paths;
  private final Quadrature rule;
  private final int block;

  TreeShap(TreePaths paths, Quadrature rule) {
    this.paths = paths;
    this.rule = rule;
    this.block = Math.min(rule.points().length, Math.max(MIN_POINTS, MAX_CELLS / paths.edges()));
  }

  TreePaths paths() {
    return paths;
  }

  /** Returns the number of doubles that each buffer of a workspace needs. */
  int cells() {
    return paths.edges() * block;
  }

  /** Returns the number of inner loop iterations per document; measured at 5 to 8 ns each. */
  long steps() {
    return (long) paths.edges() * rule.points().length;
  }

  /** Adds to {@code to[f]} the contribution of each feature f, multiplied by {@code scale}. */
  void addTo(double[] to, double scale, FeatureMatrix matrix, int document, Workspace workspace) {
    followDocument(matrix, document, workspace.taken);
    int points = rule.points().length;
    for (int from = 0; from < points; from += block) {
      int count = Math.min(block, points - from);
      down(from, count, workspace);
      up(from, count, workspace, scale, to);
    }
  }

  private void followDocument(FeatureMatrix matrix, int document, boolean[] taken) {
    Tree tree = paths.tree();
    int[] previous = paths.previous();
    taken[0] = true;
    for (int split = 0; split < tree.splits(); split++) {
      boolean left = tree.goesLeft(split, matrix.get(document, tree.feature(split)));
      int edge = 1 + 2 * split;
      taken[edge] = left && taken[previous[edge]];
      taken[edge + 1] = !left && taken[previous[edge + 1]];
    }
  }

  /**
   * Computes, for each edge, the product of the features' factors (see {@link TreeShap}) on the
   * path from the root down to the edge. Stores it in {@link Workspace#sums}.
   */
  private void down(int from, int count, Workspace workspace) {
    double[] products = workspace.sums;
    double[] inverses = workspace.inverses;
    double[] points = rule.points();
    double[] inverseRests = rule.inverseRests();
    Arrays.fill(products, 0, count, 1);
    Arrays.fill(inverses, 0, count, 1);
    for (int edge = 1; edge < paths.edges(); edge++) {
      int row = edge * count;
      int above = paths.above()[TreePaths.split(edge)] * count;
      int before = paths.previous()[edge] * count;
      double z = paths.fractions()[edge];
      if (workspace.taken[edge]) {
        for (int k = 0; k < count; k++) {
          double factor = z + points[from + k] * (1 - z);
          inverses[row + k] = 1 / factor;
          products[row + k] = products[above + k] * (factor * inverses[before + k]);
        }
      } else if (z > NOTHING) {
        double inverse = 1 / z;
        for (int k = 0; k < count; k++) {
          double factor = z * (1 - points[from + k]);
          inverses[row + k] = inverse * inverseRests[from + k];
          products[row + k] = products[above + k] * (factor * inverses[before + k]);
        }
      } else {
        Arrays.fill(inverses, row, row + count, 1);
        Arrays.fill(products, row, row + count, 0);
      }
    }
  }

  /**
   * Adds the features' contributions to {@code to}, in one pass from the leaves to the root. In
   * {@link Workspace#sums}, the sum over the leaves below an edge replaces the edge's product.
   */
  private void up(int from, int count, Workspace workspace, double scale, double[] to) {
    Tree tree = paths.tree();
    double[] sums = workspace.sums;
    double[] weights = rule.weights();
    for (int edge = paths.edges() - 1; edge > 0; edge--) {
      int row = edge * count;
      int child = TreePaths.child(tree, edge);
      if (child < 0) {
        double leaf = tree.leafValue(~child) * scale;
        for (int k = 0; k < count; k++) {
          sums[row + k] *= leaf * weights[from + k];
        }
      } else {
        int left = (1 + 2 * child) * count;
        int right = left + count;
        for (int k = 0; k < count; k++) {
          sums[row + k] = sums[left + k] + sums[right + k];
        }
      }
      int before = paths.previous()[edge];
      double credit = surplus(edge, workspace) * without(edge, row, count, workspace);
      if (before != 0) {
        credit -= surplus(before, workspace) * without(before, row, count, workspace);
      }
      to[tree.feature(TreePaths.split(edge))] += credit;
    }
  }

  private double surplus(int edge, Workspace workspace) {
    return (workspace.taken[edge] ? 1 : 0) - paths.fractions()[edge];
  }

  /**
   * Returns the sum of {@code sums[row + k] / factor} over all integration points k, where {@code
   * factor} is the factor of {@code edge} at point k. The sums already contain the points' weights.
   */
  private static double without(int edge, int row, int count, Workspace workspace) {
    double[] sums = workspace.sums;
    double[] inverses = workspace.inverses;
    int own = edge * count;
    double integral = 0;
    for (int k = 0; k < count; k++) {
      integral += sums[row + k] * inverses[own + k];
    }
    return integral;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

import io.quickscorer.ensemble.Tree;
import io.quickscorer.matrix.FeatureMatrix;
import java.util.Arrays;

/**
 * Shapley values of one tree's features, exact up to rounding, in time nodes x features per path.
 *
 * <p>The game is that of Lundberg, Erion and Lee, "Consistent Individualized Feature Attribution
 * for Tree Ensembles", arXiv:1802.03888, 2018, section 3: a split whose feature is known sends the
 * document its way, and one whose feature is not averages its children by cover. A leaf of value v
 * then pays v times a product over the features of its path, each factor o (1 if the document goes
 * the leaf's way at all splits of the feature, else 0) where the feature is known and z (the {@link
 * TreePaths#fractions}) where it is not.
 *
 * <p>The paper's algorithm 2 keeps, at every node, weights for each number of known features. Here
 * features become known at a random time in [0, 1] instead, which is the same average over orders:
 *
 * <pre>
 * {@code contribution of i = v (o_i - z_i) integral over t of product over j != i of ((1 - t) z_j + t o_j)}
 * </pre>
 *
 * <p>The integrand is a polynomial, so that a Gauss-Legendre rule of half as many points as there
 * are features integrates it exactly; all terms are positive, so that nothing cancels. One pass
 * down multiplies factors, one pass up adds leaves; a feature met again replaces its factor. The
 * evaluation of such polynomials at points is due to Yu, Xu, Bifet and Read, "Linear TreeShap",
 * NeurIPS 2022; the integral to Owen, "Multilinear Extensions of Games", Management Science 18(5),
 * 1972.
 */
final class TreeShap {
  /** Cells of a buffer up to which all points are done in one pass; above, at least four are. */
  private static final int MAX_CELLS = 1 << 16;

  private static final int MIN_POINTS = 4;

  /** Fractions below this count as 0: no such leaf can change a sum. */
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

  /** Returns the doubles of each buffer of a workspace. */
  int cells() {
    return paths.edges() * block;
  }

  /**
   * Returns the number of steps of the inner loops for one document; a step took 5 to 8 ns in
   * measurements.
   */
  long steps() {
    return (long) paths.edges() * rule.points().length;
  }

  /** Adds the features' contributions times {@code scale}. */
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

  /** Computes per edge the product of the factors of all features on the path to it. */
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
   * Turns the products, in place, into sums over the leaves below, and adds them to each edge's
   * feature. Where an edge above has the same feature, whose factor this edge's replaces, its share
   * for these leaves is subtracted.
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

  /** Returns the integral of a row's sums without the factor of an edge. */
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

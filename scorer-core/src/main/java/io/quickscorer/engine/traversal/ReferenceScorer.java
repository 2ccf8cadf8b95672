// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.traversal;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.LinearLeaves;
import io.quickscorer.ensemble.LinearTerms;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Checkpoint;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.BitSet;
import java.util.List;

/**
 * Scores one document and one tree at a time: follows a tree of node objects from the root to a
 * leaf. Its scores define the correct scores of every other engine. Supports every ensemble.
 *
 * <p>A tree is its root {@link Node}; a split refers to its two children, and a leaf has a value.
 * Source: Asadi, Lin, de Vries, "Runtime Optimizations for Tree-Based Machine Learning Models",
 * IEEE TKDE 26(9), 2014, section 3 (OBJECT).
 */
public final class ReferenceScorer implements EnsembleScorer {
  private static final Scratch NO_SCRATCH = () -> 0;
  private static final int SPLIT_BYTES = 32;
  private static final int LEAF_BYTES = 24;

  private final TreeEnsemble ensemble;
  private final Node[] roots;
  private final BitSet bagEnds = new BitSet();

  private ReferenceScorer(TreeEnsemble ensemble, Node[] roots) {
    this.ensemble = ensemble;
    this.roots = roots;
    int end = -1;
    for (int count : ensemble.treesPerBag()) {
      end += count;
      bagEnds.set(end);
    }
  }

  public static ReferenceScorer compile(TreeEnsemble ensemble) {
    return compile(ensemble, CompileProgress.NONE);
  }

  public static ReferenceScorer compile(TreeEnsemble ensemble, CompileProgress progress) {
    List<Tree> trees = ensemble.trees();
    Node[] roots = new Node[trees.size()];
    for (int t = 0; t < roots.length; t++) {
      progress.report(t, roots.length);
      roots[t] = root(trees.get(t));
    }
    return new ReferenceScorer(ensemble, roots);
  }

  private static Node root(Tree tree) {
    Node[] leaves = new Node[tree.leaves()];
    for (int leaf = 0; leaf < leaves.length; leaf++) {
      leaves[leaf] = new Leaf(leaf, tree.leafValue(leaf));
    }
    // Splits are in preorder, so a child always comes after its parent.
    Node[] splits = new Node[tree.splits()];
    for (int split = splits.length - 1; split >= 0; split--) {
      int left = tree.left(split);
      int right = tree.right(split);
      splits[split] =
          new Split(
              tree,
              split,
              tree.feature(split),
              left < 0 ? leaves[~left] : splits[left],
              right < 0 ? leaves[~right] : splits[right]);
    }
    return splits.length == 0 ? leaves[0] : splits[0];
  }

  private sealed interface Node {}

  private record Split(Tree tree, int number, int feature, Node left, Node right) implements Node {}

  private record Leaf(int index, double value) implements Node {}

  @Override
  public TreeEnsemble ensemble() {
    return ensemble;
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.OBJECT;
  }

  @Override
  public long bytes() {
    return SPLIT_BYTES * ensemble.shape().splits()
        + LEAF_BYTES * ensemble.shape().leaves()
        + 4L * roots.length;
  }

  @Override
  public Scratch newScratch() {
    return NO_SCRATCH;
  }

  @Override
  public void score(FeatureMatrix matrix, Scratch scratch, double[] scores, Checkpoint checkpoint) {
    checkArguments(matrix, scores);
    Accumulator accumulator = ensemble.accumulator();
    LinearTerms linear = ensemble.linear();
    long work = 0;
    for (int document = 0; document < matrix.documents(); document++) {
      work += linear == null ? roots.length : linear.size();
      if (work >= Checkpoint.WORK) {
        checkpoint.pass();
        work = 0;
      }
      double sum = ensemble.initialScore();
      double bags = 0;
      for (int tree = 0; tree < roots.length; tree++) {
        sum = accumulator.add(sum, output(tree, matrix, document));
        if (bagEnds.get(tree)) {
          bags += sum;
          sum = 0;
        }
      }
      if (ensemble.isBagged()) {
        // Bags are added only if there are any. Otherwise, a sum of -0.0 would become 0.0.
        sum = bags;
      }
      for (int term = 0; linear != null && term < linear.size(); term++) {
        sum = linear.add(accumulator, sum, term, matrix.get(document, linear.feature(term)));
      }
      scores[document] = ensemble.rawScore(sum);
    }
  }

  /** Returns the value that the tree with this number, from 0, adds to a document's score. */
  private double output(int number, FeatureMatrix matrix, int document) {
    Leaf leaf = exitLeaf(roots[number], matrix, document);
    LinearLeaves linear = ensemble.trees().get(number).linearLeaves();
    if (linear == null) {
      return leaf.value;
    }
    double output = linear.constant(leaf.index);
    for (int term = 0; term < linear.terms(leaf.index); term++) {
      float value = matrix.get(document, linear.feature(leaf.index, term));
      if (Float.isNaN(value)) {
        return leaf.value;
      }
      output = linear.add(output, leaf.index, term, value);
    }
    return output;
  }

  /**
   * Returns the leaf that a document reaches in a tree. Leaves are numbered from the left, from 0.
   */
  public int exitLeaf(int tree, FeatureMatrix matrix, int document) {
    return exitLeaf(roots[tree], matrix, document).index;
  }

  private static Leaf exitLeaf(Node root, FeatureMatrix matrix, int document) {
    Node node = root;
    while (node instanceof Split split) {
      float value = matrix.get(document, split.feature);
      node = split.tree.goesLeft(split.number, value) ? split.left : split.right;
    }
    return (Leaf) node;
  }
}

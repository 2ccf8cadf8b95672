package io.quickscorer.reader;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.Thresholds;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * CatBoost's features and oblivious trees, as each of its formats gives them, made into an
 * ensemble.
 *
 * <p>All splits of one depth of an oblivious tree are the same; bit i of a leaf's number says
 * whether {@code x > border} of split i, in float. CatBoost sums in double, in file order, and
 * gives {@code scale * sum + bias}.
 */
final class CatBoostTrees {
  /** What CatBoost itself allows. */
  static final int MAX_DEPTH = 16;

  /** One oblivious tree; split i decides bit i of the leaf's number. */
  record Oblivious(long offset, int[] features, float[] borders, double[] leaves) {}

  private final EnsembleLimits limits;
  private final List<String> names = new ArrayList<>();
  private final IntList nanRight = new IntList();
  private final Deque<Oblivious> trees = new ArrayDeque<>();
  private long leaves;

  CatBoostTrees(EnsembleLimits limits) {
    this.limits = limits;
  }

  /** Features so far. */
  int features() {
    return names.size();
  }

  /** Trees so far. */
  int size() {
    return trees.size();
  }

  /**
   * Adds the next float feature.
   *
   * @param id its name; if empty, its number is its name
   * @param nanIsLargest whether NaN counts as greater than every border; else it is greater than
   *     none
   */
  void addFeature(String id, boolean nanIsLargest) {
    limits.check("features", names.size() + 1L, Limit.FEATURES);
    nanRight.add(nanIsLargest ? 1 : 0);
    names.add(id.isEmpty() ? String.valueOf(names.size()) : id);
  }

  void add(Oblivious tree) {
    limits.check("trees", trees.size() + 1L, Limit.TREES);
    leaves += tree.leaves.length;
    limits.check("nodes of all trees", 2 * leaves - trees.size() - 1, Limit.NODES);
    trees.add(tree);
  }

  TreeEnsemble build(ModelSource source, double scale, double bias) {
    TreeEnsemble.Builder ensemble = TreeEnsemble.builder(names, source);
    TreeBuilder builder = new TreeBuilder(limits, names.size(), false);
    List<Tree> built = new ArrayList<>(trees.size());
    while (!trees.isEmpty()) {
      // Forgotten one by one, so that both forms of all trees are never held.
      built.add(build(builder, built.size(), trees.remove()));
    }
    return ensemble.trees(built).accumulator(Accumulator.DOUBLE).scaleAndBias(scale, bias).build();
  }

  /** Unfolds an oblivious tree: the last split is the root, so that leaves are in order. */
  private Tree build(TreeBuilder builder, int number, Oblivious tree) {
    int depth = tree.features.length;
    int splits = (1 << depth) - 1;
    try {
      builder.start(number, 2 * splits + 1);
      for (int node = 0; node < splits; node++) {
        int level = 31 - Integer.numberOfLeadingZeros(node + 1);
        int split = depth - 1 - level;
        int feature = tree.features[split];
        boolean right = feature < nanRight.size() && nanRight.get(feature) == 1;
        float bound = Thresholds.lessOrEqual(tree.borders[split]);
        builder.split(
            node, feature, bound, MissingValue.of(!right, false), 2 * node + 1, 2 * node + 2);
      }
      for (int leaf = 0; leaf <= splits; leaf++) {
        builder.leaf(splits + leaf, tree.leaves[leaf]);
      }
      return builder.build(0);
    } catch (InvalidModelException e) {
      throw e.at(tree.offset);
    }
  }
}

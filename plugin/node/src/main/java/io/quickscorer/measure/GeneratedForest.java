// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Generates a LightGBM model without training. The thresholds are quantiles of feature values that
 * a node has logged, so that scoring takes about as long as with a trained model. Equal arguments
 * give an equal model on every machine.
 */
final class GeneratedForest {
  private static final long SEED = 20261122;

  /** Maximum number of thresholds per feature, equal to that of LightGBM by default. */
  private static final int MAX_THRESHOLDS = 254;

  /** LightGBM's {@code decision_type} of a numeric split that sends missing values (NaN) right. */
  private static final int DECISION = 8;

  private final List<String> names;

  private final float[][] thresholds;

  /**
   * Prepares to generate models.
   *
   * @param names the names of the features
   * @param rows the feature values of documents; NaN for a missing value
   */
  GeneratedForest(List<String> names, List<float[]> rows) {
    this.names = List.copyOf(names);
    this.thresholds = new float[names.size()][];
    for (int f = 0; f < thresholds.length; f++) {
      thresholds[f] = quantiles(rows, f);
    }
  }

  private static float[] quantiles(List<float[]> rows, int feature) {
    float[] values = new float[rows.size()];
    int count = 0;
    for (float[] row : rows) {
      if (!Float.isNaN(row[feature])) {
        values[count++] = row[feature];
      }
    }
    Arrays.sort(values, 0, count);
    int distinct = 0;
    for (int i = 0; i < count; i++) {
      if (distinct == 0 || values[i] != values[distinct - 1]) {
        values[distinct++] = values[i];
      }
    }
    int kept = Math.min(distinct, MAX_THRESHOLDS);
    float[] thresholds = new float[kept];
    for (int i = 0; i < kept; i++) {
      thresholds[i] = values[(int) ((long) i * distinct / kept)];
    }
    return thresholds;
  }

  /**
   * A leaf of a generated tree that may be split.
   *
   * @param parent the index of the parent node; -1 for the root
   * @param left whether the leaf is the parent's left child
   * @param from for each feature, the index of the first threshold that can split the leaf
   * @param to for each feature, the index after the last threshold that can split the leaf
   */
  private record OpenLeaf(int parent, boolean left, int[] from, int[] to) {}

  String file(int trees, int leaves) {
    StringBuilder text = new StringBuilder("tree\nversion=v4\nnum_class=1\n");
    text.append("num_tree_per_iteration=1\nlabel_index=0\nmax_feature_idx=");
    text.append(names.size() - 1).append("\nobjective=regression\nfeature_names=");
    text.append(String.join(" ", names)).append("\nfeature_infos=");
    text.append("none ".repeat(names.size()).strip()).append("\n\n");
    SplittableRandom random = new SplittableRandom(SEED);
    for (int tree = 0; tree < trees; tree++) {
      text.append("Tree=").append(tree).append('\n');
      append(text, leaves, random.split());
    }
    return text.append("end of trees\n").toString();
  }

  private void append(StringBuilder text, int leaves, SplittableRandom random) {
    int[] ends = new int[thresholds.length];
    Arrays.setAll(ends, f -> thresholds[f].length);
    List<OpenLeaf> open = new ArrayList<>();
    open.add(new OpenLeaf(-1, false, new int[ends.length], ends));
    int[] feature = new int[leaves - 1];
    float[] threshold = new float[leaves - 1];
    int[] left = new int[leaves - 1];
    int[] right = new int[leaves - 1];
    for (int node = 0; node < leaves - 1; node++) {
      OpenLeaf leaf = open.remove(random.nextInt(open.size()));
      int f = splittable(leaf, random);
      int at = random.nextInt(leaf.from[f], leaf.to[f]);
      feature[node] = f;
      threshold[node] = thresholds[f][at];
      if (leaf.parent >= 0) {
        (leaf.left ? left : right)[leaf.parent] = node;
      }
      int[] leftEnds = leaf.to.clone();
      leftEnds[f] = at;
      int[] rightStarts = leaf.from.clone();
      rightStarts[f] = at + 1;
      open.add(new OpenLeaf(node, true, leaf.from, leftEnds));
      open.add(new OpenLeaf(node, false, rightStarts, leaf.to));
    }
    for (int i = 0; i < open.size(); i++) {
      OpenLeaf leaf = open.get(i);
      (leaf.left ? left : right)[leaf.parent] = ~i;
    }
    text.append("num_leaves=").append(leaves).append("\nnum_cat=0\nsplit_feature=");
    join(text, leaves - 1, i -> text.append(feature[i])).append("threshold=");
    join(text, leaves - 1, i -> text.append(threshold[i])).append("decision_type=");
    join(text, leaves - 1, i -> text.append(DECISION)).append("left_child=");
    join(text, leaves - 1, i -> text.append(left[i])).append("right_child=");
    join(text, leaves - 1, i -> text.append(right[i])).append("leaf_value=");
    join(text, leaves, i -> text.append((float) random.nextDouble(-0.1, 0.1))).append('\n');
  }

  /** Returns the index of a random feature by which the leaf can be split. */
  private int splittable(OpenLeaf leaf, SplittableRandom random) {
    int first = random.nextInt(thresholds.length);
    for (int i = 0; i < thresholds.length; i++) {
      int f = (first + i) % thresholds.length;
      if (leaf.from[f] < leaf.to[f]) {
        return f;
      }
    }
    throw new IllegalStateException(
        "the features have too few distinct values for this many leaves");
  }

  private static StringBuilder join(
      StringBuilder text, int count, java.util.function.IntConsumer one) {
    for (int i = 0; i < count; i++) {
      if (i > 0) {
        text.append(' ');
      }
      one.accept(i);
    }
    return text.append('\n');
  }
}

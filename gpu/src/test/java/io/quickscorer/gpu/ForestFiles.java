// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The measured models and documents as files for other libraries: a model in LightGBM's text
 * format, the documents as rows of floats, and the scores as doubles, both little-endian.
 */
final class ForestFiles {
  private static final int DOCUMENTS = 1000;

  private ForestFiles() {}

  /** Writes the files {@code NAME.txt}, {@code NAME.documents} and {@code NAME.scores}. */
  static void write(Path folder, String name, TreeEnsemble ensemble, long seed) throws IOException {
    Files.writeString(folder.resolve(name + ".txt"), lightGbm(ensemble));
    FeatureMatrix matrix = SyntheticModels.documents(DOCUMENTS, seed);
    int features = matrix.features();
    ByteBuffer rows = buffer(DOCUMENTS * features * Float.BYTES);
    for (int document = 0; document < DOCUMENTS; document++) {
      for (int feature = 0; feature < features; feature++) {
        rows.putFloat(matrix.get(document, feature));
      }
    }
    Files.write(folder.resolve(name + ".documents"), rows.array());
    double[] scores = new double[DOCUMENTS];
    ReferenceScorer reference = ReferenceScorer.compile(ensemble);
    reference.score(matrix, reference.newScratch(), scores);
    ByteBuffer expected = buffer(DOCUMENTS * Double.BYTES);
    expected.asDoubleBuffer().put(scores);
    Files.write(folder.resolve(name + ".scores"), expected.array());
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns a model of numeric splits, whose missing values go left, in LightGBM's text format. */
  static String lightGbm(TreeEnsemble ensemble) {
    int features = SyntheticModels.FEATURES;
    StringBuilder text = new StringBuilder("tree\nversion=v4\nnum_class=1\n");
    text.append("num_tree_per_iteration=1\nlabel_index=0\nmax_feature_idx=")
        .append(features - 1)
        .append("\nobjective=regression\nfeature_names=")
        .append(list(features, f -> "f" + f))
        .append("\nfeature_infos=")
        .append(list(features, f -> "[0:1]"))
        .append("\n\n");
    for (int number = 0; number < ensemble.trees().size(); number++) {
      Tree tree = ensemble.trees().get(number);
      int splits = tree.splits();
      text.append("Tree=").append(number).append("\nnum_leaves=").append(tree.leaves());
      text.append("\nnum_cat=0");
      field(text, "split_feature", splits, tree::feature);
      field(text, "split_gain", splits, split -> 1);
      // A float's exact value, as LightGBM compares doubles.
      field(text, "threshold", splits, split -> (double) tree.threshold(split));
      // 2: missing values go left; 8: NaN is missing.
      field(text, "decision_type", splits, split -> 10);
      field(text, "left_child", splits, tree::left);
      field(text, "right_child", splits, tree::right);
      field(text, "leaf_value", tree.leaves(), tree::leafValue);
      field(text, "leaf_weight", tree.leaves(), leaf -> 1);
      field(text, "leaf_count", tree.leaves(), leaf -> 1);
      field(text, "internal_value", splits, split -> 0);
      field(text, "internal_weight", splits, split -> 1);
      field(text, "internal_count", splits, split -> 1);
      text.append("\nis_linear=0\nshrinkage=1\n\n");
    }
    return text.append("end of trees\n").toString();
  }

  private static void field(StringBuilder text, String name, int count, IntFunction<?> value) {
    text.append('\n').append(name).append('=').append(list(count, value));
  }

  private static String list(int count, IntFunction<?> value) {
    return IntStream.range(0, count)
        .mapToObj(i -> String.valueOf(value.apply(i)))
        .collect(Collectors.joining(" "));
  }
}

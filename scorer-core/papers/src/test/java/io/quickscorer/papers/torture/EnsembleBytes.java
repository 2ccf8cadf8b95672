// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.torture;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.LinearTerms;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** What {@link Ensembles} makes, as bytes: all that decides a score. */
final class EnsembleBytes {
  private static final EnsembleLimits LIMITS =
      EnsembleLimits.DEFAULT.with(Limit.CATEGORY, Integer.MAX_VALUE);

  private EnsembleBytes() {}

  static byte[] of(TreeEnsemble ensemble) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(ensemble.featureNames().size());
    out.writeUTF(ensemble.accumulator().name());
    out.writeDouble(ensemble.initialScore());
    out.writeDouble(ensemble.scale());
    out.writeDouble(ensemble.bias());
    LinearTerms linear = ensemble.linear();
    out.writeInt(linear == null ? 0 : linear.size());
    for (int term = 0; linear != null && term < linear.size(); term++) {
      out.writeInt(linear.feature(term));
      out.writeDouble(linear.weight(term));
      out.writeFloat(linear.offset(term));
      out.writeFloat(linear.divisor(term));
    }
    out.writeInt(ensemble.trees().size());
    for (Tree tree : ensemble.trees()) {
      write(tree, out);
    }
    return bytes.toByteArray();
  }

  /** Its splits are the first nodes, its leaves those after them. */
  private static void write(Tree tree, DataOutputStream out) throws IOException {
    out.writeInt(tree.splits());
    for (int split = 0; split < tree.splits(); split++) {
      out.writeInt(tree.feature(split));
      out.writeInt(node(tree, tree.left(split)));
      out.writeInt(node(tree, tree.right(split)));
      out.writeUTF(tree.missing(split).name());
      CategorySet set = tree.categories(split);
      out.writeBoolean(set != null);
      if (set == null) {
        out.writeFloat(tree.threshold(split));
      } else {
        out.writeUTF(set.rounding().name());
        out.writeInt(set.size());
        for (int category : set.categories()) {
          out.writeInt(category);
        }
      }
    }
    for (int leaf = 0; leaf < tree.leaves(); leaf++) {
      out.writeDouble(tree.leafValue(leaf));
    }
  }

  private static int node(Tree tree, int child) {
    return child < 0 ? tree.splits() + ~child : child;
  }

  static TreeEnsemble read(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    int features = in.readInt();
    List<String> names = IntStream.range(0, features).mapToObj(f -> "f" + f).toList();
    TreeEnsemble.Builder builder =
        TreeEnsemble.builder(names, new ModelSource(new ModelFormat("random"), "", ""))
            .accumulator(Accumulator.valueOf(in.readUTF()))
            .initialScore(in.readDouble())
            .scaleAndBias(in.readDouble(), in.readDouble());
    int terms = in.readInt();
    if (terms > 0) {
      builder.linear(terms(in, terms));
    }
    TreeBuilder trees = new TreeBuilder(LIMITS, features, false);
    List<Tree> all = new ArrayList<>();
    int count = in.readInt();
    while (all.size() < count) {
      all.add(tree(in, trees, all.size()));
    }
    return builder.trees(all).build();
  }

  private static LinearTerms terms(DataInputStream in, int terms) throws IOException {
    int[] features = new int[terms];
    double[] weights = new double[terms];
    float[] offsets = new float[terms];
    float[] divisors = new float[terms];
    for (int term = 0; term < terms; term++) {
      features[term] = in.readInt();
      weights[term] = in.readDouble();
      offsets[term] = in.readFloat();
      divisors[term] = in.readFloat();
    }
    return LinearTerms.normalised(features, weights, offsets, divisors);
  }

  private static Tree tree(DataInputStream in, TreeBuilder builder, int number) throws IOException {
    int splits = in.readInt();
    builder.start(number, 2 * splits + 1);
    for (int split = 0; split < splits; split++) {
      int feature = in.readInt();
      int left = in.readInt();
      int right = in.readInt();
      MissingValue missing = MissingValue.valueOf(in.readUTF());
      if (in.readBoolean()) {
        CategorySet.Rounding rounding = CategorySet.Rounding.valueOf(in.readUTF());
        int[] categories = new int[in.readInt()];
        for (int i = 0; i < categories.length; i++) {
          categories[i] = in.readInt();
        }
        builder.split(split, feature, CategorySet.of(categories, rounding), missing, left, right);
      } else {
        builder.split(split, feature, in.readFloat(), missing, left, right);
      }
    }
    for (int leaf = 0; leaf <= splits; leaf++) {
      builder.leaf(splits + leaf, in.readDouble());
    }
    return builder.build(0);
  }
}

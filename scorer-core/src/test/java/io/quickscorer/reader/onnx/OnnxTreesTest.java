// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import static io.quickscorer.reader.onnx.OnnxModels.raw;
import static io.quickscorer.reader.onnx.OnnxModels.read;
import static io.quickscorer.reader.onnx.OnnxModels.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.testing.Seeds;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** What trees with equalities and shared splits unfold to, and how far. */
final class OnnxTreesTest {
  private static final float[] VALUES = {
    Float.NEGATIVE_INFINITY,
    -Float.MAX_VALUE,
    Math.nextUp(-Float.MAX_VALUE),
    Math.nextDown(-1f),
    -1,
    -Float.MIN_VALUE,
    -0f,
    0,
    Float.MIN_VALUE,
    1,
    Math.nextUp(1f),
    Float.MAX_VALUE,
    Float.POSITIVE_INFINITY,
    Float.NaN
  };

  private static final int FORESTS = 1_000;

  /**
   * Trees over one chain of splits of feature 1: the true child of split i is leaf i, the false one
   * the next split, the last one's another leaf.
   *
   * @param values each split's
   */
  private static OnnxSplits chain(int mode, int splits, IntToDoubleFunction values, int... roots) {
    OnnxSplits chain = new OnnxSplits(false);
    for (int i = 0; i < splits; i++) {
      chain.add(
          1,
          mode,
          values.applyAsDouble(i),
          chain.leaf(),
          i == splits - 1 ? chain.leaf() : i + 1,
          false);
    }
    for (int root : roots) {
      chain.root(root);
    }
    return chain;
  }

  /** As an ensemble it scores what walking the trees gives. */
  @Test
  void randomForests() {
    SplittableRandom random = Seeds.random("onnx trees");
    for (int i = 0; i < FORESTS * Seeds.iterations(); i++) {
      boolean doubles = random.nextBoolean();
      OnnxSplits forest = new OnnxSplits(doubles);
      int splits = 1 + random.nextInt(8);
      int rules = random.nextInt();
      for (int split = 0; split < splits; split++) {
        int[] children = new int[2];
        for (int side = 0; side < 2; side++) {
          children[side] =
              split == splits - 1 || random.nextInt(3) == 0
                  ? forest.leaf()
                  : random.nextInt(split + 1, splits);
        }
        int feature = random.nextInt(3);
        int mode = random.nextInt(6);
        // Equalities that follow each other must have one rule.
        boolean missingTrue = (rules >>> 6 * feature + mode & 1) != 0;
        forest.add(feature, mode, value(random, doubles), children[0], children[1], missingTrue);
      }
      for (int tree = 1 + random.nextInt(Math.min(3, splits)); tree > 0; tree--) {
        forest.root(random.nextInt(splits));
      }
      TreeEnsemble ensemble = read(forest.file());
      for (float a : VALUES) {
        for (float b : VALUES) {
          check(forest, ensemble, a, b, VALUES[random.nextInt(VALUES.length)]);
        }
      }
    }
  }

  /** Of doubles a third are no floats. */
  private static double value(SplittableRandom random, boolean doubles) {
    double value = VALUES[random.nextInt(VALUES.length - 1)];
    return doubles && random.nextInt(3) == 0 ? Math.nextUp(value) : value;
  }

  private static void check(OnnxSplits forest, TreeEnsemble ensemble, float... document) {
    assertEquals(forest.score(document), raw(ensemble, document), () -> Arrays.toString(document));
  }

  /** As onnxmltools writes LightGBM's sets: an equality per member, which all lead to one split. */
  @Test
  void setsOfCategories() {
    OnnxSplits forest = new OnnxSplits(false);
    for (int tree = 0; tree < 300; tree++) {
      forest.root(forest.size());
      int members = 32;
      int inSet = forest.size() + members;
      int others = inSet + 14;
      for (int i = 0; i < members; i++) {
        forest.add(
            1,
            OnnxForest.EQ,
            3 * i,
            inSet,
            i == members - 1 ? others : inSet - members + i + 1,
            false);
      }
      for (int end : new int[] {others, others + 15}) {
        while (forest.size() < end) {
          int value = forest.size();
          int next = value == end - 1 ? forest.leaf() : value + 1;
          forest.add(0, OnnxForest.LEQ, value % 50, forest.leaf(), next, false);
        }
      }
    }
    TreeEnsemble ensemble = read(forest.file());
    for (int x = -1; x < 60; x++) {
      check(forest, ensemble, x, 2 * x, 0);
    }
  }

  /** Compared with ONNX Runtime 1.29, which merges them. */
  @Test
  void missingValuesOfSets() {
    OnnxSplits set = new OnnxSplits(false);
    int in = set.leaf();
    set.add(0, OnnxForest.EQ, 1, in, 1, true);
    set.add(0, OnnxForest.EQ, 2, in, 2, true);
    set.add(0, OnnxForest.EQ, 3, in, set.leaf(), false);
    set.root(0);
    refused(
        "tree 0, split 2: nodes_missing_value_tracks_true differs from its value in split 1, which"
            + " tests the same feature and has the same child; export the model with equal values",
        set.file());
  }

  @Test
  void setsOfManyCategories() {
    OnnxSplits forest = chain(OnnxForest.EQ, 2_000, i -> i, 0, 1, 2, 3, 4, 5);
    TreeEnsemble ensemble = read(forest.file());
    for (float x : new float[] {-1, 0, 3, 5, 999, 999.5f, 1_999, 2_000, Float.NaN}) {
      check(forest, ensemble, 9, x, 0);
    }
  }

  /** What a set says of a feature decides the sets below it. */
  @Test
  void setsBelowASet() {
    OnnxSplits forest = new OnnxSplits(false);
    for (int i = 0; i < 4; i++) {
      forest.add(1, OnnxForest.EQ, i, 4, i == 3 ? forest.leaf() : i + 1, false);
    }
    forest.add(1, OnnxForest.EQ, 2, forest.leaf(), 5, false);
    forest.add(1, OnnxForest.NEQ, 7, forest.leaf(), forest.leaf(), false);
    forest.root(0);
    TreeEnsemble ensemble = read(forest.file());
    assertEquals(8, ensemble.trees().getFirst().splits());
    for (float x : new float[] {-1, 0, 1, 2, 2.5f, 3, 7, Float.NaN}) {
      check(forest, ensemble, 9, x, 0);
    }
  }

  @Test
  void treesThatShareSplits() {
    OnnxSplits two = chain(OnnxForest.LEQ, 3, i -> i, 0, 1);
    check(two, read(two.file()), 9, 1.5f, 0);
    refused(
        "tree_roots: found 2 roots, but the file has only 1 nodes; expected at most one root per"
            + " node",
        chain(OnnxForest.LEQ, 1, i -> i, 0, 0).file());
    refused(
        "tree 265: nodes with several parents and nodes of mode BRANCH_EQ must be copied, which"
            + " creates too many nodes; export the model without such nodes",
        chain(OnnxForest.LEQ, 4_000, i -> i, new int[4_000]).file());
  }

  /** What is below the value of one equality is passed by all that follow. */
  @Test
  void equalitiesThatCannotHold() {
    refused(
        "tree 0: nodes with several parents and nodes of mode BRANCH_EQ must be copied, which takes"
            + " too many steps; export the model without such nodes",
        chain(OnnxForest.EQ, 20_000, i -> i, 0).file());
    refused(
        "tree 1094: nodes with several parents and nodes of mode BRANCH_EQ must be copied, which"
            + " takes too many steps; export the model without such nodes",
        chain(OnnxForest.EQ, 20_000, i -> 7, new int[2_000]).file());
  }
}

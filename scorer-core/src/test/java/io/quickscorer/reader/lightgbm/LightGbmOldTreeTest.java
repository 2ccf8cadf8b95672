// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.lightgbm;

import static io.quickscorer.reader.SmallModels.LIGHTGBM_OLD;
import static io.quickscorer.reader.SmallModels.assertRefused;
import static io.quickscorer.reader.SmallModels.read;
import static io.quickscorer.reader.SmallModels.score;
import static io.quickscorer.reader.SmallModels.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.TrainerParityTest;
import io.quickscorer.testing.Seeds;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Files of LightGBM before 2.0.5, which the library itself scored in {@link TrainerParityTest}. */
final class LightGbmOldTreeTest {
  private static final float[] VALUES = {
    0f,
    -0f,
    1e-20f,
    -1e-20f,
    Math.nextUp(1e-20f),
    Math.nextUp(-1e-20f),
    Math.nextDown(-1e-20f),
    1e-35f,
    -Float.MIN_VALUE,
    -2f,
    -1f,
    -0.5f,
    0.5f,
    1f,
    2f,
    3.5f,
    Float.POSITIVE_INFINITY,
    Float.NaN
  };

  /** A random tree as text, and scored as {@code Tree::GetLeaf} of v2.0.4 does. */
  private static final class Walked {
    private final int splits;
    private final int[] feature;
    private final double[] threshold;
    private final int[] type;
    private final double[] standIn;
    private final int[] left;
    private final int[] right;

    Walked(int splits, SplittableRandom random) {
      this.splits = splits;
      feature = random.ints(splits, 0, 3).toArray();
      type = random.ints(splits, 0, 2).toArray();
      double[] bounds = {-1, -1e-20f, -1e-30, 0, 1e-30, 1e-20f, 1, 2};
      threshold = random.ints(splits, 0, 8).mapToDouble(i -> bounds[i]).toArray();
      standIn = random.ints(splits, 0, 3).mapToDouble(i -> new double[] {0, -3, 2}[i]).toArray();
      left = new int[splits];
      right = new int[splits];
      for (int split = 0; split < splits; split++) {
        threshold[split] = type[split] == 1 ? random.nextInt(4) : threshold[split];
        left[split] = ~0;
        right[split] = ~(split + 1);
        // Grown as the trainer does: a split takes a leaf's place, and keeps that leaf on its left.
        if (split > 0) {
          int leaf = random.nextInt(split + 1);
          for (int parent = 0; parent < split; parent++) {
            left[parent] = left[parent] == ~leaf ? split : left[parent];
            right[parent] = right[parent] == ~leaf ? split : right[parent];
          }
          left[split] = ~leaf;
        }
      }
    }

    double score(float... row) {
      int node = 0;
      while (node >= 0) {
        double value = Float.isNaN(row[feature[node]]) ? 0 : row[feature[node]];
        value = value > -1e-20f && value <= 1e-20f ? standIn[node] : value;
        boolean goesLeft =
            type[node] == 1 ? (int) value == (int) threshold[node] : value <= threshold[node];
        node = goesLeft ? left[node] : right[node];
      }
      return ~node;
    }

    String text() {
      StringBuilder leaves = new StringBuilder();
      for (int leaf = 0; leaf <= splits; leaf++) {
        leaves.append(leaf == 0 ? "" : " ").append(leaf);
      }
      return """
      tree
      num_class=1
      max_feature_idx=2
      feature_names=a b c

      Tree=0
      num_leaves=%d
      split_feature=%s
      threshold=%s
      decision_type=%s
      default_value=%s
      left_child=%s
      right_child=%s
      leaf_value=%s
      has_categorical=1

      feature importances:
      """
          .formatted(
              splits + 1,
              joined(feature),
              joined(threshold),
              joined(type),
              joined(standIn),
              joined(left),
              joined(right),
              leaves);
    }

    private static String joined(int[] values) {
      return Arrays.stream(values).mapToObj(String::valueOf).collect(Collectors.joining(" "));
    }

    private static String joined(double[] values) {
      return Arrays.stream(values).mapToObj(String::valueOf).collect(Collectors.joining(" "));
    }
  }

  @Test
  void randomTrees() {
    SplittableRandom random = Seeds.random("randomTrees");
    for (int i = 0; i < 40 * Seeds.iterations(); i++) {
      Walked walked = new Walked(1 + random.nextInt(12), random);
      TreeEnsemble ensemble = read(walked.text());
      for (float a : VALUES) {
        for (float b : VALUES) {
          float c = VALUES[random.nextInt(VALUES.length)];
          String row = a + ", " + b + ", " + c;
          assertEquals(walked.score(a, b, c), score(ensemble, a, b, c), () -> row + walked.text());
        }
      }
    }
  }

  @Test
  void zerosAndCategories() {
    TreeEnsemble ensemble = read(LIGHTGBM_OLD);
    assertEquals(1, score(ensemble, 0.25f, 3f));
    assertEquals(20, score(ensemble, 0f, 3.9f), "the default value is right of the threshold");
    assertEquals(20, score(ensemble, Float.NaN, 3f));
    assertEquals(300, score(ensemble, 1f, 0f));
    assertEquals(300, score(ensemble, 1f, Float.NaN));
    assertTrue(ensemble.source().notes().get(0).contains("before 2.0.5"));
  }

  /** Before 2.0.3 there were categories, but neither default values nor the flag. */
  @Test
  void categoriesOfTheFirstVersions() {
    String first = with(with(LIGHTGBM_OLD, "default_value=2 0\n", ""), "has_categorical=1\n", "");
    assertEquals(1, score(read(first), 0f, 3f));
    assertEquals(20, score(read(first), 1f, 3f));
    assertEquals(1, score(read(with(LIGHTGBM_OLD, "2 0\n", "0 3\n")), 0f, 3f));
    assertEquals(
        20, score(read(with(LIGHTGBM_OLD, "default_value=2 0", "default_value=2 3")), 1f, 0f));
  }

  @Test
  void refused() {
    assertRefused(with(LIGHTGBM_OLD, "=0.5 3", "=0.5 -3"), "tree 0, node 1: category -3.0");
    assertRefused(with(LIGHTGBM_OLD, "=0.5 3", "=0.5 3e9"), "node 1: category 3.0E9, expected");
    assertRefused(with(LIGHTGBM_OLD, "=-1 -2", "=-1 -1"), "node 1: child -1 already has a parent");
    assertRefused(with(LIGHTGBM_OLD, "=1 -3", "=0 -3"), "node 0: child 0, expected a child after");
    assertRefused(with(LIGHTGBM_OLD, "decision_type=0 1", "decision_type=0 2"), "decision_type");
    assertRefused(with(LIGHTGBM_OLD, "default_value=2 0", "default_value=2"), "default_value");
  }

  /** A chain of features that each send zeros another way doubles what is below. */
  @Test
  void copiesAreBounded() {
    assertRefused(
        chain(40, "1", 2),
        "some splits send the value 0 to one child and default_value to the other");
  }

  /** Here a copy knows each feature that was asked above, and each is looked for at each split. */
  @Test
  void looksAreBounded() {
    assertRefused(chain(9_000, "1e-21", 1), "a tree has too many nested splits");
  }

  /** Each split on a feature of its own, below the one before it on the left. */
  private static String chain(int splits, String threshold, int standIn) {
    StringBuilder lines = new StringBuilder();
    String[] fields = {"split_feature", "threshold", "decision_type", "default_value"};
    for (int field = 0; field < fields.length; field++) {
      lines.append(fields[field]).append('=');
      for (int split = 0; split < splits; split++) {
        String[] values = {"" + split, threshold, "0", "" + standIn};
        lines.append(split == 0 ? "" : " ").append(values[field]);
      }
      lines.append('\n');
    }
    StringBuilder left = new StringBuilder("left_child=");
    StringBuilder right = new StringBuilder("right_child=");
    StringBuilder leaves = new StringBuilder("leaf_value=0");
    for (int split = 0; split < splits; split++) {
      left.append(split + 1 < splits ? split + 1 : ~0).append(' ');
      right.append(~(split + 1)).append(' ');
      leaves.append(' ').append(split);
    }
    return "tree\nnum_class=1\nmax_feature_idx=0\nfeature_names=f0\n\nTree=0\nnum_leaves="
        + (splits + 1)
        + '\n'
        + lines
        + left.toString().strip()
        + '\n'
        + right.toString().strip()
        + '\n'
        + leaves
        + "\n\nfeature importances:\n";
  }
}

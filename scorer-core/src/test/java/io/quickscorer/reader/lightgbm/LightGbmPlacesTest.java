// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.lightgbm;

import static io.quickscorer.reader.SmallModels.LIGHTGBM;
import static io.quickscorer.reader.SmallModels.assertRefusedAt;
import static io.quickscorer.reader.SmallModels.bytes;
import static io.quickscorer.reader.SmallModels.read;
import static io.quickscorer.reader.SmallModels.score;
import static io.quickscorer.reader.SmallModels.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelFormats;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.reader.SmallModels;
import io.quickscorer.reader.input.Numbers;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Refusals of LightGBM text files to the byte, and what is just within bounds. */
final class LightGbmPlacesTest {
  private static final String ONE_FEATURE =
      """
      tree
      version=v3
      max_feature_idx=0
      feature_names=only
      Tree=0
      num_leaves=1
      leaf_value=5
      end of trees
      """;

  private static String sized(String model) {
    int first = model.indexOf("Tree=0");
    int second = model.indexOf("Tree=1");
    String sizes = (second - first) + " " + (model.indexOf("end of trees") - second);
    return with(model, "feature_infos", "tree_sizes=" + sizes + "\nfeature_infos");
  }

  private static void edited(String old, String replacement, String place, String message) {
    assertRefusedAt(with(LIGHTGBM, old, replacement), place, message);
  }

  @Test
  void theSmallestModel() {
    TreeEnsemble ensemble = read(ONE_FEATURE);
    assertEquals(List.of("only"), ensemble.featureNames());
    assertEquals(5, score(ensemble, 1));
  }

  @Test
  void firstLine() {
    for (String start : new String[] {"", "trees\n"}) {
      InvalidModelException e =
          assertThrows(
              InvalidModelException.class,
              () ->
                  ModelReader.read(
                      bytes(start), ModelFormats.LIGHTGBM_TEXT, EnsembleLimits.DEFAULT));
      assertEquals("byte 0: the first line must be \"tree\"", e.getMessage());
    }
  }

  @Test
  void header() {
    edited(
        "num_class=1", "num_class=3", "num_class", "num_class: 3, but num_tree_per_iteration is 1");
    edited(
        "num_class=1",
        "num_class=0",
        "num_class",
        "num_class: expected an integer in 1..2147483647");
    edited(
        "iteration=1",
        "iteration=2",
        "num_tree_per",
        "num_class: 1, but num_tree_per_iteration is 2");
    edited(
        "max_feature_idx=1",
        "max_feature_idx=x",
        "max_feature",
        "max_feature_idx: expected an integer in 0..2147483646");
    edited("=v4", "=v5", "version", "version: expected v2, v3 or v4");
    edited("max_feature_idx=1\n", "", "Tree=0", "max_feature_idx: missing");
    edited(
        "max_feature_idx=1",
        "max_feature_idx=2",
        "Tree=0",
        "feature_names: found 2 names, expected 3");
    edited("feature_names=a b\n", "", "Tree=0", "feature_names: missing");
    edited(
        "binary sigmoid:2.5",
        "multiclass",
        "objective",
        "objective: multi-class, but num_class is 1");
    edited("binary sigmoid:2.5", "best", "objective", "objective: LightGBM has no such objective");
    edited("sigmoid:2.5", "sigmoid:x", "objective", "objective: sigmoid is not a number");
    for (String slope : new String[] {"0", "-1", "nan", "inf"}) {
      edited(
          "sigmoid:2.5",
          "sigmoid:" + slope,
          "objective",
          "objective: sigmoid "
              + Numbers.doubleOf(slope, 0)
              + ", expected a finite number above 0");
    }
    assertEquals(1, read(with(LIGHTGBM, " sigmoid:2.5", "")).transform().parameter());
  }

  @Test
  void ends() {
    String header = LIGHTGBM.substring(0, LIGHTGBM.indexOf("Tree=0"));
    String inTree = LIGHTGBM.substring(0, LIGHTGBM.indexOf("end of trees"));
    String cut = "tree 1: the file ends without a line \"end of trees\"";
    for (String last : new String[] {"", "shrinkage=1", "shrinkage=1\n", "shrinkage=1\r\n"}) {
      assertEndsTooEarly(header + last, "found 0 trees, expected 1 or more");
      assertEndsTooEarly(inTree + last, cut);
    }
    assertEquals(4001, score(read(with(LIGHTGBM, "end of trees", "feature importances:")), 0, 0));
  }

  private static void assertEndsTooEarly(String model, String message) {
    assertEquals(
        "byte " + model.length() + ": " + message,
        SmallModels.refusal(model, EnsembleLimits.DEFAULT));
  }

  @Test
  void numbersOfTrees() {
    edited("Tree=1", "Tree=2", "Tree=2", "Tree=2: expected Tree=1; trees must be in order");
    edited("Tree=0", "Tree=-1", "Tree=-1", "Tree: expected an integer in 0..2147483647");
  }

  @Test
  void sizesOfTrees() {
    String sized = sized(LIGHTGBM);
    assertEquals(4001, score(read(sized), 0, 0));
    String long1 = with(sized, "tree_sizes=", "tree_sizes=1");
    int first = long1.indexOf("Tree=0");
    int size = Integer.parseInt(long1.substring(long1.indexOf("sizes=") + 6).split(" ", 2)[0]);
    assertRefusedAt(
        long1,
        "Tree=1",
        "tree 1: the tree begins at byte "
            + long1.indexOf("Tree=1")
            + ", but at byte "
            + (first + size)
            + " according to tree_sizes");
    String one = sized.replaceFirst("(tree_sizes=\\d+) \\d+", "$1");
    assertRefusedAt(one, "end of trees", "found 2 trees, but tree_sizes lists 1");
    String three = sized.replaceFirst("(tree_sizes=\\d+ \\d+)", "$1 7");
    assertRefusedAt(three, "end of trees", "found 2 trees, but tree_sizes lists 3");
    String negative = sized.replaceFirst("(tree_sizes=\\d+) \\d+", "$1 -1");
    assertRefusedAt(negative, "-1\nfeature", "tree_sizes: expected sizes in bytes");
    // They count line feeds alone, so they say nothing of a file with others.
    assertEquals(4001, score(read(sized.replace("\n", "\r\n")), 0, 0));
  }

  @Test
  void limitsOfTheHeader() {
    EnsembleLimits one = new EnsembleLimits(10, 10, 10, 1, 100, 100);
    assertRefusedAt(LIGHTGBM, "max_feature_idx", "features: 2, at most 1 allowed", one);
    assertRefusedAt(
        with(ONE_FEATURE, "=only", "=a b c"),
        "feature_names",
        "features: 2, at most 1 allowed",
        one);
    assertEquals(
        5, score(ModelReader.read(bytes(ONE_FEATURE), ModelFormat.AUTO, one), 1), "just allowed");
  }

  @Test
  void limitsOfTrees() {
    EnsembleLimits leaves = new EnsembleLimits(10, 2, 10, 10, 100, 100);
    assertRefusedAt(LIGHTGBM, "Tree=0", "tree 0: leaves: 3, at most 2 allowed", leaves);
    EnsembleLimits categories = new EnsembleLimits(10, 10, 10, 10, 100, 32);
    assertRefusedAt(
        LIGHTGBM, "Tree=0", "tree 0, node 1: category: 33, at most 32 allowed", categories);
    EnsembleLimits tight = new EnsembleLimits(2, 3, 2, 2, 6, 33);
    assertEquals(
        4300, score(ModelReader.read(bytes(LIGHTGBM), ModelFormat.AUTO, tight), 1, 0), "allowed");
  }

  @Test
  void fields() {
    edited("num_leaves=3\n", "", "Tree=0", "tree 0, num_leaves: missing");
    edited(
        "num_leaves=3",
        "num_leaves=0",
        "0\nnum_cat",
        "tree 0, num_leaves: element 0: expected an integer in 1..1073741823");
    edited(
        "is_linear=0",
        "is_linear=2",
        "2\nshrink",
        "tree 0, is_linear: element 0: expected an integer in 0..1");
    edited("is_linear=0", "is_linear=1", "Tree=0", "tree 0, leaf_const: missing");
    edited(
        "num_leaves=3",
        "num_leaves=8",
        "1 20 300",
        "tree 0, leaf_value: 8 characters are too few for 8 elements");
    edited(
        "leaf_value=1 20 300",
        "leaf_value=1 20   ",
        "\nleaf_weight",
        "tree 0, leaf_value: found 2 elements, expected 3");
    edited(
        "1 20 300",
        "1 20 300 4",
        "4\nleaf_weight",
        "tree 0, leaf_value: found more than the expected 3 elements");
    edited("1 20 300", "1 x 300", "x 300", "tree 0, leaf_value: element 1: expected a number");
    edited(
        "left_child=-1 -2",
        "left_child=-1 2",
        "2\nright",
        "tree 0, left_child: element 1: expected an integer in -3..1");
    edited(
        "left_child=-1 -2",
        "left_child=-4 -2",
        "-4 -2",
        "tree 0, left_child: element 0: expected an integer in -3..1");
    edited(
        "threshold=0.5 0\n",
        "threshold=0.5 0\nthreshold=0.5 0\n",
        "threshold=0.5 0\ndecision",
        "tree 0, threshold: the field occurs twice");
    edited("=0.5 0", "=nan 0", "Tree=0", "tree 0, node 0: found threshold NaN, expected a number");
    assertEquals(4300, score(read(with(LIGHTGBM, "1 20 300", "  1   20 300  ")), 1, 0));
  }

  @Test
  void decisions() {
    edited(
        "decision_type=10 1",
        "decision_type=10 12",
        "12\nleft",
        "tree 0, decision_type: element 1: expected an integer in 0..11");
    edited(
        "=0.5 0",
        "=0.5 -1",
        "0.5 -1",
        "tree 0, threshold: node 1: set of categories -1.0, but there are 1 sets");
    edited(
        "=0.5 0",
        "=0.5 1",
        "0.5 1",
        "tree 0, threshold: node 1: set of categories 1.0, but there are 1 sets");
    edited(
        "=0.5 0",
        "=0.5 nan",
        "0.5 nan",
        "tree 0, threshold: node 1: set of categories NaN, but there are 1 sets");
  }

  @Test
  void sets() {
    edited(
        "boundaries=0 2",
        "boundaries=1 2",
        "1 2\ncat_thr",
        "tree 0, cat_boundaries: the numbers must start with 0 and must not decrease");
    edited(
        "num_cat=1",
        "num_cat=2",
        "0 2\ncat_thr",
        "tree 0, cat_boundaries: 3 characters are too few for 3 elements");
    for (String word : new String[] {"4294967296", "-1", "0.5", "nan"}) {
      edited(
          "cat_threshold=2 2",
          "cat_threshold=2 " + word,
          "2 " + word,
          "tree 0, cat_threshold: element 1: expected an unsigned 32-bit integer");
    }
    edited(
        "num_cat=1",
        "num_cat=-1",
        "-1\nsplit",
        "tree 0, num_cat: element 0: expected an integer in 0..50000000");
  }

  /** Words of 32 bits, of which one set has one and the next has three. */
  @Test
  void setsOfManyWords() {
    String model = with(LIGHTGBM, "num_cat=1", "num_cat=2");
    model = with(model, "cat_boundaries=0 2", "cat_boundaries=0 1 4");
    model = with(model, "cat_threshold=2 2", "cat_threshold=4294967295 1 4 2147483648");
    TreeEnsemble second = read(with(model, "=0.5 0", "=0.5 1"));
    for (int category = 0; category < 130; category++) {
      boolean member = category == 0 || category == 34 || category == 95;
      assertEquals(member ? 4020 : 4300, score(second, 1, category), "category " + category);
    }
    TreeEnsemble first = read(model);
    assertEquals(4020, score(first, 1, 31));
    assertEquals(4300, score(first, 1, 32));
    // A set may be empty.
    TreeEnsemble none =
        read(
            with(LIGHTGBM, "cat_boundaries=0 2", "cat_boundaries=0 0")
                .replace("cat_threshold=2 2", "cat_threshold="));
    assertEquals(4300, score(none, 1, 1));
  }

  /** Before 2.3 a forest's leaves were transformed one by one, which the file does not tell. */
  @Test
  void notesOnOldForests() {
    String forest = with(LIGHTGBM, "label_index=0\n", "label_index=0\naverage_output\n");
    String old = with(forest, "=v4", "=v2");
    assertTrue(
        read(old)
            .source()
            .notes()
            .getFirst()
            .contains("LightGBM before 2.3 stores transformed leaves"));
    assertEquals(List.of(), read(forest).source().notes());
    assertEquals(List.of(), read(with(LIGHTGBM, "=v4", "=v2")).source().notes());
    String plain = with(old, "binary sigmoid:2.5", "regression");
    assertEquals(List.of(), read(plain).source().notes());
    assertEquals(2, read(plain).transform().divisor());
    assertEquals(1, read(LIGHTGBM).transform().divisor());
  }
}

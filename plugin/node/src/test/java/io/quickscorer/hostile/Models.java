// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Models in a text whose parts have to fit: of more features, of more trees, of deeper ones. */
final class Models {
  private static final Pattern TREE = Pattern.compile("(?s)Tree=0\\n.*?\\n\\n\\n");

  private Models() {}

  private static boolean isLightGbm(String text) {
    return text.startsWith("tree\n");
  }

  private static boolean isXgBoost(String text) {
    return text.startsWith("{\"learner\"");
  }

  /** In how many ways the text can grow as a model. */
  static int ways(String text) {
    return isLightGbm(text) ? 3 : isXgBoost(text) ? 1 : 0;
  }

  static String grown(String text, int way, int size, long budget) {
    int n = (int) Math.min(size, budget / 64) + 2;
    if (isXgBoost(text)) {
      return text.replaceAll("\"num_feature\":\"\\d+\"", "\"num_feature\":\"" + n + "\"");
    }
    if (!isLightGbm(text)) {
      return text;
    }
    return switch (way) {
      case 0 ->
          text.replaceFirst("max_feature_idx=.*", "max_feature_idx=" + (n - 1))
              .replaceFirst("feature_names=.*", "feature_names=" + list(n, f -> "f" + f))
              .replaceFirst("feature_infos=.*", "feature_infos=" + list(n, f -> "[0:1]"));
      case 1 ->
          TREE.matcher(text)
              .replaceFirst(
                  tree ->
                      IntStream.range(0, n)
                          .mapToObj(t -> tree.group().replace("Tree=0", "Tree=" + t))
                          .collect(Collectors.joining()));
      default -> TREE.matcher(text).replaceFirst(chain(n));
    };
  }

  private static String list(int n, IntFunction<String> item) {
    return IntStream.range(0, n).mapToObj(item).collect(Collectors.joining(" "));
  }

  /** A tree of that many splits, each below the one before. */
  private static String chain(int splits) {
    return "Tree=0\nnum_leaves="
        + (splits + 1)
        + "\nnum_cat=0\nsplit_feature="
        + list(splits, s -> "0")
        + "\nsplit_gain="
        + list(splits, s -> "1")
        + "\nthreshold="
        + list(splits, s -> Integer.toString(s))
        + "\ndecision_type="
        + list(splits, s -> "2")
        + "\nleft_child="
        + list(splits, s -> Integer.toString(-1 - s))
        + "\nright_child="
        + list(splits, s -> Integer.toString(s + 1 < splits ? s + 1 : -1 - splits))
        + "\nleaf_value="
        + list(splits + 1, s -> "1")
        + "\nis_linear=0\nshrinkage=1\n\n\n";
  }
}

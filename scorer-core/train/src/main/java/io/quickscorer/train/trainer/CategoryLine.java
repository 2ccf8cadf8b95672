// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.trainer;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * Writes the line that LightGBM's Python package appends to a file: the values of each categorical
 * feature's codes. The library itself does not write it.
 */
public final class CategoryLine {
  private static final String PARAMETER = "\n[categorical_feature: ";
  private static final String INFOS = "\nfeature_infos=";

  /** Maximum number of categories, as in a list of a feature set. */
  private static final int MAX_CODES = 99_999;

  private CategoryLine() {}

  /**
   * Returns a LightGBM file with that line, or unchanged if no feature is categorical. A feature
   * without a list of categories has its codes as values.
   *
   * @param names of the features in the model's order
   * @param features their definitions in the cluster
   */
  public static byte[] appended(byte[] bytes, List<String> names, JsonNode features) {
    String file = new String(bytes, StandardCharsets.UTF_8);
    String indices = value(file, PARAMETER, "]");
    if (indices.isBlank() || !features.isArray()) {
      return bytes;
    }
    Map<String, JsonNode> written = new HashMap<>();
    features.forEach(
        feature -> written.put(feature.path("name").asString(""), feature.path("categories")));
    String[] infos = value(file, INFOS, "\n").split(" ", -1);
    List<String> lists = new ArrayList<>();
    for (String index : indices.split(",", -1)) {
      int feature = Integer.parseInt(index.strip());
      JsonNode list = written.get(names.get(feature));
      String text = list != null && list.isArray() ? list.toString() : codes(infos[feature]);
      if (text.isEmpty()) {
        return bytes;
      }
      lists.add(text);
    }
    return (file + "\npandas_categorical:[" + String.join(", ", lists) + "]\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String value(String file, String key, String end) {
    int at = file.indexOf(key);
    return at < 0 ? "" : file.substring(at + key.length(), file.indexOf(end, at + key.length()));
  }

  /**
   * Returns all codes up to the largest of the training: 3:-1:0 becomes [0, 1, 2, 3]; empty if
   * there are too many.
   */
  private static String codes(String info) {
    int largest =
        info.equals("none")
            ? 0
            : List.of(info.split(":", -1)).stream().mapToInt(Integer::parseInt).max().orElse(0);
    return largest > MAX_CODES
        ? ""
        : IntStream.rangeClosed(0, largest)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(", ", "[", "]"));
  }
}

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
 * Appends the line with the values of categories to a LightGBM file. LightGBM itself writes this
 * line only from Python.
 */
public final class CategoryLine {
  private static final String PARAMETER = "\n[categorical_feature: ";
  private static final String INFOS = "\nfeature_infos=";

  /** Maximum number of categories of a feature; a list in a feature set has the same limit. */
  private static final int MAX_CODES = 99_999;

  private CategoryLine() {}

  /**
   * Returns a LightGBM file with the line of category values appended, if a feature is categorical.
   * For a feature without a list of categories, the values are the codes.
   *
   * @param names the names of the features, in the model's order
   * @param features the definitions of the features in the cluster
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
   * Returns the list of all codes from 0 to the largest one that LightGBM's {@code feature_infos}
   * contain for a feature: for {@code 3:-1:0}, the list {@code [0, 1, 2, 3]}. Returns an empty
   * string if there are too many codes.
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

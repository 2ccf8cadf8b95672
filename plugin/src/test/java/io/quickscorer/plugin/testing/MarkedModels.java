// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.testing;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Models whose every score tells which of them gave it: the whole part is the model's mark, the
 * fraction depends on the document.
 */
public final class MarkedModels {
  public static final String FEATURE = "p";
  public static final String FEATURE_SET =
      "{\"features\":[{\"name\":\"p\",\"type\":\"field\",\"field\":\"p\"}]}";

  private MarkedModels() {}

  /** The model of that mark as XGBoost dumps one tree. */
  public static String file(int mark) {
    return ("[{\"nodeid\":0,\"split\":\"p\",\"split_condition\":30,\"yes\":1,\"no\":2,\"missing\":1,"
                + "\"children\":[{\"nodeid\":1,\"leaf\":MARK.25},{\"nodeid\":2,\"leaf\":MARK.5}]}]")
        .replace("MARK", Integer.toString(mark));
  }

  /** Likewise, but what {@link #file} ranks high ranks low. */
  public static String descending(int mark) {
    return file(mark).replace(".25", ".x").replace(".5", ".25").replace(".x", ".5");
  }

  /** Sends requests that must succeed. */
  @FunctionalInterface
  public interface Sender {
    void send(String method, String path, String body) throws Exception;
  }

  /** Documents 0, 1… whose field p is their number, and whose first-pass score that plus 1. */
  public static void createIndex(Sender sender, String name, int shards, int documents)
      throws Exception {
    sender.send(
        "PUT",
        "/" + name,
        "{\"settings\":{\"number_of_shards\":"
            + shards
            + ",\"number_of_replicas\":1},\"mappings\":{\"properties\":{\"p\":{\"type\":\"integer\"},"
            + "\"t\":{\"type\":\"text\"}}}}");
    StringBuilder bulk = new StringBuilder();
    for (int i = 0; i < documents; i++) {
      bulk.append("{\"index\":{\"_id\":\"").append(i).append("\"}}\n");
      bulk.append("{\"p\":").append(i).append(",\"t\":\"x\"}\n");
    }
    sender.send("POST", "/" + name + "/_bulk?refresh=true", bulk.toString());
  }

  /** A search for all documents by descending p, rescored. */
  public static String search(String model, int size) {
    return search("\"model\":\"" + model + "\"", 0, size, 100);
  }

  /**
   * A search for all documents by descending p, rescored.
   *
   * @param clause the fields of the clause's object
   */
  public static String search(String clause, int from, int size, int window) {
    return "{\"from\":"
        + from
        + ",\"size\":"
        + size
        + ",\"query\":{\"function_score\":{\"query\":{\"match_all\":{}},\"boost_mode\":\"replace\","
        + "\"field_value_factor\":{\"field\":\"p\",\"missing\":0}}},"
        + "\"rescore\":{\"window_size\":"
        + window
        + ",\"quickscorer\":{"
        + clause
        + "}}}";
  }

  /** The marks of the models that gave an answer's scores. */
  public static Set<Integer> marks(Map<String, Object> answer) {
    Set<Integer> marks = new TreeSet<>();
    for (Object hit : (List<?>) ((Map<?, ?>) answer.get("hits")).get("hits")) {
      marks.add(((Number) ((Map<?, ?>) hit).get("_score")).intValue());
    }
    return marks;
  }
}

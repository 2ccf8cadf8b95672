// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Requests that follow one another, as they would be right.
 *
 * @param requests objects of {@code method}, {@code path}, {@code params}, {@code type} and, unless
 *     the request has none, {@code body}
 */
record Scenario(String name, ArrayNode requests) {
  private static final JsonMapper JSON = new JsonMapper();

  /** Those of the resource {@code requests.txt}, whose head describes its form. */
  static List<Scenario> all() {
    List<Scenario> all = new ArrayList<>();
    Map<String, String> texts = new HashMap<>();
    for (String section : ("\n" + resource()).split("\n(?=### |=== )")) {
      if (section.startsWith("=== ")) {
        int end = section.indexOf('\n');
        texts.put(section.substring(4, end), section.substring(end + 1));
      } else if (section.startsWith("### ")) {
        String[] parts = section.split("\n--- ");
        ArrayNode requests = JSON.createArrayNode();
        for (int r = 1; r < parts.length; r++) {
          requests.add(request(parts[r], texts));
        }
        all.add(new Scenario(parts[0].substring(4).strip(), requests));
      }
    }
    return all;
  }

  private static String resource() {
    try (InputStream in =
        Objects.requireNonNull(Scenario.class.getResourceAsStream("requests.txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ObjectNode request(String text, Map<String, String> texts) {
    int end = text.indexOf('\n');
    String[] head = (end < 0 ? text : text.substring(0, end)).strip().split(" ");
    String[] target = head[1].split("\\?", 2);
    ObjectNode request = JSON.createObjectNode();
    request.put("method", head[0]).put("path", target[0]);
    request.put("type", head.length > 2 ? head[2] : "application/json");
    ObjectNode params = request.putObject("params");
    if (target.length > 1) {
      for (String param : target[1].split("&")) {
        params.put(param.split("=", 2)[0], param.split("=", 2)[1]);
      }
    }
    String body = end < 0 ? "" : text.substring(end + 1).strip();
    for (Map.Entry<String, String> each : texts.entrySet()) {
      String name = "@" + each.getKey();
      body =
          body.equals(name)
              ? each.getValue()
              : body.replace("\"" + name + "\"", StringNode.valueOf(each.getValue()).toString());
    }
    if (!body.isEmpty()) {
      boolean json = head.length == 2 || head.length == 3 && head[2].equals("application/json");
      request.set("body", json ? JSON.readTree(body) : StringNode.valueOf(body + "\n"));
    }
    return request;
  }
}

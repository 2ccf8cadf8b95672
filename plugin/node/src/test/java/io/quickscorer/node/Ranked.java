// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * One hit of an answer.
 *
 * @param features the logged values, missing as NaN; empty if the search did not log
 */
public record Ranked(String id, float score, float[] features) {
  public static List<Ranked> of(JsonNode answer) {
    List<Ranked> hits = new ArrayList<>();
    for (JsonNode hit : answer.at("/hits/hits")) {
      hits.add(ofHit(hit));
    }
    return hits;
  }

  static Ranked ofHit(JsonNode hit) {
    JsonNode logged = hit.at("/fields/_quickscorer/0/features");
    float[] features = new float[logged.size()];
    for (int i = 0; i < features.length; i++) {
      features[i] = logged.get(i).isNull() ? Float.NaN : logged.get(i).floatValue();
    }
    return new Ranked(hit.get("_id").asString(), hit.get("_score").floatValue(), features);
  }

  /** Id and score's bits: what must be the same whichever way a search is sent. */
  String place() {
    return id + "=" + Integer.toHexString(Float.floatToRawIntBits(score)) + " (" + score + ")";
  }

  public static List<String> places(List<Ranked> hits) {
    return hits.stream().map(Ranked::place).toList();
  }
}

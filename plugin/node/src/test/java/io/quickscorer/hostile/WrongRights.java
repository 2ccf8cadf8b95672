// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import io.quickscorer.hostile.Target.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Requests of users who lack one of the actions that they take. */
enum WrongRights {
  PUT_SET(
      "PUT",
      Stage.ROOT + "/feature_sets/stolen",
      "{\"features\": [{\"name\": \"f\", \"type\": \"first_pass_score\"}]}",
      Names.ADMIN + "feature_set/put"),
  GET_SET("GET", Stage.ROOT + "/feature_sets/mixed", "", Names.ADMIN + "feature_set/get"),
  GET_SETS("GET", Stage.ROOT + "/feature_sets", "", Names.ADMIN + "feature_set/get"),
  DELETE_SET("DELETE", Stage.ROOT + "/feature_sets/mixed", "", Names.ADMIN + "feature_set/delete"),
  PUT_MODEL(
      "PUT",
      Stage.ROOT + "/models/small?feature_set=mixed",
      Stage.trees(1, 8),
      Names.ADMIN + "model/put"),
  GET_MODEL("GET", Stage.ROOT + "/models/small", "", Names.ADMIN + "model/get"),
  GET_MODELS("GET", Stage.ROOT + "/models", "", Names.ADMIN + "model/get"),
  DELETE_MODEL("DELETE", Stage.ROOT + "/models/other", "", Names.ADMIN + "model/delete"),
  IMPORTANCE("GET", Stage.ROOT + "/models/small/_importance", "", Names.ADMIN + "model/importance"),
  DRIFT("GET", Stage.ROOT + "/models/small/_drift", "", Names.ADMIN + "model/drift"),
  DRIFT_VALUES(
      "GET",
      Stage.ROOT + "/models/small/_drift?values=true",
      "",
      Names.ADMIN + "model/drift/values"),
  PUT_ALIAS(
      "PUT", Stage.ROOT + "/aliases/best", "{\"model\": \"other\"}", Names.ADMIN + "alias/put"),
  ROLLBACK("POST", Stage.ROOT + "/aliases/best/_rollback", "", Names.ADMIN + "alias/put"),
  GET_ALIAS("GET", Stage.ROOT + "/aliases/best", "", Names.ADMIN + "alias/get"),
  DELETE_ALIAS("DELETE", Stage.ROOT + "/aliases/best", "", Names.ADMIN + "alias/delete"),
  STATS("GET", Stage.ROOT + "/stats", "", Names.ADMIN + "stats/get"),
  LOG(
      "POST",
      Stage.ROOT + "/feature_sets/mixed/_log",
      "{\"index\": \"docs\", \"queries\": [{\"ids\": [\"1\"]}]}",
      Names.ADMIN + "feature_set/log",
      Names.SEARCH),
  VALIDATE(
      "POST",
      Stage.ROOT + "/feature_sets/mixed/_validate",
      "{\"index\": \"docs\", \"size\": 3}",
      Names.ADMIN + "feature_set/validate",
      Names.SEARCH),
  MODEL("POST", "/docs/_search", Names.search("\"model\": \"small\""), Names.SEARCH),
  FOREIGN_MODEL("other", "\"model\": \"other\""),
  FOREIGN_ALIAS("best", "\"model\": \"best\""),
  FOREIGN_SHADOW("other", "\"model\": \"small\", \"shadow_models\": [\"other\"]"),
  FOREIGN_RANKING("large", "\"models\": [\"small\", \"large\"], \"interleave\": {\"seed\": 1}"),
  FOREIGN_SET("mixed", "\"feature_set\": \"mixed\"");

  private static final class Names {
    static final String ADMIN = "cluster:admin/quickscorer/";
    static final String SEARCH = "indices:data/read/search";

    static String search(String clause) {
      return "{\"size\": 3, \"rescore\": {\"window_size\": 5, \"quickscorer\": {" + clause + "}}}";
    }
  }

  /** A loaded node may have no memory or no time for whoever asks. */
  private static final Set<Integer> FOR_A_MOMENT = Set.of(429, 503);

  private final String method;
  private final String path;
  private final String body;
  private final List<String> actions;

  /** What is used without the right to, and must look as if it were not there. */
  private final @Nullable String hidden;

  WrongRights(String method, String path, String body, String... actions) {
    this.method = method;
    this.path = path;
    this.body = body;
    this.actions = List.of(actions);
    this.hidden = null;
  }

  WrongRights(String hidden, String clause) {
    this.method = "POST";
    this.path = "/docs/_search";
    this.body = Names.search(clause);
    this.actions = List.of(Names.SEARCH, Names.ADMIN + "model/use/small");
    this.hidden = hidden;
  }

  Shot shot(SplittableRandom random) {
    List<String> granted = new ArrayList<>(actions);
    if (hidden == null) {
      granted.remove(random.nextInt(granted.size()));
      granted.add("indices:monitor/none");
    }
    return new Shot("RIGHTS", method, path, body, String.join(",", granted));
  }

  /** What is wrong with the answer, or null. */
  @Nullable String fault(Shot shot, Answer answered) {
    if (answered.status() < 0 || FOR_A_MOMENT.contains(answered.status())) {
      return null;
    }
    boolean right =
        hidden == null
            ? answered.status() == 403
            : answered.status() == 404
                && answered.body().contains("\"reason\":\"no " + kind() + " [" + hidden + "]\"")
                && !answered.body().contains("permission");
    return right ? null : "rights: " + shot + " -> " + answered.status() + " " + answered.body();
  }

  private String kind() {
    return this == FOREIGN_SET ? "feature set" : "model";
  }
}

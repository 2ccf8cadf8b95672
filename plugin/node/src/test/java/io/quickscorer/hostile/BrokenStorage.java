// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import io.quickscorer.node.NodeClient;
import io.quickscorer.train.cluster.ClusterClient.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a mistake or a failing disk does to the hidden index: chunks that are changed, swapped or
 * missing; an index that is closed or blocked. A broken model must not score, and an upload of its
 * file must mend it, with the scores it had before.
 */
final class BrokenStorage {
  private static final String INDEX = "/.quickscorer-models";
  private static final Duration MEND = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final JsonMapper JSON = new JsonMapper();
  private static final String ALIAS = "ailing";

  private static final List<String> BLOCKS =
      List.of("read", "write", "metadata", "read_only", "read_only_allow_delete");

  /** Ways to damage one model. */
  private enum Damage {
    MISSING_CHUNK,
    FOREIGN_CHUNK,
    CHANGED_CHUNK,
    MISSING_DESCRIPTION
  }

  private final Target target;
  private final List<String> faults;
  private final List<String> scores = new ArrayList<>();

  /**
   * @param faults gets everything that should not have happened
   */
  BrokenStorage(Target target, List<String> faults) {
    this.target = target;
    this.faults = faults;
  }

  private static String victim(Damage damage) {
    return "victim" + damage.ordinal();
  }

  private static String path(Damage damage) {
    return Stage.ROOT + "/models/" + victim(damage);
  }

  private static String file(Damage damage) {
    return Stage.trees(2 + damage.ordinal(), 8);
  }

  /** One model for each damage, and an alias for the first. */
  void stage() {
    for (Damage damage : Damage.values()) {
      target.client().put(path(damage) + "?feature_set=plain", file(damage));
      scores.add(search(victim(damage)).body().at("/hits/max_score").toString());
    }
    alias();
  }

  private void alias() {
    target
        .client()
        .put(
            Stage.ROOT + "/aliases/" + ALIAS,
            "{\"model\": \"" + victim(Damage.values()[0]) + "\"}");
  }

  private Answer search(String model) {
    return target.client().send("POST", "/docs/_search", body(model));
  }

  private static String body(String model) {
    return "{\"size\": 3, \"rescore\": {\"window_size\": 9, \"quickscorer\": {\"model\": \""
        + model
        + "\"}}}";
  }

  /** Breaks all, restarts the node, and mends them: nothing of them scores in between. */
  void restart() throws Exception {
    for (Damage damage : Damage.values()) {
      damage(damage);
    }
    target.restart();
    for (Damage damage : Damage.values()) {
      refused(victim(damage));
    }
    refused(ALIAS);
    // No alias stands in the way of deleting what is broken.
    Answer deleted = untilServed("DELETE", path(Damage.values()[0]), "");
    Answer alias = target.client().send("GET", Stage.ROOT + "/aliases/" + ALIAS, "");
    if (deleted.status() != 200 || alias.status() != 404) {
      fault("deletion under an alias", deleted);
    }
    for (Damage damage : Damage.values()) {
      mend(damage);
    }
    alias();
  }

  /** Damages one model while requests go on, and mends it. */
  void damageAndMend(SplittableRandom random) throws Exception {
    Damage damage = Damage.values()[random.nextInt(Damage.values().length)];
    damage(damage);
    mend(damage);
  }

  /** Makes the index unusable, in some way; what is returned makes it usable again. */
  Runnable makeUnusable(SplittableRandom random) {
    int which = random.nextInt(BLOCKS.size() + 1);
    if (which == BLOCKS.size()) {
      untilServed("POST", INDEX + "/_close", "");
      return () -> {
        untilServed("POST", INDEX + "/_open", "");
        // Its shards are not there at once.
        untilServed("GET", Stage.ROOT + "/feature_sets/mixed", "");
      };
    }
    String settings = "{\"index.blocks." + BLOCKS.get(which) + "\": %s}";
    untilServed("PUT", INDEX + "/_settings", settings.formatted("true"));
    return () -> untilServed("PUT", INDEX + "/_settings", settings.formatted("false"));
  }

  /** What needs the index, to be sent while it is unusable. */
  static List<Shot> shots() {
    String root = Stage.ROOT;
    return List.of(
        new Shot("STORAGE", "POST", "/docs/_search", body("small")),
        new Shot("STORAGE", "POST", "/docs/_search", body("none")),
        new Shot("STORAGE", "GET", root + "/models", ""),
        new Shot("STORAGE", "GET", root + "/models/small", ""),
        new Shot("STORAGE", "GET", root + "/models/small/_importance", ""),
        new Shot("STORAGE", "GET", root + "/models/small/_drift", ""),
        new Shot("STORAGE", "GET", root + "/models/small/_file", ""),
        new Shot("STORAGE", "DELETE", root + "/models/fuzz0", ""),
        new Shot("STORAGE", "PUT", root + "/models/fuzz1?feature_set=plain", Stage.trees(1, 8)),
        new Shot("STORAGE", "GET", root + "/feature_sets", ""),
        new Shot("STORAGE", "GET", root + "/feature_sets/mixed", ""),
        new Shot("STORAGE", "DELETE", root + "/feature_sets/fuzz0", ""),
        new Shot(
            "STORAGE",
            "PUT",
            root + "/feature_sets/fuzz1",
            "{\"features\": [{\"name\": \"f\", \"type\": \"first_pass_score\"}]}"),
        new Shot(
            "STORAGE", "POST", root + "/feature_sets/mixed/_validate", "{\"index\": \"docs\"}"));
  }

  private void damage(Damage damage) {
    String upload = upload(victim(damage));
    String chunk = INDEX + "/_doc/" + upload + "-0?refresh=true";
    switch (damage) {
      case MISSING_CHUNK -> untilServed("DELETE", chunk, "");
      case FOREIGN_CHUNK ->
          untilServed("PUT", chunk, source(upload(victim(Damage.CHANGED_CHUNK)) + "-0"));
      case CHANGED_CHUNK -> {
        ObjectNode changed = (ObjectNode) JSON.readTree(source(upload + "-0"));
        changed.put("data", "AAAA" + changed.get("data").asString().substring(4));
        untilServed("PUT", chunk, changed.toString());
      }
      case MISSING_DESCRIPTION ->
          untilServed("DELETE", INDEX + "/_doc/" + upload + "?refresh=true", "");
    }
  }

  /** The key of a model's documents, the newest where several uploads are there. */
  private String upload(String model) {
    untilServed("POST", INDEX + "/_refresh", "");
    Answer found =
        untilServed(
            "POST",
            INDEX + "/_search",
            "{\"size\": 1, \"_source\": [\"upload\"], \"sort\": [{\"created\": \"desc\"}],"
                + " \"query\": {\"bool\": {\"filter\": [{\"term\": {\"kind\": \"model\"}},"
                + " {\"term\": {\"name\": \""
                + model
                + "\"}}]}}}");
    return found.body().at("/hits/hits/0/_id").asString();
  }

  private String source(String id) {
    return untilServed("GET", INDEX + "/_source/" + id, "").body().toString();
  }

  private void refused(String model) {
    Answer answer = search(model);
    if (answer.status() != 503 && answer.status() != 429) {
      fault("a search by a broken model", answer);
    }
  }

  private void mend(Damage damage) {
    Answer stored = untilServed("PUT", path(damage) + "?feature_set=plain", file(damage));
    Answer found = untilServed("POST", "/docs/_search", body(victim(damage)));
    String score = found.body().at("/hits/max_score").toString();
    if (stored.isError() || !score.equals(scores.get(damage.ordinal()))) {
      fault("mended by an upload, scored " + scores.get(damage.ordinal()) + " before", found);
    }
  }

  /** A node under attack may have no memory for a request; then it is sent again. */
  private Answer untilServed(String method, String path, String body) {
    NodeClient client = target.client();
    long end = System.nanoTime() + MEND.toNanos();
    Answer answer = client.send(method, path, body);
    while ((answer.status() == 429 || answer.status() == 503) && System.nanoTime() < end) {
      LockSupport.parkNanos(POLL.toNanos());
      answer = client.send(method, path, body);
    }
    if (answer.isError()) {
      fault(method + " " + path, answer);
    }
    return answer;
  }

  private void fault(String what, Answer answer) {
    synchronized (faults) {
      faults.add("storage: " + what + " -> " + answer.status() + " " + answer.body());
    }
  }
}

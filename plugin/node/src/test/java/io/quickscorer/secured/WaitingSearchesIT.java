// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.secured;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.node.NodeClient;
import io.quickscorer.node.NumberedTrees;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Searches that wait for a model show each user what he may see: beside one another, searches of a
 * user under rules and of users without. {@code -Dwaiting.searches=2000} for more than the hundreds
 * of a build.
 */
@EnabledIfSystemProperty(named = "secured.home", matches = ".+", disabledReason = "-Psecurity")
final class WaitingSearchesIT {
  private static final int WAITING = Integer.getInteger("waiting.searches", 300);
  private static final int MAX_ROUNDS = 100;
  private static final int TREES = 1_000;

  /** Searches at a time, half of them under rules. */
  private static final int SEARCHES = 48;

  private static final List<String> CLAUSES =
      List.of(
          "\"model\": \"m\"",
          "\"model\": \"m\", \"log\": true",
          "\"model\": \"m\", \"algorithm\": \"object\"",
          "\"models\": [\"m\", \"small\"], \"log\": true",
          "\"model\": \"small\", \"shadow_models\": [\"m\"], \"log\": true",
          "\"models\": [\"m\", \"small\"], \"interleave\": {\"seed\": 1}",
          "\"model\": \"m\", \"budget_ms\": 60000");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path data;

  private static void upload(NodeClient admin, String name, long version, int trees, String more) {
    admin.put(
        Documents.API + "/models/" + name + "?feature_set=f" + more,
        NumberedTrees.file(version, trees));
  }

  /** Those who search, with their connections to the node as it runs. */
  private record Users(NodeClient customer, NodeClient searcher, NodeClient admin) {
    static Users of(SecuredNode node) {
      return new Users(
          node.client(SecuredNode.CUSTOMER),
          node.client(SecuredNode.SEARCHER),
          node.client(SecuredNode.ADMIN));
    }
  }

  /**
   * Sends searches of all kinds and checks each answer.
   *
   * @return how many of them were seen to wait
   */
  private static int searchAtOnce(Users users, ExecutorService threads) throws Exception {
    List<Future<?>> searches = new ArrayList<>();
    for (int i = 0; i < SEARCHES; i++) {
      boolean underRules = i % 2 == 0;
      String body = Documents.search(CLAUSES.get(i / 2 % CLAUSES.size()));
      searches.add(
          threads.submit(
              () -> {
                JsonNode answer = search(underRules ? users.customer : users.searcher, body);
                if (underRules) {
                  Documents.assertCustomersOnly(answer);
                } else {
                  Documents.assertEverything(answer);
                }
              }));
    }
    int waited = 0;
    while (searches.stream().anyMatch(search -> !search.isDone())) {
      // In this order: what runs before the model is seen to load, waits for it.
      int running = running(users.admin);
      if (isLoading(users.admin)) {
        waited = Math.max(waited, running);
      }
    }
    for (Future<?> search : searches) {
      search.get();
    }
    return waited;
  }

  /**
   * A node that has just come back says 503 until it knows its cluster's state, 401 for a moment
   * before it knows its users, and closes some of the many connections that come at once before it
   * has answered.
   */
  private static JsonNode search(NodeClient client, String body) {
    long end = System.nanoTime() + SecuredNode.START.toNanos();
    NodeClient.Answer answer;
    do {
      answer = answer(client, body);
    } while (answer == null
        || ((answer.status() == 503 || answer.status() == 401) && System.nanoTime() < end));
    assertEquals(200, answer.status(), answer.body()::toString);
    return answer.body();
  }

  /** Null if the connection was closed; fails if nobody listens any more. */
  private static NodeClient.@Nullable Answer answer(NodeClient client, String body) {
    try {
      return client.send("POST", Documents.INDEX + "/_search", body);
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof ConnectException) {
        throw e;
      }
      return null;
    }
  }

  private static int running(NodeClient admin) {
    JsonNode tasks =
        admin.send("GET", "/_tasks?actions=indices:data/read/search&group_by=none", "").body();
    int count = 0;
    for (JsonNode task : tasks.at("/tasks")) {
      count += task.has("parent_task_id") ? 0 : 1;
    }
    return count;
  }

  private static boolean isLoading(NodeClient admin) {
    return admin
        .send("GET", Documents.API + "/models/m", "")
        .body()
        .toString()
        .contains("\"loading\"");
  }

  @Test
  void eachSeesWhatItMaySee() throws Exception {
    try (SecuredNode node = SecuredNode.start(data);
        ExecutorService threads = Executors.newFixedThreadPool(SEARCHES)) {
      Users users = Users.of(node);
      Documents.create(users.admin);
      // Versions that no search uses any more would fill the memory for models.
      users.admin.put(
          "/_cluster/settings", "{\"persistent\": {\"quickscorer.model.retire_after\": \"0s\"}}");
      upload(users.admin, "small", 1, 1, "");
      upload(users.admin, "m", 1, TREES, "");
      searchAtOnce(users, threads);

      int uploaded = 0;
      int rounds = 0;
      for (; uploaded < WAITING && rounds < MAX_ROUNDS; rounds++) {
        upload(users.admin, "m", 2 + rounds, TREES, "&timeout=1ms");
        uploaded += searchAtOnce(Users.of(node), threads);
      }
      assertTrue(uploaded >= WAITING, "only " + uploaded + " searches were seen to wait");

      int restarted = 0;
      int restarts = 0;
      for (; restarted < SEARCHES && restarts < MAX_ROUNDS; restarts++) {
        node.restart();
        restarted += searchAtOnce(Users.of(node), threads);
      }
      assertTrue(restarted >= SEARCHES, "only " + restarted + " waited after a restart");
      System.out.printf(
          Locale.ROOT,
          "%d searches waited in %d rounds after uploads, %d after %d restarts; none saw more than"
              + " it may%n",
          uploaded,
          rounds,
          restarted,
          restarts);
    }
  }
}

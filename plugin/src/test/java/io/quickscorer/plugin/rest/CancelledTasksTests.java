// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.guard.WorkPool;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import io.quickscorer.plugin.testing.TestModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.opensearch.common.CheckedRunnable;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;
import org.opensearch.threadpool.ThreadPool;

/** Uploads and exports are tasks; those that are cancelled leave nothing behind. */
@ClusterScope(scope = Scope.TEST, numDataNodes = 2, supportsDedicatedMasters = false)
public class CancelledTasksTests extends QuickScorerHttpTestCase {
  private static final TestModel MODEL = TestModel.LIGHTGBM;
  private static final String ACTION = "cluster:admin/quickscorer/model/put";
  private static final String EXPORT = "cluster:admin/quickscorer/export";

  public void testACancelledUploadLeavesNothing() throws Exception {
    assertStatus(201, send("PUT", BASE + "feature_sets/lgbm", MODEL.featureSet()));
    long documents = uploadDocuments();
    cancelled(
        ACTION,
        "upload of model [m]",
        () -> send("PUT", BASE + "models/m?feature_set=lgbm", MODEL.text()));
    assertStatus(404, send("GET", BASE + "models/m"));
    assertEquals(documents, uploadDocuments());
    assertNothingReserved();
    assertStatus(201, send("PUT", BASE + "models/m?feature_set=lgbm", MODEL.text()));
    assertStatus(200, send("DELETE", BASE + "models/m"));
  }

  public void testACancelledExportEnds() throws Exception {
    assertStatus(201, send("PUT", BASE + "feature_sets/exported", MODEL.featureSet()));
    cancelled(EXPORT, "export", () -> send("GET", BASE + "_export"));
    assertNothingReserved();
    assertStatus(200, send("GET", BASE + "_export"));
    assertStatus(200, send("DELETE", BASE + "feature_sets/exported"));
  }

  /** The sets are in memory until the response is sent, also while a thread is awaited. */
  public void testAnExportChargesItsFeatureSetsUntilItEnds() throws Exception {
    assertStatus(201, send("PUT", BASE + "feature_sets/exported", MODEL.featureSet()));
    Answer exported =
        waiting(
            EXPORT,
            "export",
            () -> send("GET", BASE + "_export"),
            () -> {
              assertBusy(() -> assertTrue(reservedBytes() > 0), 60, TimeUnit.SECONDS);
              assertTrue("after the sets were read", reservedBytes() > 0);
            });
    assertStatus(200, exported);
    assertNothingReserved();
    assertStatus(200, send("DELETE", BASE + "feature_sets/exported"));
  }

  public void testAnExportLeavesOutWhatIsDeletedMeanwhile() throws Exception {
    assertStatus(201, send("PUT", BASE + "feature_sets/lgbm", MODEL.featureSet()));
    for (String model : List.of("gone", "stays")) {
      assertStatus(201, send("PUT", BASE + "models/" + model + "?feature_set=lgbm", MODEL.text()));
    }
    String upload = ModelsMetadata.of(clusterService().state()).models().get("gone").upload();
    Answer exported =
        waiting(
            EXPORT,
            "export",
            () -> send("GET", BASE + "_export"),
            () -> {
              assertStatus(200, send("DELETE", BASE + "models/gone"));
              // What the plugin's threads do next.
              client().prepareDelete(ModelIndex.NAME, upload).get();
            });
    assertStatus(200, exported);
    assertTrue(exported.body(), exported.body().contains("\"name\":\"stays\""));
    assertFalse(exported.body(), exported.body().contains("\"name\":\"gone\""));
    assertStatus(200, send("DELETE", BASE + "models/stays"));
  }

  /** Cancels a request while it waits for a thread of the plugin. */
  private void cancelled(String action, String description, Callable<Answer> request)
      throws Exception {
    Answer answer =
        waiting(
            action,
            description,
            request,
            () -> assertStatus(200, send("POST", "/_tasks/_cancel?actions=" + action)));
    assertEquals(answer.body(), "task_cancelled_exception", answer.at("error", "type"));
    assertTrue(answer.body(), answer.body().contains(description + " was cancelled"));
  }

  /** Does something while a request waits for a thread of the plugin; the request's answer. */
  private Answer waiting(
      String action,
      String description,
      Callable<Answer> request,
      CheckedRunnable<Exception> meanwhile)
      throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    try (ExecutorService client = Executors.newSingleThreadExecutor()) {
      List<Future<?>> busy = occupyThePluginsThreads(over);
      Future<Answer> sent;
      try {
        sent = client.submit(request);
        assertBusy(
            () -> {
              String tasks = send("GET", "/_tasks?detailed&actions=" + action).body();
              assertTrue(tasks, tasks.contains("\"" + description + ": "));
            },
            60,
            TimeUnit.SECONDS);
        meanwhile.run();
      } finally {
        over.countDown();
      }
      Answer answer = sent.get();
      for (Future<?> each : busy) {
        each.get();
      }
      return answer;
    }
  }

  /** Until the latch is down no upload is read or compiled. */
  private static List<Future<?>> occupyThePluginsThreads(CountDownLatch over) {
    List<Future<?>> busy = new ArrayList<>();
    for (ThreadPool threads : internalCluster().getInstances(ThreadPool.class)) {
      for (WorkPool kind : WorkPool.values()) {
        for (int i = 0; i < threads.info(kind.pool()).getMax(); i++) {
          busy.add(
              threads
                  .executor(kind.pool())
                  .submit(
                      () -> {
                        over.await();
                        return null;
                      }));
        }
      }
    }
    return busy;
  }

  /** Those of uploads alone: the catalogue is another, which is written meanwhile. */
  private long uploadDocuments() throws Exception {
    client().admin().indices().prepareRefresh(ModelIndex.NAME).get();
    Answer count = send("GET", "/" + ModelIndex.NAME + "/_count?q=_exists_:upload");
    assertStatus(200, count);
    return ((Number) count.at("count")).longValue();
  }

  /**
   * Asserts that the nodes' circuit breakers for models hold nothing. Threads reduce their charges
   * after the response is sent, so this can take a moment.
   */
  private void assertNothingReserved() throws Exception {
    assertBusy(() -> assertEquals(0, reservedBytes()), 60, TimeUnit.SECONDS);
  }

  private long reservedBytes() throws Exception {
    Map<?, ?> nodes = (Map<?, ?>) send("GET", "/_nodes/stats/breaker").at("nodes");
    return nodes.values().stream()
        .map(node -> (Map<?, ?>) ((Map<?, ?>) node).get("breakers"))
        .map(breakers -> (Map<?, ?>) breakers.get("quickscorer"))
        .mapToLong(breaker -> ((Number) breaker.get("estimated_size_in_bytes")).longValue())
        .sum();
  }
}

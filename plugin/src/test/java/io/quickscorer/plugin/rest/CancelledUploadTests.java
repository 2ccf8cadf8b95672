// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import io.quickscorer.plugin.testing.TestModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.threadpool.ThreadPool;

/** Uploads are tasks, and those that are cancelled leave nothing behind. */
@ClusterScope(numDataNodes = 2, supportsDedicatedMasters = false)
public class CancelledUploadTests extends QuickScorerHttpTestCase {
  private static final TestModel MODEL = TestModel.LIGHTGBM;
  private static final String ACTION = "cluster:admin/quickscorer/model/put";

  public void testACancelledUploadLeavesNothing() throws Exception {
    assertStatus(201, send("PUT", BASE + "feature_sets/lgbm", MODEL.featureSet()));
    long documents = documents();
    CountDownLatch over = new CountDownLatch(1);
    try (ExecutorService client = Executors.newSingleThreadExecutor()) {
      List<Future<?>> busy = occupyThePluginsThreads(over);
      Future<Answer> upload;
      try {
        upload = client.submit(() -> send("PUT", BASE + "models/m?feature_set=lgbm", MODEL.text()));
        assertBusy(
            () -> {
              String tasks = send("GET", "/_tasks?detailed&actions=" + ACTION).body();
              assertTrue(tasks, tasks.contains("\"upload of model [m]"));
            });
        Answer cancelled = send("POST", "/_tasks/_cancel?actions=" + ACTION);
        assertStatus(200, cancelled);
      } finally {
        over.countDown();
      }
      Answer answer = upload.get();
      assertEquals(answer.body(), "task_cancelled_exception", answer.at("error", "type"));
      assertTrue(answer.body(), answer.body().contains("upload of model [m] was cancelled"));
      for (Future<?> each : busy) {
        each.get();
      }
    }
    assertStatus(404, send("GET", BASE + "models/m"));
    assertEquals(documents, documents());
    assertEquals(List.of(), reserved());
    assertStatus(201, send("PUT", BASE + "models/m?feature_set=lgbm", MODEL.text()));
    assertStatus(200, send("DELETE", BASE + "models/m"));
  }

  /** Until the latch is down no upload is read or compiled. */
  private static List<Future<?>> occupyThePluginsThreads(CountDownLatch over) {
    List<Future<?>> busy = new ArrayList<>();
    for (ThreadPool threads : internalCluster().getInstances(ThreadPool.class)) {
      ExecutorService executor = threads.executor(ModelService.THREAD_POOL);
      for (int i = 0; i < threads.info(ModelService.THREAD_POOL).getMax(); i++) {
        busy.add(
            executor.submit(
                () -> {
                  over.await();
                  return null;
                }));
      }
    }
    return busy;
  }

  private long documents() throws Exception {
    Answer count = send("GET", "/" + ModelIndex.NAME + "/_count");
    assertStatus(200, count);
    return ((Number) count.at("count")).longValue();
  }

  /** What the nodes' breakers for models hold, where it is not 0. */
  private List<?> reserved() throws Exception {
    Map<?, ?> nodes = (Map<?, ?>) send("GET", "/_nodes/stats/breaker").at("nodes");
    return nodes.values().stream()
        .map(node -> (Map<?, ?>) ((Map<?, ?>) node).get("breakers"))
        .map(breakers -> (Map<?, ?>) breakers.get("quickscorer"))
        .map(breaker -> ((Number) breaker.get("estimated_size_in_bytes")).longValue())
        .filter(bytes -> bytes != 0)
        .toList();
  }
}

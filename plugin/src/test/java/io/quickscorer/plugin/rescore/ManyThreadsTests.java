// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Checkpoint;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.After;
import org.opensearch.common.settings.Settings;
import org.opensearch.threadpool.ThreadPool;

/** Windows that several threads score: the answers of one thread, and its errors. */
public class ManyThreadsTests extends RescoreTestCase {
  /** So many that the smallest block of a divided window, of 512 documents, is worth a thread. */
  private static final int TREES = 1 << 10;

  /** Documents of ten such blocks. */
  private static final int TEN_BLOCKS = 10 * 512;

  /** Enough documents for features to be extracted by several threads too. */
  private static final int DOCUMENTS = 2000;

  @Override
  protected Settings nodeSettings(int nodeOrdinal) {
    return Settings.builder()
        .put(super.nodeSettings(nodeOrdinal))
        .put("search.low_level_cancellation", true)
        .put("thread_pool." + ThreadPool.Names.INDEX_SEARCHER + ".size", 4)
        .build();
  }

  @After
  public void nothingIsHeld() throws Exception {
    assertNothingHeld();
  }

  private static String body(String query, int size, String options) {
    return """
    {"size": %s, "query": %s, "rescore": {"window_size": %s, "quickscorer": {
      "model": "m", "params": {"q": "war ship", "nowhere": "x"}%s}}}
    """
        .formatted(size, query, 10_000, options);
  }

  private static final String ALL = "{\"match_all\":{}}";

  private static List<String> bodies() {
    String text = "{\"match\":{\"body\":\"war ship\"}}";
    return List.of(
        body(ALL, 50, ""),
        body(text, 2000, ""),
        body(text, 1000, ",\"log\":true"),
        body(ALL, 20, ",\"scope\":\"global\""));
  }

  private void help(boolean helps) {
    for (TestRescorePlugin plugin : plugins()) {
      plugin.help(helps);
    }
  }

  public void testSearchesAtTheSameTimeGetTheAnswersOfOneThread() throws Exception {
    InMemoryModels.MODELS.put("m", TestCatalogue.ofSmallTrees("m", random, 2000));
    createCatalogue("one", 1, DOCUMENTS);
    createCatalogue("three", 3, DOCUMENTS);
    List<String> paths = List.of("/one/_search", "/three/_search?search_type=dfs_query_then_fetch");
    List<String> bodies = bodies();
    help(false);
    List<List<Hit>> expected = new ArrayList<>();
    for (String path : paths) {
      for (String body : bodies) {
        expected.add(search(path, body));
      }
    }
    help(true);
    ExecutorService clients = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        int place = random.nextInt(expected.size());
        done.add(
            clients.submit(
                () -> {
                  String path = paths.get(place / bodies.size());
                  assertEquals(
                      expected.get(place), search(path, bodies.get(place % bodies.size())));
                  return null;
                }));
      }
      for (Future<?> each : done) {
        each.get();
      }
    } finally {
      clients.shutdownNow();
    }
  }

  /** Does something else before each block. */
  private record Interfering(EnsembleScorer scorer, Runnable before) implements EnsembleScorer {
    @Override
    public TreeEnsemble ensemble() {
      return scorer.ensemble();
    }

    @Override
    public Algorithm algorithm() {
      return scorer.algorithm();
    }

    @Override
    public long bytes() {
      return scorer.bytes();
    }

    @Override
    public Scratch newScratch() {
      return scorer.newScratch();
    }

    @Override
    public void score(
        FeatureMatrix matrix, Scratch scratch, double[] scores, Checkpoint checkpoint) {
      before.run();
      scorer.score(matrix, scratch, scores, checkpoint);
    }
  }

  /** Threads that still have something of an earlier search are not asked to help. */
  private static void awaitIdleHelpers() throws Exception {
    for (ThreadPool node : internalCluster().getInstances(ThreadPool.class)) {
      ThreadPoolExecutor pool = (ThreadPoolExecutor) node.executor(ThreadPool.Names.INDEX_SEARCHER);
      assertBusy(
          () -> assertEquals(0, pool.getQueue().size() + pool.getActiveCount()),
          60,
          TimeUnit.SECONDS);
    }
  }

  private void putInterfering(Runnable before) throws Exception {
    awaitIdleHelpers();
    CompiledModel model = TestCatalogue.ofSmallTrees("m", random, TREES);
    EnsembleScorer interfering = new Interfering(model.scorer(), before);
    InMemoryModels.MODELS.put(
        "m", new CompiledModel(model.id(), model.features(), model.columns(), interfering));
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(5, TimeUnit.MINUTES));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits for a helper until the budget of 1 s is spent, because none begins after that. */
  private static void awaitBudget(CountDownLatch helped) {
    try {
      helped.await(1100, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isHelper() {
    return Thread.currentThread().getName().contains("[" + ThreadPool.Names.INDEX_SEARCHER + "]");
  }

  public void testAnErrorOfAHelperIsTheSearchs() throws Exception {
    createCatalogue("c", 1, 1600);
    AtomicReference<RuntimeException> failure = new AtomicReference<>();
    CountDownLatch helped = new CountDownLatch(1);
    putInterfering(
        () -> {
          if (isHelper()) {
            helped.countDown();
            if (failure.get() != null) {
              throw failure.get();
            }
          } else {
            await(helped);
          }
        });
    failure.set(new IllegalArgumentException("a helper's own"));
    Map.Entry<Integer, String> answer = failure("/c/_search", body(ALL, 10, ""));
    assertEquals(answer.getValue(), 400, (int) answer.getKey());
    assertTrue(answer.getValue(), answer.getValue().contains("a helper's own"));
    failure.set(null);
    assertEquals(10, search("/c/_search", body(ALL, 10, "")).size());
  }

  public void testACancelledSearchStopsInAllThreads() throws Exception {
    createCatalogue("c", 1, TEN_BLOCKS);
    CountDownLatch entered = new CountDownLatch(2);
    CountDownLatch leave = new CountDownLatch(1);
    AtomicInteger blocks = new AtomicInteger();
    putInterfering(
        () -> {
          blocks.incrementAndGet();
          entered.countDown();
          await(leave);
        });
    AtomicReference<Map.Entry<Integer, String>> answer = new AtomicReference<>();
    Thread search = new Thread(() -> answer.set(failure("/c/_search", body(ALL, 10, ""))));
    search.start();
    await(entered);
    call("POST", "/_tasks/_cancel?actions=indices:data/read/search*", null);
    assertBusy(
        () ->
            assertTrue(
                json(call("GET", "/_tasks?actions=*phase/query*", null))
                    .contains("\"cancelled\":true")),
        60,
        TimeUnit.SECONDS);
    leave.countDown();
    search.join();
    assertTrue(answer.get().getValue(), answer.get().getValue().contains("task_cancelled"));
    // The search's thread and four helpers, in the middle of a block at most.
    assertTrue(blocks + " blocks", blocks.get() <= 5);
  }

  public void testABudgetIsSpentInAllThreads() throws Exception {
    createCatalogue("c", 1, TEN_BLOCKS);
    CountDownLatch helped = new CountDownLatch(1);
    AtomicInteger blocks = new AtomicInteger();
    putInterfering(
        () -> {
          blocks.incrementAndGet();
          if (isHelper()) {
            helped.countDown();
          } else {
            awaitBudget(helped);
          }
          long start = System.nanoTime();
          while (System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(1100)) {
            Thread.onSpinWait();
          }
        });
    help(false);
    List<Hit> plain =
        search("/c/_search", "{\"query\":{\"match\":{\"body\":\"war\"}},\"size\":30}");
    help(true);
    assertEquals(
        plain,
        search("/c/_search", body("{\"match\":{\"body\":\"war\"}}", 30, ",\"budget_ms\":1000")));
    assertTrue(blocks + " blocks", blocks.get() <= 5);
  }

  /** All helpers have something else to do: the search does not wait for them. */
  public void testABusyPoolDelaysNobody() throws Exception {
    createCatalogue("c", 1, 1600);
    AtomicInteger byHelpers = new AtomicInteger();
    putInterfering(() -> byHelpers.addAndGet(isHelper() ? 1 : 0));
    CountDownLatch leave = new CountDownLatch(1);
    try {
      for (ThreadPool pool : internalCluster().getInstances(ThreadPool.class)) {
        CountDownLatch blocked = new CountDownLatch(4);
        for (int i = 0; i < 4; i++) {
          pool.executor(ThreadPool.Names.INDEX_SEARCHER)
              .execute(
                  () -> {
                    blocked.countDown();
                    await(leave);
                  });
        }
        await(blocked);
      }
      assertEquals(10, search("/c/_search", body(ALL, 10, "")).size());
      assertEquals(0, byHelpers.get());
    } finally {
      leave.countDown();
    }
  }
}

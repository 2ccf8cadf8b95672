// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.guard.CaughtError;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.memory.SearchSettings;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.After;
import org.junit.Before;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.indices.breaker.HierarchyCircuitBreakerService;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.threadpool.TestThreadPool;
import org.opensearch.threadpool.ThreadPool;

/** Threads of a real pool, idle and busy. */
public class IdleThreadsTests extends OpenSearchTestCase {
  private static final int POOL = 4;
  private static final int PROCESSORS = 16;
  private static final Settings SMALL_POOL =
      Settings.builder().put("thread_pool.index_searcher.size", POOL).build();

  private ThreadPool threadPool;
  private CircuitBreakerService breakers;
  private final CountDownLatch release = new CountDownLatch(1);

  @Before
  public void start() {
    threadPool = new TestThreadPool(getTestName(), SMALL_POOL);
    breakers = breakers("1mb");
  }

  @After
  public void stop() {
    release.countDown();
    assertTrue(ThreadPool.terminate(threadPool, 30, TimeUnit.SECONDS));
    assertEquals(0, breakers.getBreaker(CircuitBreaker.REQUEST).getUsed());
  }

  private static CircuitBreakerService breakers(String limit) {
    Settings settings =
        Settings.builder()
            .put("indices.breaker.request.limit", limit)
            .put("indices.breaker.request.overhead", 1)
            .build();
    return new HierarchyCircuitBreakerService(
        settings,
        List.of(),
        new ClusterSettings(settings, ClusterSettings.BUILT_IN_CLUSTER_SETTINGS));
  }

  private IdleThreads idle(int processors, int maxThreads) {
    Settings settings =
        Settings.builder().put(SearchSettings.MAX_THREADS.getKey(), maxThreads).build();
    RequestMemory memory = new RequestMemory(SearchSettings.of(settings));
    new RequestMemory.Wiring(memory, breakers);
    return new IdleThreads(threadPool, processors, memory);
  }

  private static int threads(IdleThreads idle, long work) {
    try (IdleThreads.Helpers helpers = idle.ask(work, 10, 1)) {
      return helpers.threads();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(60, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Threads of a pool that do nothing until the test is over. */
  private void block(String pool, int threads) {
    CountDownLatch blocked = new CountDownLatch(threads);
    for (int i = 0; i < threads; i++) {
      threadPool
          .executor(pool)
          .execute(
              () -> {
                blocked.countDown();
                await(release);
              });
    }
    await(blocked);
  }

  public void testAsManyAsHaveWork() {
    IdleThreads idle = idle(PROCESSORS, 64);
    Map.of(0L, 1, 19L, 1, 20L, 2, 39L, 3, 40L, 4, 50L, 5, 1_000_000L, 1 + POOL)
        .forEach((work, expected) -> assertEquals((int) expected, threads(idle, work)));
    assertEquals(3, threads(idle(PROCESSORS, 3), 1000));
    assertEquals(1, threads(idle(PROCESSORS, 1), 1000));
    assertEquals(2, threads(idle(2, 64), 1000));
    assertEquals(1, threads(idle(1, 64), 1000));
    assertEquals(1, threads(IdleThreads.NONE, 1000));
  }

  public void testOtherSearchesKeepTheirProcessors() {
    // This thread is none of the pool's and stands for the first that searches.
    block(ThreadPool.Names.SEARCH, 2);
    assertEquals(3, threads(idle(4, 64), 1000));
    assertEquals(1, threads(idle(2, 64), 1000));
    block(ThreadPool.Names.INDEX_SEARCHER, 1);
    assertEquals(2, threads(idle(4, 64), 1000));
    assertEquals(1, threads(idle(3, 64), 1000));
    assertEquals(POOL, threads(idle(PROCESSORS, 64), 1000));
  }

  public void testABusyPoolIsNotAsked() {
    block(ThreadPool.Names.INDEX_SEARCHER, POOL);
    assertEquals(1, threads(idle(PROCESSORS, 64), 1000));
  }

  public void testWithoutMemoryNobodyHelps() {
    try (IdleThreads.Helpers helpers = idle(PROCESSORS, 64).ask(1000, 10, 1 << 17)) {
      assertEquals(1 + POOL, helpers.threads());
      assertEquals(POOL << 17, breakers.getBreaker(CircuitBreaker.REQUEST).getUsed());
      assertEquals(1, idle(PROCESSORS, 64).ask(1000, 10, 1 << 18).threads());
    }
  }

  public void testEachPartIsDoneOnce() throws IOException {
    for (int max : new int[] {1, 2, 4, 64}) {
      for (int count : new int[] {0, 1, 2, 7, 1000}) {
        AtomicIntegerArray done = new AtomicIntegerArray(count);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        try (IdleThreads.Helpers helpers = idle(PROCESSORS, max).ask(1000, 10, 1)) {
          helpers.run(
              count,
              parts -> {
                for (int part = parts.next(); part >= 0; part = parts.next()) {
                  threads.add(Thread.currentThread());
                  done.incrementAndGet(part);
                }
                assertEquals(-1, parts.next());
              });
        }
        for (int part = 0; part < count; part++) {
          assertEquals(1, done.get(part));
        }
        assertTrue(threads.size() <= max);
      }
    }
  }

  public void testHelpersHelp() throws IOException {
    CountDownLatch together = new CountDownLatch(3);
    try (IdleThreads.Helpers helpers = idle(3, 64).ask(1000, 10, 1)) {
      helpers.run(
          3,
          parts -> {
            while (parts.next() >= 0) {
              together.countDown();
              await(together);
            }
          });
    }
  }

  /** The threads were idle when they were asked; by now others have them. */
  public void testWhatNobodyBeginsTheCallerDoes() throws Exception {
    IdleThreads idle = idle(PROCESSORS, 64);
    try (IdleThreads.Helpers helpers = idle.ask(1000, 10, 1)) {
      assertEquals(1 + POOL, helpers.threads());
      block(ThreadPool.Names.INDEX_SEARCHER, POOL);
      assertEquals(100, doneByThisThread(helpers));
    }
    assertEquals(POOL, helperPool().getQueue().size());
    release.countDown();
    awaitIdle();
  }

  private ThreadPoolExecutor helperPool() {
    return (ThreadPoolExecutor) threadPool.executor(ThreadPool.Names.INDEX_SEARCHER);
  }

  /** A helper counts for a while after what it did is over. */
  private void awaitIdle() throws Exception {
    ThreadPoolExecutor pool = helperPool();
    assertBusy(
        () -> assertEquals(0, pool.getQueue().size() + pool.getActiveCount()),
        60,
        TimeUnit.SECONDS);
  }

  public void testAPoolThatRefusesCostsNothing() throws IOException {
    try (IdleThreads.Helpers helpers = idle(PROCESSORS, 64).ask(1000, 10, 1)) {
      ExecutorService pool = threadPool.executor(ThreadPool.Names.INDEX_SEARCHER);
      pool.shutdown();
      assertEquals(100, doneByThisThread(helpers));
    }
  }

  private static int doneByThisThread(IdleThreads.Helpers helpers) throws IOException {
    AtomicInteger done = new AtomicInteger();
    Thread caller = Thread.currentThread();
    helpers.run(
        100,
        parts -> {
          while (parts.next() >= 0) {
            assertSame(caller, Thread.currentThread());
            done.incrementAndGet();
          }
        });
    return done.get();
  }

  /** The helper fails while the caller is in a part: that one is done, and no other. */
  private Throwable failure(Throwable thrown) throws Exception {
    awaitIdle(); // Otherwise nobody would help.
    Thread caller = Thread.currentThread();
    CountDownLatch inside = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    Throwable failure =
        expectThrows(
            Throwable.class,
            () -> {
              try (IdleThreads.Helpers helpers = idle(2, 64).ask(1000, 10, 1)) {
                helpers.run(
                    1000,
                    parts -> {
                      while (parts.next() >= 0) {
                        if (Thread.currentThread() == caller) {
                          inside.countDown();
                          while (parts.isOpen()) {
                            Thread.onSpinWait();
                          }
                          done.incrementAndGet();
                        } else {
                          await(inside);
                          sneakyThrow(thrown);
                        }
                      }
                    });
              }
            });
    assertEquals(1, done.get());
    return failure;
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // whatever it is
  private static <E extends Throwable> void sneakyThrow(Throwable thrown) throws E {
    throw (E) thrown;
  }

  public void testWhatFailsInAHelperFailsTheCaller() throws Exception {
    IllegalArgumentException wrong = new IllegalArgumentException("wrong");
    assertSame(wrong, failure(wrong));
    IOException unreadable = new IOException("unreadable");
    assertSame(unreadable, failure(unreadable));
  }

  public void testAnErrorIsAnException() throws Exception {
    Throwable failure = failure(new StackOverflowError("too deep"));
    assertEquals(CaughtError.class, failure.getClass());
    assertTrue(failure.getMessage(), failure.getMessage().contains("nested too deep"));
  }
}

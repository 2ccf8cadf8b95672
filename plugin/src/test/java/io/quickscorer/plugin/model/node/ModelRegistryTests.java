// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.not;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelState.Phase;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.plugin.model.node.ModelRegistry.Purpose;
import io.quickscorer.plugin.testing.TestModel;
import io.quickscorer.scorer.Algorithm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.After;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.breaker.ChildMemoryCircuitBreaker;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.indices.breaker.BreakerSettings;
import org.opensearch.indices.breaker.HierarchyCircuitBreakerService;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.threadpool.TestThreadPool;
import org.opensearch.threadpool.ThreadPool;

public class ModelRegistryTests extends OpenSearchTestCase {
  private static final long FOR_EVER = 1_000_000;
  private static final long BYTES = 1_000;

  private final AtomicLong now = new AtomicLong(5);
  private final ThreadPool threadPool = new TestThreadPool(getTestClass().getName());
  private final ModelRegistry registry =
      new ModelRegistry(
          now::get,
          id ->
              new WaitingListeners(
                  threadPool,
                  () -> TimeValue.timeValueDays(1),
                  late -> new IllegalStateException("late")));
  private final CircuitBreaker memory =
      new HierarchyCircuitBreakerService(
              Settings.EMPTY,
              List.of(new BreakerSettings(ModelBreaker.NAME, 3 * BYTES, 1.0)),
              new ClusterSettings(Settings.EMPTY, ClusterSettings.BUILT_IN_CLUSTER_SETTINGS))
          .getBreaker(ModelBreaker.NAME);
  private final ModelBreaker breaker = new ModelBreaker(memory);
  private final ModelManifest manifest = manifest("v1");
  private final ModelId id = manifest.id();

  @After
  public void stop() {
    terminate(threadPool);
  }

  private static ModelManifest manifest(String version) {
    return new ModelManifest(
        new ModelId("m", version),
        "key-" + version,
        "",
        1,
        1,
        1,
        1,
        1,
        ModelManifest.Checksums.NONE);
  }

  private LoadedModel compiled(ModelId id) throws Exception {
    TestModel model = TestModel.LIGHTGBM;
    try (XContentParser parser = createParser(JsonXContent.jsonXContent, model.featureSet())) {
      return new LoadedModel(
          new CompiledModel(
              id,
              FeatureSet.read("fs", Door.within(parser)),
              new int[model.ensemble().featureNames().size()],
              ScorerCompiler.compile(model.ensemble(), Algorithm.OBJECT)),
          breaker.reserve(BYTES, "test"),
          0);
    }
  }

  private static ActionListener<Void> count(AtomicInteger answers) {
    return ActionListener.wrap(loaded -> answers.incrementAndGet(), failure -> fail());
  }

  public void testManyWishesMakeOneLoad() throws Exception {
    int threads = 8;
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger answers = new AtomicInteger();
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread thread =
          new Thread(
              () -> {
                safeAwait(start);
                if (registry.request(manifest, Purpose.AHEAD, FOR_EVER, count(answers))) {
                  begun.incrementAndGet();
                }
              });
      thread.start();
      all.add(thread);
    }
    start.countDown();
    for (Thread thread : all) {
      thread.join();
    }
    assertEquals(1, begun.get());
    assertEquals(0, answers.get());
    registry.loaded(id, compiled(id));
    assertEquals(threads, answers.get());
    assertFalse(registry.request(manifest, Purpose.AHEAD, FOR_EVER, count(answers)));
    assertEquals(threads + 1, answers.get());
    registry.close();
    assertEquals(0, memory.getUsed());
  }

  private static void safeAwait(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public void testFailureIsToldAndTriedAgainOnlyWhileCurrent() throws Exception {
    List<Exception> told = Collections.synchronizedList(new ArrayList<>());
    ActionListener<Void> listener = ActionListener.wrap(loaded -> fail(), told::add);
    assertTrue(registry.request(manifest, Purpose.AHEAD, FOR_EVER, listener));
    assertEquals(0, registry.failed(id, new IllegalStateException("disk"), false));
    assertEquals("disk", told.getFirst().getMessage());
    OpenSearchStatusException unusable =
        expectThrows(OpenSearchStatusException.class, () -> registry.acquire(id));
    assertThat(unusable.getMessage(), containsString("disk"));

    registry.setCurrent(Set.of(id), 0);
    for (int failures = 1; failures < 4; failures++) {
      assertTrue(registry.request(manifest, Purpose.AHEAD, 0, listener));
      assertEquals(failures + 1, registry.failed(id, new IllegalStateException("disk"), false));
    }
    assertTrue(registry.request(manifest, Purpose.AHEAD, 0, ActionListener.wrap(() -> {})));
    registry.loaded(id, compiled(id));
    assertTrue(registry.isLoaded(id));
    registry.close();
  }

  public void testVersionsExpireOnceTheyAreNotCurrent() throws Exception {
    registry.setCurrent(Set.of(id), 0);
    assertTrue(registry.request(manifest, Purpose.AHEAD, 0, ActionListener.wrap(() -> {})));
    registry.loaded(id, compiled(id));
    assertEquals(0, registry.purge());
    assertTrue(registry.isWanted(id));
    registry.setCurrent(Set.of(), 10);
    assertFalse("retired", registry.isWanted(id));
    now.addAndGet(9);
    assertEquals(0, registry.purge());
    assertEquals(BYTES, memory.getUsed());
    registry.setCurrent(Set.of(id), 10);
    now.addAndGet(1_000);
    assertEquals("current again", 0, registry.purge());
    assertTrue(registry.isWanted(id));
    registry.setCurrent(Set.of(), 10);
    now.addAndGet(10);
    assertEquals(1, registry.purge());
    assertFalse(registry.isLoaded(id));
    assertEquals(0, memory.getUsed());
  }

  public void testShareOfALoadShowsUntilItIsOver() throws Exception {
    assertTrue(registry.request(manifest, Purpose.AHEAD, FOR_EVER, ActionListener.wrap(() -> {})));
    assertEquals("{\"version\":\"v1\",\"state\":\"loading\",\"compiled_share\":0.0}", shown());
    registry.compiled(id, 0.25);
    assertFalse(registry.request(manifest, Purpose.AHEAD, 0, ActionListener.wrap(() -> {})));
    assertThat(shown(), containsString("\"compiled_share\":0.25"));
    registry.failed(id, new IllegalStateException("disk"), false);
    assertThat(shown(), not(containsString("compiled_share")));
    assertTrue(registry.request(manifest, Purpose.AHEAD, 0, ActionListener.wrap(() -> {})));
    assertThat("begins anew", shown(), containsString("\"compiled_share\":0.0"));
    registry.loaded(id, compiled(id));
    assertThat(shown(), not(containsString("compiled_share")));
    registry.compiled(new ModelId("m", "unknown"), 0.5);
    registry.close();
  }

  private String shown() throws IOException {
    try (XContentBuilder builder = JsonXContent.contentBuilder().startObject()) {
      registry.states().getFirst().toXContent(builder, ToXContent.EMPTY_PARAMS);
      return builder.endObject().toString();
    }
  }

  public void testWhatIsGivenUpFailsWhoeverWaitsAndCanBeAskedForAgain() throws Exception {
    List<Exception> told = new ArrayList<>();
    ActionListener<Void> listener = ActionListener.wrap(loaded -> fail(), told::add);
    registry.setCurrent(Set.of(id), 0);
    assertTrue(registry.request(manifest, Purpose.AHEAD, FOR_EVER, listener));
    registry.setCurrent(Set.of(), 10);
    assertFalse(registry.isWanted(id));
    assertNull(registry.stopped(id));
    assertEquals(RestStatus.SERVICE_UNAVAILABLE, ExceptionsHelper.status(told.getFirst()));
    assertThat(
        told.getFirst().getMessage(), containsString("was stopped, because the model was deleted"));
    assertEquals("known to who pinned it", manifest, registry.manifest(id));

    AtomicInteger answers = new AtomicInteger();
    assertTrue(registry.request(manifest, Purpose.PINNED, 0, count(answers)));
    assertTrue(registry.isWanted(id));
    registry.loaded(id, compiled(id));
    assertEquals(1, answers.get());
    assertFalse("nobody waits any more", registry.isWanted(id));
    now.addAndGet(10);
    assertEquals(1, registry.purge());
    assertEquals(0, memory.getUsed());
  }

  public void testGivenUpVersionIsNotTriedAgainAndGoesWithItsTime() {
    registry.setCurrent(Set.of(id), 0);
    assertTrue(registry.request(manifest, Purpose.CURRENT, 0, ActionListener.wrap(() -> {})));
    registry.setCurrent(Set.of(), 0);
    assertNull(registry.stopped(id));
    registry.purge();
    assertEquals(List.of(), registry.states());
    assertNull(registry.stopped(id));
  }

  public void testVersionThatIsWantedAgainIsLoadedAgainWithoutAFailure() throws Exception {
    List<Exception> told = new ArrayList<>();
    ActionListener<Void> listener = ActionListener.wrap(loaded -> fail(), told::add);
    registry.setCurrent(Set.of(id), 0);
    assertTrue(registry.request(manifest, Purpose.CURRENT, 0, listener));
    registry.setCurrent(Set.of(), 0);
    ModelManifest again =
        new ModelManifest(id, "key-again", "", 1, 1, 1, 1, 1, ModelManifest.Checksums.NONE);
    assertFalse(registry.request(again, Purpose.AHEAD, FOR_EVER, listener));
    assertTrue(registry.isWanted(id));
    assertSame(again, registry.stopped(id));
    assertEquals(List.of(), told);
    assertEquals(Phase.LOADING, registry.states().getFirst().phase());
    registry.setCurrent(Set.of(id), 0);
    assertEquals(
        "the first in a row", 1, registry.failed(id, new IllegalStateException("disk"), false));
    registry.close();
  }

  public void testWhoPinnedAReplacedVersionStillGetsItUnlessTheNodeStops() {
    registry.setCurrent(Set.of(id), 0);
    List<Exception> told = new ArrayList<>();
    ActionListener<Void> search = ActionListener.wrap(loaded -> fail(), told::add);
    assertTrue(registry.request(manifest, Purpose.PINNED, 0, search));
    registry.setCurrent(Set.of(manifest("v2").id()), 0);
    assertTrue(registry.isWanted(id));
    registry.close();
    assertFalse(registry.isWanted(id));
    assertNull(registry.stopped(id));
    assertEquals(1, told.size());
  }

  public void testUsedVersionOutlivesItsPlace() throws Exception {
    assertTrue(registry.request(manifest, Purpose.AHEAD, 0, ActionListener.wrap(() -> {})));
    assertEquals("still loading", 0, registry.purge());
    registry.loaded(id, compiled(id));
    ModelLookup.ModelUse use = registry.acquire(id);
    assertEquals(1, registry.states().getFirst().activeUses());
    assertEquals(1, registry.purge());
    assertEquals(BYTES, memory.getUsed());
    use.close();
    use.close();
    assertEquals(0, memory.getUsed());
  }

  public void testRetiredVersionsMakeRoomCurrentOnesDoNot() throws Exception {
    ModelManifest other = manifest("v2");
    registry.setCurrent(Set.of(other.id()), FOR_EVER);
    for (ModelManifest each : List.of(manifest, other)) {
      assertTrue(registry.request(each, Purpose.AHEAD, FOR_EVER, ActionListener.wrap(() -> {})));
      registry.loaded(each.id(), compiled(each.id()));
    }
    assertTrue(registry.expireRetired());
    assertFalse(registry.expireRetired());
    assertFalse(registry.isLoaded(id));
    assertTrue(registry.isLoaded(other.id()));
    registry.close();
    assertEquals(0, memory.getUsed());
  }

  public void testReplacedFormIsGivenBackWithItsLastUse() throws Exception {
    assertTrue(registry.request(manifest, Purpose.AHEAD, FOR_EVER, ActionListener.wrap(() -> {})));
    LoadedModel first = compiled(id);
    LoadedModel second = compiled(id);
    registry.loaded(id, first);
    ModelLookup.ModelUse use = registry.acquire(id);
    registry.replace(id, old -> second);
    assertEquals(2 * BYTES, memory.getUsed());
    use.close();
    assertEquals(BYTES, memory.getUsed());
    expectThrows(
        IllegalArgumentException.class,
        () ->
            registry.replace(
                id,
                old -> {
                  throw new IllegalArgumentException("does not fit");
                }));
    assertEquals(Phase.LOADED, registry.states().getFirst().phase());
    registry.close();
    assertEquals(0, memory.getUsed());
  }

  public void testReservationsAreBoundedAndReturned() {
    assertTrue(memory instanceof ChildMemoryCircuitBreaker);
    try (MemoryCharge first = breaker.reserve(2 * BYTES, "first")) {
      first.resize(3 * BYTES);
      CircuitBreakingException refused =
          expectThrows(CircuitBreakingException.class, () -> breaker.reserve(1, "<second>"));
      assertThat(refused.getMessage(), containsString("<second>"));
      expectThrows(CircuitBreakingException.class, () -> first.resize(3 * BYTES + 1));
      assertEquals(3 * BYTES, memory.getUsed());
      first.resize(BYTES);
      assertEquals(BYTES, memory.getUsed());
    }
    assertEquals(0, memory.getUsed());
  }
}

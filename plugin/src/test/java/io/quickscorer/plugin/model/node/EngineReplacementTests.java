// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.compile.Engines;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.compile.WarmUp;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.guard.WorkPool;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.plugin.model.node.ModelRegistry.Purpose;
import io.quickscorer.plugin.testing.TestModel;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import java.util.Set;
import org.junit.After;
import org.junit.Before;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.NoopCircuitBreaker;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.threadpool.FixedExecutorBuilder;
import org.opensearch.threadpool.TestThreadPool;
import org.opensearch.threadpool.ThreadPool;

/** Engines that are quarantined while a model is compiled for them. */
public class EngineReplacementTests extends OpenSearchTestCase {
  private static final ModelId ID = new ModelId("m", "1");
  private static final Algorithm ENGINE = Engines.named("struct");

  private final ThreadPool threadPool =
      new TestThreadPool(
          getTestClass().getName(),
          new FixedExecutorBuilder(
              Settings.EMPTY, WorkPool.LOADS.pool(), 1, 10, WorkPool.LOADS.pool()));
  private final Quarantine quarantine = new Quarantine();
  private final ModelBreaker breaker = new ModelBreaker(new NoopCircuitBreaker("none"));

  /** Called whenever a compilation asks whether it is still wanted. */
  private volatile Runnable meanwhile = () -> {};

  private final ModelRegistry registry =
      new ModelRegistry(
          () -> {
            meanwhile.run();
            return 1;
          },
          id ->
              new WaitingListeners(
                  threadPool,
                  () -> TimeValue.timeValueDays(1),
                  late -> new IllegalStateException("late")));
  private EngineReplacement engines;

  @Before
  public void start() {
    Settings set =
        Settings.builder()
            .put(ModelSettings.ENGINE.getKey(), ENGINE.label())
            .put(ModelSettings.WARM_UP.getKey(), "0")
            .build();
    ModelSettings settings =
        new ModelSettings(set, new ClusterSettings(set, Set.copyOf(ModelSettings.all())));
    ModelLoader loader = new ModelLoader(null, breaker, settings, quarantine, new WarmUp());
    Runnable nothing = () -> {};
    ModelLoading loading =
        new ModelLoading(
            threadPool,
            registry,
            null,
            new LoadMarks(),
            loader,
            id -> {},
            nothing,
            nothing,
            id -> null);
    engines = new EngineReplacement(registry, loader, loading, quarantine, nothing);
  }

  @After
  public void stop() {
    terminate(threadPool);
  }

  private void load(Algorithm engine) throws Exception {
    registry.setCurrent(Set.of(ID), 1);
    registry.request(
        new ModelManifest(ID, "key", "", 1, 1, 1, 1, 1, ModelManifest.Checksums.NONE),
        Purpose.CURRENT,
        1,
        ActionListener.wrap(() -> {}));
    TestModel model = TestModel.LIGHTGBM;
    try (XContentParser parser = createParser(JsonXContent.jsonXContent, model.featureSet())) {
      registry.loaded(
          ID,
          new LoadedModel(
              new CompiledModel(
                  ID,
                  FeatureSet.read("fs", Door.within(parser)),
                  new int[0],
                  ScorerCompiler.compile(model.ensemble(), engine)),
              breaker.reserve(1, "test"),
              0));
    }
  }

  /** Waits until the pool's one thread has done what has been handed to it. */
  private void runPool() throws Exception {
    threadPool.executor(WorkPool.LOADS.pool()).submit(() -> {}).get();
  }

  private void assertCpuWithoutTheEngine() {
    try (ModelLookup.ModelUse use = registry.acquire(ID)) {
      EnsembleScorer scorer = use.model().scorer();
      assertEquals(Algorithm.CPU, scorer.algorithm());
      assertFalse(scorer.engine(), scorer.uses(ENGINE));
    }
  }

  public void testAnEngineQuarantinedWhileAModelIsRecompiledDoesNotScore() throws Exception {
    load(Engines.named("pred"));
    meanwhile = () -> quarantine.add(ID, ENGINE);
    engines.recompileAll();
    runPool();
    // The first compilation has handed over the second one.
    runPool();
    assertCpuWithoutTheEngine();
  }

  public void testAnEngineQuarantinedWhileAModelIsLoadedDoesNotScore() throws Exception {
    quarantine.add(ID, ENGINE);
    load(ENGINE);
    engines.compiled(ID);
    try (ModelLookup.ModelUse use = registry.acquire(ID)) {
      assertFalse(use.model().scorer().uses(ENGINE));
    }
    runPool();
    assertCpuWithoutTheEngine();
  }

  public void testTheReferenceScoresWhereNoOtherEngineIsLeft() throws Exception {
    quarantine.add(ID, Algorithm.OBJECT);
    load(Algorithm.OBJECT);
    engines.compiled(ID);
    runPool();
    try (ModelLookup.ModelUse use = registry.acquire(ID)) {
      assertEquals(Algorithm.OBJECT, use.model().scorer().algorithm());
    }
  }
}

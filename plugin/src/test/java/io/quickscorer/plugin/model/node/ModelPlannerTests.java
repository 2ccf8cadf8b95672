// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.feature.set.FeatureSet;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.model.node.ModelRegistry.Purpose;
import io.quickscorer.plugin.testing.TestModel;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Budget;
import io.quickscorer.scorer.Checkpoint;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.After;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.NoopCircuitBreaker;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.threadpool.TestThreadPool;
import org.opensearch.threadpool.ThreadPool;

public class ModelPlannerTests extends OpenSearchTestCase {
  private static final long FOR_EVER = 1_000_000;

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
  private final Queue<Runnable> pool = new ArrayDeque<>();
  private final List<String> done = new ArrayList<>();

  @After
  public void stop() {
    terminate(threadPool);
  }

  /** Says when it is asked for plans, and does as it is told. */
  private record PlannableScorer(TreeEnsemble ensemble, Consumer<Budget> plan)
      implements EnsembleScorer {
    @Override
    public Algorithm algorithm() {
      return Algorithm.OBJECT;
    }

    @Override
    public long bytes() {
      return 1;
    }

    @Override
    public Scratch newScratch() {
      return () -> 0;
    }

    @Override
    public void score(
        FeatureMatrix matrix, Scratch scratch, double[] scores, Checkpoint checkpoint) {}

    @Override
    public void plan(Budget budget) {
      plan.accept(budget);
    }
  }

  private static ModelSettings settings(String budget) {
    Settings settings = Settings.builder().put(ModelSettings.PLAN_BUDGET.getKey(), budget).build();
    return new ModelSettings(
        settings, new ClusterSettings(settings, new HashSet<>(ModelSettings.all())));
  }

  private ModelPlanner planner(String budget) {
    return new ModelPlanner(pool::add, registry, settings(budget));
  }

  private ModelId load(String version, Consumer<Budget> plan) throws Exception {
    ModelId id = new ModelId("m", version);
    ModelManifest manifest =
        new ModelManifest(id, "key-" + version, "", 1, 1, 1, 1, 1, ModelManifest.Checksums.NONE);
    registry.request(manifest, Purpose.AHEAD, FOR_EVER, ActionListener.wrap(() -> {}));
    TestModel model = TestModel.LIGHTGBM;
    try (XContentParser parser = createParser(JsonXContent.jsonXContent, model.featureSet())) {
      registry.loaded(
          id,
          new LoadedModel(
              new CompiledModel(
                  id,
                  FeatureSet.read("fs", Door.within(parser)),
                  new int[0],
                  new PlannableScorer(model.ensemble(), plan)),
              new ModelBreaker(new NoopCircuitBreaker("none")).reserve(1, "test"),
              0));
    }
    return id;
  }

  private ModelId load(String version) throws Exception {
    return load(version, budget -> done.add(version));
  }

  private void runPool() {
    for (Runnable task = pool.poll(); task != null; task = pool.poll()) {
      task.run();
    }
  }

  public void testOneModelAtATimeBehindOtherWork() throws Exception {
    ModelPlanner planner = planner("200ms");
    planner.submit(load("a"));
    ModelId b = load("b");
    planner.submit(b);
    planner.submit(b);
    pool.add(() -> done.add("other work"));
    assertEquals(2, pool.size());
    runPool();
    assertEquals(List.of("a", "other work", "b"), done);
    planner.submit(b);
    runPool();
    assertEquals("it begins again after a rest", 4, done.size());
  }

  public void testNothingIsPlannedThatIsNotThere() throws Exception {
    ModelPlanner planner = planner("200ms");
    planner.submit(new ModelId("m", "unknown"));
    planner.submit(load("a"));
    runPool();
    assertEquals(List.of("a"), done);
  }

  public void testWithoutABudgetNothingIsPlanned() throws Exception {
    planner("0").submit(load("a"));
    runPool();
    assertEquals(List.of(), done);
  }

  public void testANewerVersionADeletionAndTheNodesEndStopASearch() throws Exception {
    registry.setCurrent(Set.of(new ModelId("m", "v1")), FOR_EVER);
    assertStops(() -> registry.setCurrent(Set.of(new ModelId("m", "v2")), FOR_EVER), "v1");
    registry.setCurrent(Set.of(new ModelId("m", "v3")), FOR_EVER);
    assertStops(() -> registry.setCurrent(Set.of(), 0), "v3");
    assertStops(() -> registry.expire(new ModelId("m", "ahead")), "ahead");
    assertStops(registry::close, "last");
    assertEquals(List.of("v1", "v3", "ahead", "last"), done);
  }

  private void assertStops(Runnable event, String version) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    ModelId id =
        load(
            version,
            budget -> {
              assertFalse(budget.isCancelled());
              begun.countDown();
              while (!budget.isCancelled()) {
                Thread.onSpinWait();
              }
              done.add(version);
            });
    planner("1m").submit(id);
    Thread thread = new Thread(this::runPool);
    thread.start();
    assertTrue(begun.await(60, TimeUnit.SECONDS));
    event.run();
    thread.join(TimeUnit.SECONDS.toMillis(30));
    assertFalse(thread.isAlive());
  }
}

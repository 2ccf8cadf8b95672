// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.compile.WarmUp;
import io.quickscorer.plugin.guard.WorkPool;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.model.node.ModelRegistry.Purpose;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.NoopCircuitBreaker;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.threadpool.FixedExecutorBuilder;
import org.opensearch.threadpool.TestThreadPool;
import org.opensearch.threadpool.ThreadPool;

/** Loads that fail, because there is no store to read from. */
public class ModelLoadingTests extends OpenSearchTestCase {
  private static final ModelId ID = new ModelId("m", "1");

  private final ThreadPool threadPool =
      new TestThreadPool(
          getTestClass().getName(),
          new FixedExecutorBuilder(
              Settings.EMPTY, WorkPool.LOADS.pool(), 1, 10, WorkPool.LOADS.pool()));
  private final ModelRegistry registry =
      new ModelRegistry(
          () -> 1,
          id ->
              new WaitingListeners(
                  threadPool,
                  () -> TimeValue.timeValueDays(1),
                  late -> new IllegalStateException("late")));

  @After
  public void stop() {
    terminate(threadPool);
  }

  private static ModelManifest manifest(String upload) {
    return new ModelManifest(ID, upload, "", 1, 1, 1, 1, 1, ModelManifest.Checksums.NONE);
  }

  /** The latest request may have been for an upload whose documents were deleted again. */
  public void testAFailedLoadIsTriedAgainAsTheClusterStateHasIt() throws Exception {
    List<ModelId> asked = new CopyOnWriteArrayList<>();
    ModelManifest current = manifest("current");
    ModelSettings settings =
        new ModelSettings(
            Settings.EMPTY, new ClusterSettings(Settings.EMPTY, Set.copyOf(ModelSettings.all())));
    ModelLoading loading =
        new ModelLoading(
            threadPool,
            registry,
            new LoadQueue(
                1,
                Runnable::run,
                Runnable::run,
                () -> true,
                id -> true,
                new LoadOrder(name -> 0),
                LoadPace.of(threadPool)),
            new LoadMarks(),
            new ModelLoader(
                null,
                new ModelBreaker(new NoopCircuitBreaker("none")),
                settings,
                new Quarantine(),
                new WarmUp()),
            id -> {},
            () -> {},
            () -> {},
            id -> {
              asked.add(id);
              return asked.size() == 1 ? current : null;
            });
    registry.setCurrent(Set.of(ID), 1);
    loading.load(
        manifest("discarded"), Purpose.CURRENT, TimeValue.ZERO, ActionListener.wrap(() -> {}));
    assertBusy(() -> assertEquals(current, registry.manifest(ID)), 60, TimeUnit.SECONDS);
    assertBusy(() -> assertEquals(List.of(ID, ID), asked), 60, TimeUnit.SECONDS);
  }
}

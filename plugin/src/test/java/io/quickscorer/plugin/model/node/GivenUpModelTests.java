// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import static org.hamcrest.Matchers.containsString;

import io.quickscorer.compile.WarmUp;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.plugin.QuickScorerPlugin;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.guard.WorkPool;
import io.quickscorer.plugin.model.Gzip;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelDescription;
import io.quickscorer.plugin.model.ModelDescription.UploadedFile;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.model.ModelState.Phase;
import io.quickscorer.plugin.model.store.ModelStore;
import io.quickscorer.plugin.testing.IntegTestCase;
import io.quickscorer.plugin.testing.TestModel;
import io.quickscorer.reader.Fingerprint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.common.lease.Releasable;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.threadpool.ThreadPool;

/** Models that nobody wants any more while a node still compiles them, or has yet to. */
@ClusterScope(numDataNodes = 1, numClientNodes = 0, supportsDedicatedMasters = false)
public class GivenUpModelTests extends IntegTestCase {
  private static final TestModel MODEL = TestModel.LIGHTGBM;

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    return List.of(QuickScorerPlugin.class);
  }

  public void testUnwantedModelIsNotCompiledToItsEnd() throws Exception {
    ModelManifest manifest = stored("unwanted");
    ModelBreaker breaker = internalCluster().getInstance(ModelBreaker.class);
    ModelLoader loader =
        new ModelLoader(
            internalCluster().getInstance(ModelStore.class),
            breaker,
            internalCluster().getInstance(ModelSettings.class),
            new Quarantine(),
            new WarmUp());
    Executor executor =
        internalCluster().getInstance(ThreadPool.class).executor(WorkPool.LOADS.pool());
    int trees = MODEL.ensemble().trees().size();
    int asks = randomIntBetween(0, trees);
    AtomicInteger asked = new AtomicInteger();
    List<Double> shares = Collections.synchronizedList(new ArrayList<>());
    PlainActionFuture<LoadedModel> stopped = PlainActionFuture.newFuture();
    loader.load(manifest, executor, shares::add, () -> asked.getAndIncrement() == asks, stopped);
    Exception failure = expectThrows(Exception.class, () -> stopped.actionGet());
    assertTrue(failure.toString(), failure instanceof CancellationException);
    assertEquals(asks + 1, asked.get());
    assertEquals(asks, shares.size());
    assertEquals(0, breaker.breaker().getUsed());

    PlainActionFuture<LoadedModel> whole = PlainActionFuture.newFuture();
    loader.load(manifest, executor, shares::add, () -> false, whole);
    LoadedModel compiled = whole.actionGet();
    assertEquals(1, shares.getLast(), 0);
    long bytes = breaker.breaker().getUsed();
    assertEquals(compiled.bytes(), bytes);
    expectThrows(CancellationException.class, () -> loader.recompile(compiled, () -> true));
    assertEquals(bytes, breaker.breaker().getUsed());
    compiled.decRef();
    assertEquals(0, breaker.breaker().getUsed());
  }

  public void testModelThatIsGivenUpFailsWhoeverWaitsForIt() throws Exception {
    ModelService models = internalCluster().getInstance(ModelService.class);
    ModelManifest manifest = stored("given-up");
    PlainActionFuture<Void> waiting = PlainActionFuture.newFuture();
    try (Releasable ignored = occupy()) {
      models.loadAhead(manifest, waiting);
      models.release(manifest.id());
      assertEquals(Phase.LOADING, models.states().getFirst().phase());
    }
    Exception failure = expectThrows(Exception.class, () -> waiting.actionGet());
    assertEquals(RestStatus.SERVICE_UNAVAILABLE, ExceptionsHelper.status(failure));
    assertThat(failure.getMessage(), containsString("was stopped, because the model was deleted"));
    assertBusy(() -> assertEquals(List.of(), models.states()), 60, TimeUnit.SECONDS);
    assertEquals(0, used());
  }

  public void testModelThatIsWantedAgainInTimeIsLoaded() throws Exception {
    ModelService models = internalCluster().getInstance(ModelService.class);
    ModelManifest manifest = stored("again");
    PlainActionFuture<Void> first = PlainActionFuture.newFuture();
    PlainActionFuture<Void> second = PlainActionFuture.newFuture();
    try (Releasable ignored = occupy()) {
      models.loadAhead(manifest, first);
      models.release(manifest.id());
      models.loadAhead(manifest, second);
    }
    first.actionGet();
    second.actionGet();
    assertTrue(models.isLoaded(manifest.id()));
    models.release(manifest.id());
    // The search for plans may have it in use for a moment.
    assertBusy(() -> assertEquals(0, used()), 60, TimeUnit.SECONDS);
  }

  /** A model in the store that no cluster state names. */
  private static ModelManifest stored(String name) throws Exception {
    byte[] file = Gzip.compress(MODEL.file());
    ModelManifest manifest =
        new ModelManifest(
            new ModelId(name, "v"),
            "key-" + name,
            "",
            MODEL.file().length,
            file.length,
            ModelStore.chunks(file.length),
            file.length,
            1,
            ModelManifest.Checksums.NONE);
    ModelStore store = internalCluster().getInstance(ModelStore.class);
    PlainActionFuture<Void> ready = PlainActionFuture.newFuture();
    store.ensureIndex(ready);
    ready.actionGet();
    PlainActionFuture<ModelManifest> written = PlainActionFuture.newFuture();
    store.write(manifest, description(), new BytesArray(file), written);
    return written.actionGet();
  }

  /** Keeps all threads that load models busy until it is closed. */
  private static Releasable occupy() throws Exception {
    ThreadPool threadPool = internalCluster().getInstance(ThreadPool.class);
    int threads = threadPool.info(WorkPool.LOADS.pool()).getMax();
    CountDownLatch occupied = new CountDownLatch(threads);
    Semaphore leave = new Semaphore(0);
    for (int i = 0; i < threads; i++) {
      threadPool
          .executor(WorkPool.LOADS.pool())
          .execute(
              () -> {
                occupied.countDown();
                leave.acquireUninterruptibly();
              });
    }
    occupied.await();
    return () -> leave.release(threads);
  }

  private static long used() {
    return internalCluster().getInstance(ModelBreaker.class).breaker().getUsed();
  }

  private static ModelDescription description() throws Exception {
    try (XContentParser parser =
        JsonXContent.jsonXContent.createParser(null, null, MODEL.featureSet())) {
      return new ModelDescription(
              Map.of(
                  ModelDescription.FEATURE_SET,
                  "fs",
                  ModelDescription.FORMAT,
                  MODEL.ensemble().source().format().label(),
                  ModelDescription.FINGERPRINT,
                  Fingerprint.of(MODEL.ensemble())),
              FeatureSet.read("fs", Door.within(parser)),
              ReadOptions.NONE)
          .with(new UploadedFile("fs.txt", "text/plain", MODEL.file().length, ""));
    }
  }
}

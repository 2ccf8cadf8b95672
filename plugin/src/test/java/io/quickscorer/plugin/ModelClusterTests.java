// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.matchesPattern;

import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.guard.WorkPool;
import io.quickscorer.plugin.model.ModelDescription;
import io.quickscorer.plugin.model.ModelDescription.UploadedFile;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelState.Phase;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.model.node.ModelLookup.ModelFeatures;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.model.store.ModelStore;
import io.quickscorer.plugin.stats.NodeStats;
import io.quickscorer.plugin.testing.Local;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.opensearch.ExceptionsHelper;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.tasks.TaskInfo;
import org.opensearch.test.transport.MockTransportService;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/** Models in a cluster of three: loaded everywhere, whole or invisible, given back at the end. */
public class ModelClusterTests extends ModelClusterTestCase {
  public void testUploadAnswersWhenEveryNodeHasLoaded() throws Exception {
    ModelUploads.Response put = put("m", "fs", MODEL);
    assertEquals(3, put.nodes().size());
    for (ModelNodes.NodeState node : put.nodes()) {
      assertEquals(Phase.LOADED, node.state().phase());
      assertThat(node.state().bytes(), greaterThan(0L));
    }
    for (ModelService node : dataNodes()) {
      assertTrue(node.isLoaded(put.id()));
      assertEquals(put.id(), node.pin("m"));
    }
    delete("m");
    assertNothingIsHeld();
    assertNoDocuments();
  }

  /** What each node has yet to do for an upload is a task of its own. */
  public void testLoadsAreTasksThatSayHowFarTheyGot() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    ActionFuture<ModelUploads.Response> put;
    try {
      for (ThreadPool node : internalCluster().getDataNodeInstances(ThreadPool.class)) {
        for (int i = 0; i < node.info(WorkPool.LOADS.pool()).getMax(); i++) {
          node.executor(WorkPool.LOADS.pool())
              .submit(
                  () -> {
                    over.await();
                    return null;
                  });
        }
      }
      put = put(internalCluster().coordOnlyNodeClient(), "m", "fs", MODEL);
      await(
          () -> {
            List<String> loads = loads();
            assertEquals(loads.toString(), 3, loads.size());
            for (String load : loads) {
              assertThat(
                  load, matchesPattern(Pattern.quote("loading model [m@") + "\\w+]: 0 % compiled"));
            }
          });
    } finally {
      over.countDown();
    }
    assertEquals(3, put.actionGet().nodes().size());
    assertEquals(List.of(), loads());
  }

  private static List<String> loads() {
    return client()
        .admin()
        .cluster()
        .prepareListTasks()
        .setActions(ModelNodes.LOAD.name())
        .setDetailed(true)
        .get()
        .getTasks()
        .stream()
        .map(TaskInfo::getDescription)
        .toList();
  }

  public void testRestartedAndNewNodesLoadByThemselves() throws Exception {
    ModelId id = put("m", "fs", MODEL).id();
    internalCluster().restartRandomDataNode();
    assertLoadedOnAll(id, 3);
    internalCluster().fullRestart();
    setting("quickscorer.model.retire_after", "0s");
    assertLoadedOnAll(id, 3);
    internalCluster().startNode();
    assertLoadedOnAll(id, 4);
    ensureGreen(ModelIndex.NAME);
    internalCluster().stopRandomDataNode();
    assertLoadedOnAll(id, 3);
  }

  public void testUploadRightAfterAStartWaitsForTheIndex() throws Exception {
    put("m", "fs", MODEL);
    internalCluster().fullRestart();
    setting("quickscorer.model.retire_after", "0s");
    assertLoadedOnAll(put("n", "other", OTHER).id(), 3);
  }

  public void testUploadThatDoesNotFitIsRefusedAndInvisible() throws Exception {
    setting("breaker.quickscorer.limit", "1kb");
    Throwable refused = refused();
    assertEquals(RestStatus.TOO_MANY_REQUESTS, ExceptionsHelper.status(refused));
    assertThat(refused.getMessage(), containsString("upload of model [m]"));
    assertEquals(List.of(), models());
    assertNothingIsHeld();
    setting("breaker.quickscorer.limit", null);
    assertLoadedOnAll(put("m", "fs", MODEL).id(), 3);
  }

  private static Throwable refused() {
    return ExceptionsHelper.unwrapCause(expectThrows(Exception.class, () -> put("m", "fs", MODEL)));
  }

  public void testModelThatDoesNotFitOneNodeIsRefusedAndInvisible() throws Exception {
    failLoadingOnOneNode();
    Throwable refused = refused();
    for (TransportService service : internalCluster().getInstances(TransportService.class)) {
      ((MockTransportService) service).clearAllRules();
    }
    assertEquals(RestStatus.TOO_MANY_REQUESTS, ExceptionsHelper.status(refused));
    assertEquals(List.of(), models());
    assertNothingIsHeld();
    assertNoDocuments();
    assertLoadedOnAll(put("m", "fs", MODEL).id(), 3);
  }

  private static void failLoadingOnOneNode() {
    MockTransportService node =
        (MockTransportService)
            internalCluster().getDataNodeInstances(TransportService.class).iterator().next();
    node.addRequestHandlingBehavior(
        ModelNodes.LOAD.name(),
        (handler, request, channel, task) -> {
          if (((ModelNodes.Request) ((ValueRequest<?>) request).value()).release()) {
            handler.messageReceived(request, channel, task);
          } else {
            channel.sendResponse(
                new CircuitBreakingException("full", CircuitBreaker.Durability.PERMANENT));
          }
        });
  }

  public void testInterruptedUploadIsInvisibleAndSwept() throws Exception {
    ModelStore store = internalCluster().getInstance(ModelStore.class);
    byte[] file = new byte[2 * ModelStore.CHUNK_BYTES + 17];
    random().nextBytes(file);
    ModelManifest manifest =
        new ModelManifest(
            new ModelId("interrupted", "v"),
            "key",
            "",
            1,
            file.length,
            ModelStore.chunks(file.length),
            1,
            1_000,
            ModelManifest.Checksums.NONE);
    PlainActionFuture<Void> ready = PlainActionFuture.newFuture();
    store.ensureIndex(ready);
    ready.actionGet();
    PlainActionFuture<ModelManifest> written = PlainActionFuture.newFuture();
    ModelDescription description =
        description().with(new UploadedFile("x.txt", "text/plain", 3, ""));
    store.write(manifest, description, new BytesArray(file), written);
    written.actionGet();
    assertEquals(4, uploadDocuments().size());

    PlainActionFuture<byte[]> read = PlainActionFuture.newFuture();
    internalCluster().getInstance(ModelStore.class).read(written.actionGet(), read);
    assertArrayEquals(file, read.actionGet());
    assertEquals(List.of(), models());
    for (ModelService node : dataNodes()) {
      expectThrows(ResourceNotFoundException.class, () -> node.pin("interrupted"));
    }

    long after = manifest.created() + 1;
    assertEquals("too young", 0, sweep(store, manifest.created()));
    assertEquals(4, sweep(store, after));
    assertNoDocuments();
  }

  private static int sweep(ModelStore store, long olderThan) {
    PlainActionFuture<Integer> swept = PlainActionFuture.newFuture();
    store.sweep(Set.of(), olderThan, swept);
    return swept.actionGet();
  }

  private static ModelDescription description() throws Exception {
    try (XContentParser parser =
        JsonXContent.jsonXContent.createParser(null, null, MODEL.featureSet())) {
      return new ModelDescription(
          Map.of(ModelDescription.FEATURE_SET, "fs"),
          FeatureSet.read("fs", Door.within(parser)),
          ReadOptions.NONE);
    }
  }

  public void testReplacedVersionStaysUsableUntilItsLastUse() throws Exception {
    ModelId first = put("m", "fs", MODEL).id();
    List<ModelLookup.ModelUse> uses = new ArrayList<>();
    for (ModelService node : dataNodes()) {
      uses.add(node.acquire(first));
    }
    ModelUploads.Response second = put("m", "other", OTHER);
    assertEquals(ModelUploads.Result.UPDATED, second.result());
    assertNotEquals(first, second.id());
    assertLoadedOnAll(second.id(), 3);
    delete("m");
    for (NodeStats node : stats()) {
      assertThat(node.models().toString(), node.memory().used(), greaterThan(0L));
    }
    for (ModelLookup.ModelUse use : uses) {
      assertEquals(MODEL.ensemble().trees().size(), use.model().scorer().ensemble().trees().size());
      use.close();
      use.close();
    }
    assertNothingIsHeld();
    for (ModelService node : dataNodes()) {
      assertFalse(node.isLoaded(first));
      Exception gone = expectThrows(Exception.class, () -> node.acquire(first));
      assertEquals(RestStatus.NOT_FOUND, ExceptionsHelper.status(gone));
    }
  }

  public void testEngineIsChangedWhileModelsAreLoaded() throws Exception {
    ModelId id = put("m", "fs", MODEL).id();
    // What a node keeps for binding, besides those inside the compiled model.
    long features = described(id).heapBytes();
    setting("quickscorer.engine", "object");
    await(
        () -> {
          bind(id);
          for (NodeStats node : stats()) {
            assertEquals(1, node.models().size());
            assertEquals("object", node.models().getFirst().engine());
            assertEquals(node.models().getFirst().bytes() + features, node.memory().used());
          }
        });
    assertLoadedOnAll(id, 3);
  }

  /** Of a set of large queries, which is more than the trees. */
  public void testFeatureSetOfAModelIsCharged() throws Exception {
    String query = "\"type\":\"query\",\"query\":{\"match\":{\"title\":\"%s\"}}";
    String large = String.format(Locale.ROOT, query, "x".repeat(100_000));
    String set =
        MODEL.ensemble().featureNames().stream()
            .map(name -> "{\"name\":\"" + name + "\"," + large + "}")
            .collect(Collectors.joining(",", "{\"features\":[", "]}"));
    Local.begin(
            client(),
            FeatureSets.PUT,
            new FeatureSets.Request(
                "large", false, null, MediaTypeRegistry.JSON, new BytesArray(set)))
        .actionGet();
    ModelId id = put(client(), "m", "large", MODEL).actionGet().id();
    long features = described(id).heapBytes();
    assertThat(features, greaterThan((long) ModelDescription.PARSED_FACTOR * 100_000));
    for (NodeStats node : stats()) {
      assertThat(node.models().getFirst().bytes(), greaterThan(features));
    }
    // Those kept for binding besides, which go when models need the memory.
    await(
        () -> {
          bind(id);
          stats().forEach(node -> assertEquals(features, kept(node)));
        });
    await(
        () -> {
          dataNodes().forEach(ModelService::forgetFeatures);
          stats().forEach(node -> assertEquals(0, kept(node)));
        });
  }

  /** Asks each node for a model's features, as a search does. */
  private static void bind(ModelId id) {
    for (ModelService node : internalCluster().getInstances(ModelService.class)) {
      PlainActionFuture<ModelFeatures> features = PlainActionFuture.newFuture();
      node.features(id, features);
      features.actionGet();
    }
  }

  private static long kept(NodeStats node) {
    return node.memory().used() - node.models().getFirst().bytes();
  }

  private ModelDescription described(ModelId id) {
    PlainActionFuture<ModelDescription> described = PlainActionFuture.newFuture();
    ModelManifest manifest = ModelsMetadata.of(clusterService().state()).get(id);
    internalCluster().getInstance(ModelStore.class).describe(manifest, described);
    return described.actionGet();
  }

  public void testDeletedIndexLeavesLoadedModelsAndIsFilledAgain() throws Exception {
    ModelId id = put("m", "fs", MODEL).id();
    client().admin().indices().prepareDelete(ModelIndex.NAME).get();
    assertLoadedOnAll(id, 3);
    putFeatureSet("fs", MODEL);
    ModelUploads.Response again = put("m", "fs", MODEL);
    assertEquals(id, again.id());
    assertEquals(ModelUploads.Result.UPDATED, again.result());
    internalCluster().restartRandomDataNode();
    assertLoadedOnAll(id, 3);
  }

  public void testFeaturesAreKnownOnEveryNode() {
    ModelId id = put("m", "fs", MODEL).id();
    for (ModelService node : internalCluster().getInstances(ModelService.class)) {
      PlainActionFuture<ModelFeatures> features = PlainActionFuture.newFuture();
      node.features(id, features);
      assertEquals(
          MODEL.ensemble().featureNames().size(),
          features.actionGet().features().features().size());
      assertThat(features.actionGet().used().size(), greaterThan(0));
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;

import io.quickscorer.plugin.QuickScorerPlugin;
import io.quickscorer.plugin.action.ListRequest;
import io.quickscorer.plugin.action.NamedRequest;
import io.quickscorer.plugin.action.Precondition;
import io.quickscorer.plugin.action.alias.DeleteAliasAction;
import io.quickscorer.plugin.action.alias.PutAliasAction;
import io.quickscorer.plugin.action.featureset.PutFeatureSetAction;
import io.quickscorer.plugin.action.model.DeleteModelAction;
import io.quickscorer.plugin.action.model.GetModelsAction;
import io.quickscorer.plugin.action.model.LoadModelAction;
import io.quickscorer.plugin.action.model.NodeModelState;
import io.quickscorer.plugin.action.model.PutModelAction;
import io.quickscorer.plugin.action.stats.StatsAction;
import io.quickscorer.plugin.feature.set.FeatureSet;
import io.quickscorer.plugin.model.ModelState.Phase;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.model.store.ModelStore;
import io.quickscorer.plugin.model.upload.ModelUploadService;
import io.quickscorer.plugin.testing.TestModel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.After;
import org.junit.Before;
import org.opensearch.ExceptionsHelper;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.cluster.ClusterState;
import org.opensearch.common.CheckedRunnable;
import org.opensearch.common.Priority;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchIntegTestCase;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.disruption.BlockClusterStateProcessing;
import org.opensearch.test.transport.MockTransportService;
import org.opensearch.transport.ConnectTransportException;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.Client;

/** Models in a cluster of three: loaded everywhere, whole or invisible, given back at the end. */
@ClusterScope(numDataNodes = 3, numClientNodes = 1, supportsDedicatedMasters = false)
public class ModelClusterTests extends OpenSearchIntegTestCase {
  private static final TestModel MODEL = TestModel.LIGHTGBM;
  private static final TestModel OTHER = TestModel.LIGHTGBM_BINARY;

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    return List.of(QuickScorerPlugin.class, MockTransportService.TestPlugin.class);
  }

  @Before
  public void begin() {
    setting("quickscorer.model.retire_after", "0s");
    putFeatureSet("fs", MODEL);
    putFeatureSet("other", OTHER);
  }

  /** Whatever a test did, no byte stays reserved anywhere. */
  @After
  public void end() throws Exception {
    for (GetModelsAction.Model model : models()) {
      delete(model.manifest().id().name());
    }
    assertNothingIsHeld();
    for (String key :
        List.of(
            "quickscorer.model.retire_after", "breaker.quickscorer.limit", "quickscorer.engine")) {
      setting(key, null);
    }
  }

  private static void putFeatureSet(String name, TestModel model) {
    client()
        .execute(
            PutFeatureSetAction.INSTANCE,
            new PutFeatureSetAction.Request(
                name, false, null, MediaTypeRegistry.JSON, new BytesArray(model.featureSet())))
        .actionGet();
  }

  private static PutModelAction.Response put(String name, String featureSet, TestModel model) {
    return put(client(), name, featureSet, model).actionGet();
  }

  private static ActionFuture<PutModelAction.Response> put(
      Client client, String name, String featureSet, TestModel model) {
    return client.execute(
        PutModelAction.INSTANCE,
        new PutModelAction.Request(
            new ModelUploadService.Body(
                name, featureSet, null, null, null, null, new BytesArray(model.file()), null),
            Precondition.NONE,
            TimeValue.timeValueSeconds(60)));
  }

  private static void delete(String name) {
    client().execute(DeleteModelAction.INSTANCE, new NamedRequest(name)).actionGet();
  }

  private static List<GetModelsAction.Model> models() {
    return client().execute(GetModelsAction.INSTANCE, new ListRequest("")).actionGet().models();
  }

  private static Iterable<ModelService> dataNodes() {
    return internalCluster().getDataNodeInstances(ModelService.class);
  }

  private static void setting(String key, String value) {
    Settings.Builder settings =
        value == null ? Settings.builder().putNull(key) : Settings.builder().put(key, value);
    client().admin().cluster().prepareUpdateSettings().setTransientSettings(settings).get();
  }

  private static List<StatsAction.NodeStats> stats() {
    return client()
        .execute(StatsAction.INSTANCE, new StatsAction.Request("data:true"))
        .actionGet()
        .getNodes();
  }

  private static void assertNothingIsHeld() throws Exception {
    assertBusy(
        () -> {
          for (StatsAction.NodeStats node : stats()) {
            assertEquals(node.getNode() + " " + node.models(), 0, node.usedBytes());
          }
        },
        60,
        TimeUnit.SECONDS);
  }

  private static void assertLoadedOnAll(ModelId id, int nodes) throws Exception {
    assertBusy(
        () -> {
          List<StatsAction.NodeStats> all = stats();
          assertEquals(nodes, all.size());
          for (StatsAction.NodeStats node : all) {
            assertTrue(
                node.getNode() + " " + node.models(),
                node.models().stream()
                    .anyMatch(m -> m.id().equals(id) && m.phase() == Phase.LOADED && m.current()));
          }
        },
        60,
        TimeUnit.SECONDS);
  }

  /** Ids of the documents that belong to models. */
  private static List<String> uploadDocuments() {
    client().admin().indices().prepareRefresh(ModelIndex.NAME).get();
    List<String> ids = new ArrayList<>();
    client()
        .prepareSearch(ModelIndex.NAME)
        .setQuery(QueryBuilders.existsQuery("upload"))
        .setSize(1_000)
        .get()
        .getHits()
        .forEach(hit -> ids.add(hit.getId()));
    return ids;
  }

  private static void assertNoDocuments() throws Exception {
    assertBusy(() -> assertEquals(List.of(), uploadDocuments()));
  }

  public void testUploadAnswersWhenEveryNodeHasLoaded() throws Exception {
    PutModelAction.Response put = put("m", "fs", MODEL);
    assertEquals(3, put.nodes().size());
    for (NodeModelState node : put.nodes()) {
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
        LoadModelAction.NAME,
        (handler, request, channel, task) -> {
          if (((LoadModelAction.Request) request).release()) {
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
    PlainActionFuture<ModelManifest> written = PlainActionFuture.newFuture();
    ModelDescription description =
        description().with(new UploadedFile("x.txt", "text/plain", 3, "", 3));
    store.write(manifest, description, new BytesArray(file), new BytesArray("abc"), written);
    written.actionGet();
    assertEquals(5, uploadDocuments().size());

    // With its checksums, and as it was stored before there were any.
    for (ModelManifest each : List.of(written.actionGet(), manifest)) {
      PlainActionFuture<byte[]> read = PlainActionFuture.newFuture();
      internalCluster().getInstance(ModelStore.class).read(each, read);
      assertArrayEquals(file, read.actionGet());
    }
    assertEquals(List.of(), models());
    for (ModelService node : dataNodes()) {
      expectThrows(ResourceNotFoundException.class, () -> node.pin("interrupted"));
    }

    long after = manifest.created() + 1;
    assertEquals("too young", 0, sweep(store, 0, manifest.created()));
    assertEquals("from before there was a catalogue", 0, sweep(store, after, after));
    assertEquals(5, sweep(store, 0, after));
    assertNoDocuments();
  }

  private static int sweep(ModelStore store, long since, long olderThan) {
    PlainActionFuture<Integer> swept = PlainActionFuture.newFuture();
    store.sweep(ModelsMetadata.EMPTY, since, olderThan, swept);
    return swept.actionGet();
  }

  private static ModelDescription description() throws Exception {
    try (XContentParser parser =
        JsonXContent.jsonXContent.createParser(null, null, MODEL.featureSet())) {
      return new ModelDescription(
          Map.of(ModelDescription.FEATURE_SET, "fs"), FeatureSet.parse("fs", parser));
    }
  }

  public void testReplacedVersionStaysUsableUntilItsLastUse() throws Exception {
    ModelId first = put("m", "fs", MODEL).id();
    List<ModelLookup.ModelUse> uses = new ArrayList<>();
    for (ModelService node : dataNodes()) {
      uses.add(node.acquire(first));
    }
    PutModelAction.Response second = put("m", "other", OTHER);
    assertEquals(PutModelAction.Result.UPDATED, second.result());
    assertNotEquals(first, second.id());
    assertLoadedOnAll(second.id(), 3);
    delete("m");
    for (StatsAction.NodeStats node : stats()) {
      assertThat(node.getNode().toString(), node.usedBytes(), greaterThan(0L));
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
      assertEquals(RestStatus.SERVICE_UNAVAILABLE, ExceptionsHelper.status(gone));
    }
  }

  public void testEngineIsChangedWhileModelsAreLoaded() throws Exception {
    ModelId id = put("m", "fs", MODEL).id();
    setting("quickscorer.engine", "object");
    assertBusy(
        () -> {
          for (StatsAction.NodeStats node : stats()) {
            assertEquals(1, node.models().size());
            assertEquals("object", node.models().getFirst().engine());
            assertEquals(node.models().getFirst().bytes(), node.usedBytes());
          }
        });
    assertLoadedOnAll(id, 3);
  }

  public void testDeletedIndexLeavesLoadedModelsAndIsFilledAgain() throws Exception {
    ModelId id = put("m", "fs", MODEL).id();
    client().admin().indices().prepareDelete(ModelIndex.NAME).get();
    assertLoadedOnAll(id, 3);
    putFeatureSet("fs", MODEL);
    PutModelAction.Response again = put("m", "fs", MODEL);
    assertEquals(id, again.id());
    assertEquals(PutModelAction.Result.UPDATED, again.result());
    internalCluster().restartRandomDataNode();
    assertLoadedOnAll(id, 3);
  }

  public void testAnswerSaysWhetherAllNodesHaveIt() throws Exception {
    assertTrue(put("m", "fs", MODEL).isAcknowledged());
    assertTrue(put("o", "other", OTHER).isAcknowledged());
    String manager = internalCluster().getClusterManagerName();
    String behind =
        randomValueOtherThan(
            manager, () -> randomFrom(internalCluster().getDataNodeNames().toArray(String[]::new)));
    assertTrue(move(manager, "m").isAcknowledged());
    BlockClusterStateProcessing block = new BlockClusterStateProcessing(behind, random());
    internalCluster().setDisruptionScheme(block);
    block.startDisrupting();
    try {
      assertFalse(move(manager, "o").isAcknowledged());
      assertEquals("m", target(behind));
    } finally {
      internalCluster().clearDisruptionScheme();
    }
    assertBusy(() -> assertEquals("o", target(behind)), 60, TimeUnit.SECONDS);
    assertTrue(move(manager, "m").isAcknowledged());
    client().execute(DeleteAliasAction.INSTANCE, new NamedRequest("live")).actionGet();
  }

  /** As where a cut network delivers what it had held, after its sender has sent it again. */
  public void testAMoveThatArrivesLateDoesNotUndoALaterOne() throws Exception {
    put("m", "fs", MODEL);
    put("o", "other", OTHER);
    String manager = internalCluster().getClusterManagerName();
    String sender =
        randomValueOtherThan(
            manager, () -> randomFrom(internalCluster().getDataNodeNames().toArray(String[]::new)));
    MockTransportService transport =
        (MockTransportService) internalCluster().getInstance(TransportService.class, sender);
    AtomicReference<CheckedRunnable<IOException>> held = new AtomicReference<>();
    transport.addSendBehavior(
        internalCluster().getInstance(TransportService.class, manager),
        (connection, id, action, request, options) -> {
          CheckedRunnable<IOException> send =
              () -> connection.sendRequest(id, action, request, options);
          if (action.equals("cluster:admin/quickscorer/alias/publish")
              && held.compareAndSet(null, send)) {
            throw new ConnectTransportException(connection.getNode(), "held up");
          }
          send.run();
        });
    try {
      ActionFuture<PutAliasAction.Response> moved = begin(sender, "m");
      assertBusy(() -> assertNotNull(held.get()));
      // It is sent again when there is a new cluster state.
      setting("quickscorer.model.retire_after", "1s");
      assertTrue(moved.actionGet().isAcknowledged());
      assertTrue(begin(manager, "o").actionGet().isAcknowledged());
      held.get().run();
      client(manager).admin().cluster().prepareHealth().setWaitForEvents(Priority.LANGUID).get();
      assertEquals("o", target(manager));
      assertTrue(begin(sender, "m").actionGet().isAcknowledged());
      assertEquals("m", target(manager));
    } finally {
      transport.clearAllRules();
      client().execute(DeleteAliasAction.INSTANCE, new NamedRequest("live")).actionGet();
    }
  }

  /**
   * A node's publications of one kind reach the manager once, and their answers are lost; from
   * {@link #over} on they get through.
   */
  private static final class LostAnswers implements AutoCloseable {
    private final String manager = internalCluster().getClusterManagerName();
    private final String sender =
        randomValueOtherThan(
            manager, () -> randomFrom(internalCluster().getDataNodeNames().toArray(String[]::new)));
    private final MockTransportService transport =
        (MockTransportService) internalCluster().getInstance(TransportService.class, sender);
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();

    LostAnswers(String lost) {
      transport.addSendBehavior(
          internalCluster().getInstance(TransportService.class, manager),
          (connection, id, action, request, options) -> {
            boolean isLost = action.equals(lost) && !over.get();
            if (!isLost || sent.getAndIncrement() == 0) {
              connection.sendRequest(id, action, request, options);
            }
            if (isLost) {
              throw new ConnectTransportException(connection.getNode(), "the answer is lost");
            }
          });
    }

    void over() {
      over.set(true);
      // It is sent again when there is a new cluster state.
      setting("quickscorer.model.retire_after", "1s");
    }

    @Override
    public void close() {
      transport.clearAllRules();
    }
  }

  public void testAMoveWhoseAnswerWasLostIsNotMadeTwice() throws Exception {
    put("m", "fs", MODEL);
    put("o", "other", OTHER);
    try (LostAnswers lost = new LostAnswers("cluster:admin/quickscorer/alias/publish")) {
      ActionFuture<PutAliasAction.Response> moved = begin(lost.sender, "m");
      assertBusy(() -> assertEquals("m", target(lost.manager)));
      assertTrue(begin(lost.manager, "o").actionGet().isAcknowledged());
      lost.over();
      assertTrue(moved.actionGet().isAcknowledged());
      assertEquals("o", target(lost.manager));
    } finally {
      client().execute(DeleteAliasAction.INSTANCE, new NamedRequest("live")).actionGet();
    }
  }

  public void testAnUploadWhoseAnswerWasLostIsNotPublishedTwice() throws Exception {
    try (LostAnswers lost = new LostAnswers("cluster:admin/quickscorer/model/publish")) {
      ActionFuture<PutModelAction.Response> put = put(client(lost.sender), "m", "fs", MODEL);
      assertBusy(() -> assertEquals(1, models().size()));
      String first = models().getFirst().manifest().upload();
      assertTrue(put(client(lost.manager), "m", "other", OTHER).actionGet().isAcknowledged());
      lost.over();
      put.actionGet();
      ModelManifest there = models().getFirst().manifest();
      assertNotEquals(first, there.upload());
      PlainActionFuture<Void> whole = PlainActionFuture.newFuture();
      internalCluster().getInstance(ModelStore.class).verify(there, whole);
      whole.actionGet();
    }
  }

  public void testAMoveThatChangesNothingIsNotUndoneByOneThatWasSentBefore() throws Exception {
    put("m", "fs", MODEL);
    put("o", "other", OTHER);
    String manager = internalCluster().getClusterManagerName();
    assertTrue(begin(manager, "m").actionGet().isAcknowledged());
    long before = client().admin().cluster().prepareState().get().getState().version();
    assertTrue(begin(manager, "m").actionGet().isAcknowledged());
    assertThat(
        client().admin().cluster().prepareState().get().getState().version(), greaterThan(before));
    client().execute(DeleteAliasAction.INSTANCE, new NamedRequest("live")).actionGet();
  }

  private static ActionFuture<PutAliasAction.Response> begin(String node, String model) {
    return client(node)
        .execute(
            PutAliasAction.INSTANCE,
            new PutAliasAction.Request("live", Shares.all(model), TimeValue.timeValueSeconds(60)));
  }

  private static PutAliasAction.Response move(String node, String model) {
    TimeValue timeout = TimeValue.timeValueSeconds(model.equals("o") ? 1 : 60);
    return client(node)
        .execute(
            PutAliasAction.INSTANCE, new PutAliasAction.Request("live", Shares.all(model), timeout))
        .actionGet();
  }

  private static String target(String node) {
    ClusterState state = internalCluster().clusterService(node).state();
    ModelAlias alias = ModelsMetadata.of(state).aliases().get("live");
    return alias == null ? null : alias.model();
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

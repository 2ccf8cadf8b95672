// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;

import io.quickscorer.plugin.action.ListRequest;
import io.quickscorer.plugin.action.NamedRequest;
import io.quickscorer.plugin.action.Precondition;
import io.quickscorer.plugin.action.alias.DeleteAliasAction;
import io.quickscorer.plugin.action.alias.PutAliasAction;
import io.quickscorer.plugin.action.featureset.GetFeatureSetsAction;
import io.quickscorer.plugin.action.featureset.PutFeatureSetAction;
import io.quickscorer.plugin.action.model.PutModelAction;
import io.quickscorer.plugin.model.node.CatalogueKeeper;
import io.quickscorer.plugin.model.node.ChangeFence;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.model.store.ModelStore;
import io.quickscorer.plugin.model.upload.ModelUploadService;
import io.quickscorer.plugin.testing.TestModel;
import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.action.admin.cluster.configuration.AddVotingConfigExclusionsAction;
import org.opensearch.action.admin.cluster.configuration.AddVotingConfigExclusionsRequest;
import org.opensearch.action.admin.cluster.configuration.ClearVotingConfigExclusionsAction;
import org.opensearch.action.admin.cluster.configuration.ClearVotingConfigExclusionsRequest;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateUpdateTask;
import org.opensearch.cluster.NotClusterManagerException;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.CheckedRunnable;
import org.opensearch.common.Priority;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.test.disruption.BlockClusterStateProcessing;
import org.opensearch.test.transport.MockTransportService;
import org.opensearch.transport.ConnectTransportException;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.Client;

/**
 * Changes that come late, are made twice, or are asked of a node that is behind: none undoes a
 * later one, or takes from a model what it needs.
 */
public class LateChangesTests extends ModelClusterTestCase {
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
      // Each node says in that time that it has loaded the model; the one behind has no more of it.
      TimeValue timeout = TimeValue.timeValueSeconds(5);
      assertFalse(begin(manager, "o", timeout).actionGet().isAcknowledged());
      assertEquals("m", target(behind));
    } finally {
      internalCluster().clearDisruptionScheme();
    }
    await(() -> assertEquals("o", target(behind)));
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
      await(() -> assertNotNull(held.get()));
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

  /** The only model, once all nodes have it: of two requests the second may ask one behind. */
  private static ModelManifest published() throws Exception {
    List<ModelManifest> there = new ArrayList<>();
    await(
        () -> {
          there.clear();
          for (ClusterService node : internalCluster().getInstances(ClusterService.class)) {
            there.addAll(ModelsMetadata.of(node.state()).models().values());
          }
          assertEquals(internalCluster().size(), there.size());
          assertEquals(1, Set.copyOf(there).size());
        });
    return there.getFirst();
  }

  public void testAMoveWhoseAnswerWasLostIsNotMadeTwice() throws Exception {
    put("m", "fs", MODEL);
    put("o", "other", OTHER);
    try (LostAnswers lost = new LostAnswers("cluster:admin/quickscorer/alias/publish")) {
      ActionFuture<PutAliasAction.Response> moved = begin(lost.sender, "m");
      await(() -> assertEquals("m", target(lost.manager)));
      assertTrue(begin(lost.manager, "o").actionGet().isAcknowledged());
      ClusterService manager = internalCluster().clusterService(lost.manager);
      long before = manager.state().version();
      lost.over();
      assertTrue(moved.actionGet().isAcknowledged());
      assertEquals("o", target(lost.manager));
      // Beside the state with the setting one by which all nodes were asked whether they have what
      // the second attempt found.
      assertThat(manager.state().version(), greaterThan(before + 1));
    } finally {
      client().execute(DeleteAliasAction.INSTANCE, new NamedRequest("live")).actionGet();
    }
  }

  public void testAnUploadWhoseAnswerWasLostIsNotPublishedTwice() throws Exception {
    try (LostAnswers lost = new LostAnswers("cluster:admin/quickscorer/model/publish")) {
      ActionFuture<PutModelAction.Response> put = put(client(lost.sender), "m", "fs", MODEL);
      String first = published().upload();
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

  /** As where the manager dies between what it was asked for and its answer. */
  public void testAnUploadThatAFormerManagerPublishedIsNotPublishedTwice() throws Exception {
    Client client = client();
    for (Precondition precondition : List.of(Precondition.NONE, new Precondition(true, null))) {
      try (LostAnswers lost = new LostAnswers("cluster:admin/quickscorer/model/publish")) {
        ActionFuture<PutModelAction.Response> put =
            client(lost.sender)
                .execute(
                    PutModelAction.INSTANCE,
                    new PutModelAction.Request(
                        new ModelUploadService.Body(
                            "m", "fs", null, null, null, null, new BytesArray(MODEL.file()), null),
                        precondition,
                        TimeValue.timeValueSeconds(60)));
        ModelManifest first = published();
        client
            .execute(
                AddVotingConfigExclusionsAction.INSTANCE,
                new AddVotingConfigExclusionsRequest(lost.manager))
            .actionGet();
        await(
            () -> {
              DiscoveryNode now =
                  internalCluster()
                      .clusterService(lost.sender)
                      .state()
                      .nodes()
                      .getClusterManagerNode();
              assertTrue(now != null && !now.getName().equals(lost.manager));
            });
        PutModelAction.Response answer = put.actionGet();
        assertEquals(PutModelAction.Result.CREATED, answer.result());
        assertTrue(answer.isAcknowledged());
        assertEquals(first, models().getFirst().manifest());
        assertWhole(first);
      } finally {
        ClearVotingConfigExclusionsRequest clear = new ClearVotingConfigExclusionsRequest();
        clear.setWaitForRemoval(false);
        client.execute(ClearVotingConfigExclusionsAction.INSTANCE, clear).actionGet();
      }
      delete("m");
    }
  }

  /** There may be room for a copy of the request that comes later. */
  public void testAnUploadThatThereIsNoRoomForIsLeftToTheSweeper() {
    put("m", "fs", MODEL);
    int documents = uploadDocuments().size();
    setting("quickscorer.model.max_count", "1");
    try {
      Exception full = expectThrows(Exception.class, () -> put("o", "other", OTHER));
      assertEquals(RestStatus.BAD_REQUEST, ExceptionsHelper.status(full));
      assertFalse(ChangeFence.isRefused(full));
      assertThat(uploadDocuments().size(), greaterThan(documents));
    } finally {
      setting("quickscorer.model.max_count", null);
    }
  }

  public void testOnlyTheManagerSaysThatTheCatalogueIsWritten() {
    put("m", "fs", MODEL);
    String manager = internalCluster().getClusterManagerName();
    for (String node : internalCluster().getNodeNames()) {
      PlainActionFuture<Void> kept = PlainActionFuture.newFuture();
      internalCluster().getInstance(CatalogueKeeper.class, node).bringInStep(kept);
      if (node.equals(manager)) {
        kept.actionGet();
      } else {
        expectThrows(NotClusterManagerException.class, kept::actionGet);
      }
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
    return begin(node, model, TimeValue.timeValueSeconds(60));
  }

  private static ActionFuture<PutAliasAction.Response> begin(
      String node, String model, TimeValue timeout) {
    return client(node)
        .execute(
            PutAliasAction.INSTANCE,
            new PutAliasAction.Request("live", Shares.all(model), timeout));
  }

  private static PutAliasAction.Response move(String node, String model) {
    return begin(node, model).actionGet();
  }

  private static String target(String node) {
    ClusterState state = internalCluster().clusterService(node).state();
    ModelAlias alias = ModelsMetadata.of(state).aliases().get("live");
    return alias == null ? null : alias.model();
  }

  /** A refusal that does not come from the state may follow an attempt that was carried out. */
  public void testAPublishedModelStaysWholeWhereItsUploadFails() throws Exception {
    String manager = internalCluster().getClusterManagerName();
    String sender = otherThan(manager);
    MockTransportService transport =
        (MockTransportService) internalCluster().getInstance(TransportService.class, sender);
    transport.addSendBehavior(
        internalCluster().getInstance(TransportService.class, manager),
        (connection, id, action, request, options) -> {
          connection.sendRequest(id, action, request, options);
          if (action.equals("cluster:admin/quickscorer/model/publish")) {
            throw new CircuitBreakingException("full", CircuitBreaker.Durability.TRANSIENT);
          }
        });
    try {
      Exception failed =
          expectThrows(Exception.class, () -> put(client(sender), "m", "fs", MODEL).actionGet());
      assertEquals(
          RestStatus.TOO_MANY_REQUESTS,
          ExceptionsHelper.status(ExceptionsHelper.unwrapCause(failed)));
    } finally {
      transport.clearAllRules();
    }
    assertWhole(published());
    // What the state does not allow leaves nothing behind.
    PlainActionFuture<PutModelAction.Response> refused = PlainActionFuture.newFuture();
    int documents = uploadDocuments().size();
    client()
        .execute(
            PutModelAction.INSTANCE,
            new PutModelAction.Request(
                new ModelUploadService.Body(
                    "m", "other", null, null, null, null, new BytesArray(OTHER.file()), null),
                new Precondition(false, "another"),
                TimeValue.timeValueSeconds(60)),
            refused);
    Exception conflict = expectThrows(Exception.class, refused::actionGet);
    assertThat(conflict.getMessage(), containsString("its version is"));
    await(() -> assertEquals(documents, uploadDocuments().size()));
  }

  private static String otherThan(String node) {
    return randomValueOtherThan(
        node, () -> randomFrom(internalCluster().getDataNodeNames().toArray(String[]::new)));
  }

  private static void assertWhole(ModelManifest manifest) {
    PlainActionFuture<Void> whole = PlainActionFuture.newFuture();
    internalCluster().getInstance(ModelStore.class).verify(manifest, whole);
    whole.actionGet();
  }

  /** It has a version for current that was replaced, and whose documents are still there. */
  public void testAnUploadOfWhatIsThereIsConfirmedByTheManager() throws Exception {
    put("m", "fs", MODEL);
    ModelManifest first = models().getFirst().manifest();
    List<SearchHit> documents = new ArrayList<>();
    client().admin().indices().prepareRefresh(ModelIndex.NAME).get();
    client()
        .prepareSearch(ModelIndex.NAME)
        .setQuery(QueryBuilders.termQuery("upload", first.upload()))
        .get()
        .getHits()
        .forEach(documents::add);
    assertEquals(first.chunks() + 2, documents.size());
    String manager = internalCluster().getClusterManagerName();
    String behind = otherThan(manager);
    BlockClusterStateProcessing block = new BlockClusterStateProcessing(behind, random());
    internalCluster().setDisruptionScheme(block);
    block.startDisrupting();
    try {
      client(manager)
          .execute(
              PutModelAction.INSTANCE,
              new PutModelAction.Request(
                  new ModelUploadService.Body(
                      "m", "other", null, null, null, null, new BytesArray(OTHER.file()), null),
                  Precondition.NONE,
                  TimeValue.timeValueSeconds(2)))
          .actionGet();
      await(() -> assertFalse(uploadDocuments().contains(first.upload())));
      for (SearchHit hit : documents) {
        client(manager)
            .prepareIndex(ModelIndex.NAME)
            .setId(hit.getId())
            .setSource(hit.getSourceRef(), XContentType.CBOR)
            .get();
      }
      Exception stale =
          expectThrows(Exception.class, () -> put(client(behind), "m", "fs", MODEL).actionGet());
      assertTrue(stale.toString(), ChangeFence.isStale(stale));
    } finally {
      internalCluster().clearDisruptionScheme();
    }
    PutModelAction.Response put = put("m", "fs", MODEL);
    assertEquals(PutModelAction.Result.UPDATED, put.result());
    assertEquals(first.id(), models().getFirst().manifest().id());
    assertWhole(models().getFirst().manifest());
    assertEquals(PutModelAction.Result.NOOP, put("m", "fs", MODEL).result());
  }

  public void testAWriteOfAFeatureSetThatArrivesLateDoesNotUndoALaterOne() throws Exception {
    ClusterState state = client().admin().cluster().prepareState().get().getState();
    String primary =
        state
            .nodes()
            .get(
                state.routingTable().index(ModelIndex.NAME).shard(0).primaryShard().currentNodeId())
            .getName();
    String sender = otherThan(primary);
    MockTransportService transport =
        (MockTransportService) internalCluster().getInstance(TransportService.class, sender);
    AtomicReference<CheckedRunnable<IOException>> held = new AtomicReference<>();
    transport.addSendBehavior(
        internalCluster().getInstance(TransportService.class, primary),
        (connection, id, action, request, options) -> {
          CheckedRunnable<IOException> send =
              () -> connection.sendRequest(id, action, request, options);
          if (!action.startsWith("indices:data/write/bulk") || !held.compareAndSet(null, send)) {
            send.run();
          }
        });
    try {
      ActionFuture<PutFeatureSetAction.Response> late = featureSet(sender, MODEL);
      await(() -> assertNotNull(held.get()));
      featureSet(primary, OTHER).actionGet();
      held.get().run();
      Exception conflict = expectThrows(Exception.class, late::actionGet);
      assertThat(
          conflict.getMessage(),
          containsString("feature set [fs]: another request changed it meanwhile"));
      assertEquals(RestStatus.CONFLICT, ExceptionsHelper.status(conflict));
      assertEquals(
          OTHER.ensemble().featureNames().size(),
          client()
              .execute(GetFeatureSetsAction.INSTANCE, new ListRequest("fs"))
              .actionGet()
              .sets()
              .getFirst()
              .features()
              .size());
    } finally {
      transport.clearAllRules();
    }
  }

  private static ActionFuture<PutFeatureSetAction.Response> featureSet(
      String node, TestModel model) {
    return client(node)
        .execute(
            PutFeatureSetAction.INSTANCE,
            new PutFeatureSetAction.Request(
                "fs", false, null, MediaTypeRegistry.JSON, new BytesArray(model.featureSet())));
  }

  public void testWhatNoBackupWouldHaveIsNotAcknowledged() throws Exception {
    put("m", "fs", MODEL);
    String manager = internalCluster().getClusterManagerName();
    block(true);
    try {
      assertFalse(move(manager, "m").isAcknowledged());
    } finally {
      block(false);
    }
    assertEquals("m", target(manager));
    assertTrue(move(manager, "m").isAcknowledged());
    client().execute(DeleteAliasAction.INSTANCE, new NamedRequest("live")).actionGet();
  }

  private static void block(boolean writes) {
    client()
        .admin()
        .indices()
        .prepareUpdateSettings(ModelIndex.NAME)
        .setSettings(Settings.builder().put("index.blocks.write", writes))
        .get();
  }

  /** As after a rolling upgrade in which a manager led whose build wrote no catalogue. */
  public void testNoCatalogueThatIsBehindIsTakenInWhenAllNodesAreUpgraded() throws Exception {
    put("m", "fs", MODEL);
    put("o", "other", OTHER);
    String manager = internalCluster().getClusterManagerName();
    assertTrue(move(manager, "m").isAcknowledged());
    var behind = client().prepareGet(ModelIndex.NAME, "catalogue").get();
    assertTrue(move(manager, "o").isAcknowledged());
    client()
        .prepareIndex(ModelIndex.NAME)
        .setId("catalogue")
        .setSource(behind.getSourceAsBytesRef(), XContentType.CBOR)
        .get();
    ClusterService service = internalCluster().clusterService(manager);
    PlainActionFuture<Void> changed = PlainActionFuture.newFuture();
    service.submitStateUpdateTask(
        "as nodes of the first build left it",
        new ClusterStateUpdateTask() {
          @Override
          public ClusterState execute(ClusterState state) throws Exception {
            ClusterState marked = ModelIndex.markInStep(state, Wire.FIRST);
            return ClusterState.builder(marked)
                .metadata(
                    Metadata.builder(marked.metadata())
                        .putCustom(ModelsMetadata.TYPE, inNoVersion(ModelsMetadata.of(state))))
                .build();
          }

          @Override
          public void onFailure(String source, Exception failure) {
            changed.onFailure(failure);
          }

          @Override
          public void clusterStateProcessed(String source, ClusterState before, ClusterState now) {
            changed.onResponse(null);
          }
        });
    changed.actionGet();
    await(() -> assertEquals(Wire.CURRENT, ModelsMetadata.of(service.state()).wire()));
    assertEquals("o", target(manager));
    assertEquals(Wire.CURRENT, ModelIndex.wireInStep(service.state()));
    client().execute(DeleteAliasAction.INSTANCE, new NamedRequest("live")).actionGet();
  }

  /** As the first build kept it on disk. */
  private ModelsMetadata inNoVersion(ModelsMetadata models) throws IOException {
    try (XContentBuilder json = XContentFactory.jsonBuilder()) {
      json.startObject();
      models.toXContent(
          json,
          new ToXContent.MapParams(
              Map.of(Metadata.CONTEXT_MODE_PARAM, Metadata.CONTEXT_MODE_SNAPSHOT)));
      try (XContentParser parser =
          createParser(JsonXContent.jsonXContent, BytesReference.bytes(json.endObject()))) {
        return ModelsMetadata.fromXContent(parser);
      }
    }
  }

  public void testWhatTheSweeperMayHaveSeenIsNotPublished() {
    put("m", "fs", MODEL);
    ModelManifest there = models().getFirst().manifest();
    CatalogueKeeper keeper =
        internalCluster()
            .getInstance(CatalogueKeeper.class, internalCluster().getClusterManagerName());
    keeper.checkFresh(there);
    setting("quickscorer.model.sweep_after", "2m");
    try {
      ModelManifest old =
          new ModelManifest(
              there.id(),
              there.upload(),
              there.sha256(),
              there.bytes(),
              there.storedBytes(),
              there.chunks(),
              there.heapBytes(),
              there.created() - 90_000,
              there.checksums());
      Exception late = expectThrows(Exception.class, () -> keeper.checkFresh(old));
      // A copy of it may come while the setting is another.
      ChangeFence.refuse((OpenSearchException) late);
      assertFalse(ChangeFence.isRefused(late));
      assertThat(late.getMessage(), containsString("more than half of setting"));
    } finally {
      setting("quickscorer.model.sweep_after", null);
    }
  }
}

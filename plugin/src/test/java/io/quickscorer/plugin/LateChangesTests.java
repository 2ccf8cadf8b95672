// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;

import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.node.CatalogueKeeper;
import io.quickscorer.plugin.model.node.ChangeFence;
import io.quickscorer.plugin.model.node.UploadSweeper;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.model.upload.ModelUploadService;
import io.quickscorer.plugin.testing.Local;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.cluster.NotClusterManagerException;
import org.opensearch.common.CheckedRunnable;
import org.opensearch.common.Priority;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.test.disruption.BlockClusterStateProcessing;
import org.opensearch.test.transport.MockTransportService;
import org.opensearch.transport.ConnectTransportException;
import org.opensearch.transport.TransportService;

/**
 * Changes that come late, or are asked of a node that is behind: none undoes a later one, or takes
 * from a model what it needs.
 */
public class LateChangesTests extends ModelClusterTestCase {
  /** A manager's next change waits so long for a node that takes in no state. */
  @Override
  protected Settings nodeSettings(int ordinal) {
    return Settings.builder()
        .put(super.nodeSettings(ordinal))
        .put("cluster.publish.timeout", "10s")
        .build();
  }

  public void testAnswerSaysWhetherAllNodesHaveIt() throws Exception {
    put("m", "fs", MODEL);
    put("o", "other", OTHER);
    for (ModelManifest model : models().stream().map(Models.Model::manifest).toList()) {
      assertLoadedOnAll(model.id(), 3);
    }
    String manager = internalCluster().getClusterManagerName();
    String behind = otherThan(manager);
    await(() -> assertTrue(move(manager, "m").acknowledged()));
    BlockClusterStateProcessing block = new BlockClusterStateProcessing(behind, random());
    internalCluster().setDisruptionScheme(block);
    block.startDisrupting();
    try {
      // So long all nodes have to say that the model is loaded, and then to take in the state. One
      // of them does not.
      TimeValue timeout = TimeValue.timeValueSeconds(10);
      assertFalse(beginMove(manager, "o", timeout).actionGet().acknowledged());
      assertEquals("m", target(behind));
    } finally {
      internalCluster().clearDisruptionScheme();
    }
    await(() -> assertEquals("o", target(behind)));
    await(() -> assertTrue(move(manager, "m").acknowledged()));
    Local.begin(client(), Aliases.DELETE, "live").actionGet();
  }

  /** As where a cut network delivers what it had held, after its sender has sent it again. */
  public void testAMoveThatArrivesLateDoesNotUndoALaterOne() throws Exception {
    put("m", "fs", MODEL);
    put("o", "other", OTHER);
    String manager = internalCluster().getClusterManagerName();
    String sender = otherThan(manager);
    MockTransportService transport = transport(sender);
    AtomicReference<CheckedRunnable<IOException>> held = holdFirstMove(transport, manager);
    try {
      ActionFuture<Aliases.Response> moved = beginMove(sender, "m");
      await(() -> assertNotNull(held.get()));
      // It is sent again when there is a new cluster state.
      setting("quickscorer.model.retire_after", "1s");
      assertTrue(moved.actionGet().acknowledged());
      assertTrue(beginMove(manager, "o").actionGet().acknowledged());
      held.get().run();
      client(manager).admin().cluster().prepareHealth().setWaitForEvents(Priority.LANGUID).get();
      assertEquals("o", target(manager));
      assertTrue(beginMove(sender, "m").actionGet().acknowledged());
      assertEquals("m", target(manager));
    } finally {
      transport.clearAllRules();
      Local.begin(client(), Aliases.DELETE, "live").actionGet();
    }
  }

  /** Where the network holds a rollback up while another move takes place. */
  public void testARollbackUndoesNoMoveThatItsSenderHadNotSeen() throws Exception {
    put("m", "fs", MODEL);
    put("o", "other", OTHER);
    String manager = internalCluster().getClusterManagerName();
    String sender = otherThan(manager);
    assertTrue(move(sender, "m").acknowledged());
    assertTrue(move(sender, "o").acknowledged());
    MockTransportService transport = transport(sender);
    AtomicReference<CheckedRunnable<IOException>> held = holdFirstMove(transport, manager);
    try {
      ActionFuture<Aliases.Response> back =
          Local.begin(
              client(sender),
              Aliases.PUT,
              new Aliases.Request("live", null, TimeValue.timeValueSeconds(60)));
      await(() -> assertNotNull(held.get()));
      assertTrue(move(manager, "m").acknowledged());
      Exception late = expectThrows(Exception.class, back::actionGet);
      assertEquals(RestStatus.CONFLICT, ExceptionsHelper.status(late));
      assertThat(
          ExceptionsHelper.unwrapCause(late).getMessage(),
          containsString(
              "another request moved the alias first; read the alias and send the request again"));
      assertEquals("m", target(manager));
    } finally {
      transport.clearAllRules();
      Local.begin(client(), Aliases.DELETE, "live").actionGet();
    }
  }

  private static MockTransportService transport(String node) {
    return (MockTransportService) internalCluster().getInstance(TransportService.class, node);
  }

  /** Makes the first move of an alias fail on its way to the manager; running it delivers it. */
  private static AtomicReference<CheckedRunnable<IOException>> holdFirstMove(
      MockTransportService transport, String manager) {
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
    return held;
  }

  /** No copy of its request can publish it later. */
  public void testAnUploadThatThereIsNoRoomForLeavesNothing() throws Exception {
    put("m", "fs", MODEL);
    Set<String> documents = Set.copyOf(uploadDocuments());
    setting("quickscorer.model.max_count", "1");
    try {
      Exception full = expectThrows(Exception.class, () -> put("o", "other", OTHER));
      assertEquals(RestStatus.BAD_REQUEST, ExceptionsHelper.status(full));
      assertTrue(ChangeFence.isRefused(full));
      await(() -> assertEquals(documents, Set.copyOf(uploadDocuments())));
    } finally {
      setting("quickscorer.model.max_count", null);
    }
  }

  public void testOnlyTheManagerSaysThatTheCatalogueIsWritten() {
    put("m", "fs", MODEL);
    String manager = internalCluster().getClusterManagerName();
    for (String node : internalCluster().getNodeNames()) {
      PlainActionFuture<Void> kept = PlainActionFuture.newFuture();
      internalCluster().getInstance(CatalogueKeeper.class, node).synchronize(kept);
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
    assertTrue(beginMove(manager, "m").actionGet().acknowledged());
    long before = client().admin().cluster().prepareState().get().getState().version();
    assertTrue(beginMove(manager, "m").actionGet().acknowledged());
    assertThat(
        client().admin().cluster().prepareState().get().getState().version(), greaterThan(before));
    Local.begin(client(), Aliases.DELETE, "live").actionGet();
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
    assertEquals(first.chunks() + 1, documents.size());
    String manager = internalCluster().getClusterManagerName();
    String behind = otherThan(manager);
    BlockClusterStateProcessing block = new BlockClusterStateProcessing(behind, random());
    internalCluster().setDisruptionScheme(block);
    block.startDisrupting();
    ActionFuture<ModelUploads.Response> put;
    try {
      Local.begin(
              client(manager),
              ModelUploads.PUT,
              new ModelUploads.Request(
                  new ModelUploadService.Body("m", "other", null, new BytesArray(OTHER.file())),
                  Precondition.NONE,
                  TimeValue.timeValueSeconds(10)))
          .actionGet();
      await(() -> assertFalse(uploadDocuments().contains(first.upload())));
      for (SearchHit hit : documents) {
        client(manager)
            .prepareIndex(ModelIndex.NAME)
            .setId(hit.getId())
            .setSource(hit.getSourceRef(), XContentType.CBOR)
            .get();
      }
      int stored = uploadDocuments().size();
      put = put(client(behind), "m", "fs", MODEL);
      // The manager says that another version is current. So it is stored again, and published when
      // its node has that state.
      await(() -> assertThat(uploadDocuments().size(), greaterThan(stored)));
      assertFalse(put.isDone());
    } finally {
      internalCluster().clearDisruptionScheme();
    }
    assertEquals(ModelUploads.Result.UPDATED, put.actionGet().result());
    assertEquals(first.id(), models().getFirst().manifest().id());
    assertWhole(models().getFirst().manifest());
    assertEquals(ModelUploads.Result.NOOP, put("m", "fs", MODEL).result());
    for (SearchHit hit : documents) {
      client().prepareDelete(ModelIndex.NAME, hit.getId()).get();
    }
  }

  public void testWhatNoBackupWouldHaveIsNotAcknowledged() throws Exception {
    put("m", "fs", MODEL);
    String manager = internalCluster().getClusterManagerName();
    block(true);
    try {
      assertFalse(move(manager, "m").acknowledged());
    } finally {
      block(false);
    }
    assertEquals("m", target(manager));
    assertTrue(move(manager, "m").acknowledged());
    Local.begin(client(), Aliases.DELETE, "live").actionGet();
  }

  private static void block(boolean writes) {
    client()
        .admin()
        .indices()
        .prepareUpdateSettings(ModelIndex.NAME)
        .setSettings(Settings.builder().put("index.blocks.write", writes))
        .get();
  }

  public void testWhatTheSweeperMayHaveSeenIsNotPublished() {
    put("m", "fs", MODEL);
    ModelManifest there = models().getFirst().manifest();
    UploadSweeper sweeper =
        internalCluster()
            .getInstance(UploadSweeper.class, internalCluster().getClusterManagerName());
    sweeper.checkFresh(there);
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
      Exception late = expectThrows(Exception.class, () -> sweeper.checkFresh(old));
      assertTrue(ChangeFence.isForNow(late));
      assertThat(late.getMessage(), containsString("more than half of setting"));
    } finally {
      setting("quickscorer.model.sweep_after", null);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import static org.hamcrest.Matchers.containsString;

import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.model.store.FeatureSetStore;
import io.quickscorer.plugin.model.store.FeatureSetStore.Written;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.testing.Local;
import io.quickscorer.plugin.testing.TestModel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.get.GetRequest;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.cluster.ClusterState;
import org.opensearch.common.CheckedRunnable;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.transport.TransportResponse;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.node.NodeClosedException;
import org.opensearch.test.transport.MockTransportService;
import org.opensearch.transport.ConnectTransportException;
import org.opensearch.transport.TransportChannel;
import org.opensearch.transport.TransportRequest;
import org.opensearch.transport.TransportService;

/** Writes of feature sets where shards move and requests are repeated. */
public class FeatureSetWritesTests extends ModelClusterTestCase {
  /** The shard carries out a first write and says that its node is closing, as where it fails. */
  private final class FailingAfterTheWrite implements AutoCloseable {
    private final AtomicInteger writes = new AtomicInteger();
    private final String primary = primary();
    private final MockTransportService transport = transport(primary);

    FailingAfterTheWrite() {
      transport.<TransportRequest>addRequestHandlingBehavior(
          "indices:data/write/bulk[s]",
          (handler, request, channel, task) ->
              handler.messageReceived(
                  request, writes.getAndIncrement() == 0 ? closing(channel) : channel, task));
    }

    private TransportChannel closing(TransportChannel channel) {
      return new TransportChannel() {
        @Override
        public String getProfileName() {
          return channel.getProfileName();
        }

        @Override
        public String getChannelType() {
          return channel.getChannelType();
        }

        @Override
        public void sendResponse(TransportResponse response) throws IOException {
          channel.sendResponse(
              new NodeClosedException(
                  internalCluster().clusterService(primary).state().nodes().getLocalNode()));
        }

        @Override
        public void sendResponse(Exception failure) throws IOException {
          channel.sendResponse(failure);
        }
      };
    }

    /**
     * The server repeats it when there is a new cluster state.
     *
     * @param total how often something is written in all
     */
    <T> T repeated(int total, ActionFuture<T> change) throws Exception {
      await(() -> assertEquals(1, writes.get()));
      assertFalse(change.isDone());
      setting("quickscorer.model.retire_after", writes.get() + "s");
      T response = change.actionGet();
      assertEquals(total, writes.getAndSet(0));
      setting("quickscorer.model.retire_after", "0s");
      return response;
    }

    @Override
    public void close() {
      transport.clearAllRules();
    }
  }

  private static MockTransportService transport(String node) {
    return (MockTransportService) internalCluster().getInstance(TransportService.class, node);
  }

  private static String primary() {
    ClusterState state = client().admin().cluster().prepareState().get().getState();
    return state
        .nodes()
        .get(state.routingTable().index(ModelIndex.NAME).shard(0).primaryShard().currentNodeId())
        .getName();
  }

  private static ActionFuture<FeatureSets.Response> put(
      String node, String name, boolean create, TestModel model) {
    return Local.begin(
        client(node),
        FeatureSets.PUT,
        new FeatureSets.Request(
            name, create, null, MediaTypeRegistry.JSON, new BytesArray(model.featureSet())));
  }

  private static ActionFuture<AcknowledgedResponse> delete(String node, String name) {
    return Local.begin(client(node), FeatureSets.DELETE, name);
  }

  private static FeatureSet set(String name) {
    return Local.begin(client(), FeatureSets.GET, new ListRequest(name))
        .actionGet()
        .items()
        .getFirst()
        .readable();
  }

  private static int features(String name) {
    return set(name).features().size();
  }

  private static ActionFuture<Written> created(FeatureSet set) {
    PlainActionFuture<Written> created = PlainActionFuture.newFuture();
    internalCluster().getInstance(FeatureSetStore.class).put(set, 1_000, true, created);
    return created;
  }

  /** A node's clock stands still for 200 ms, so that times tell no requests apart. */
  public void testOfTwoEqualSetsAtOneTimeOneIsCreated() {
    FeatureSet set = set("fs");
    delete(primary(), "fs").actionGet();
    assertTrue(created(set).actionGet().created());
    OpenSearchException conflict =
        expectThrows(OpenSearchException.class, () -> created(set).actionGet());
    assertEquals(RestStatus.CONFLICT, conflict.status());
    assertEquals("feature set [fs]: the set already exists", conflict.getMessage());
  }

  /** What the first attempt wrote is written again: it may be on the primary alone. */
  public void testAWriteIsNotRefusedForWhatItHasWrittenItself() throws Exception {
    try (FailingAfterTheWrite shard = new FailingAfterTheWrite()) {
      String sender = otherThan(shard.primary);
      assertTrue(shard.repeated(3, put(sender, "new", randomBoolean(), MODEL)).written().created());
      assertEquals(MODEL.ensemble().featureNames().size(), features("new"));
      assertFalse(shard.repeated(3, put(sender, "new", false, OTHER)).written().created());
      assertEquals(OTHER.ensemble().featureNames().size(), features("new"));
      assertTrue(shard.repeated(4, delete(sender, "new")).isAcknowledged());
      expectThrows(ResourceNotFoundException.class, () -> features("new"));
    }
    assertEquals(
        RestStatus.CONFLICT,
        ExceptionsHelper.status(
            expectThrows(Exception.class, () -> put(primary(), "fs", true, OTHER).actionGet())));
  }

  public void testAWriteOfAFeatureSetThatArrivesLateDoesNotUndoALaterOne() throws Exception {
    String primary = primary();
    String sender = otherThan(primary);
    MockTransportService transport = transport(sender);
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
      ActionFuture<FeatureSets.Response> late = put(sender, "fs", false, MODEL);
      await(() -> assertNotNull(held.get()));
      put(primary, "fs", false, OTHER).actionGet();
      held.get().run();
      Exception conflict = expectThrows(Exception.class, late::actionGet);
      assertThat(
          conflict.getMessage(),
          containsString("feature set [fs]: another request changed the set at the same time"));
      assertEquals(RestStatus.CONFLICT, ExceptionsHelper.status(conflict));
      assertEquals(OTHER.ensemble().featureNames().size(), features("fs"));
    } finally {
      transport.clearAllRules();
    }
  }

  public void testWaitsForThePrimary() throws Exception {
    String primary = primary();
    String sender = otherThan(primary);
    AtomicInteger refused = new AtomicInteger(3);
    MockTransportService transport = transport(sender);
    transport.addSendBehavior(
        internalCluster().getInstance(TransportService.class, primary),
        (connection, id, action, request, options) -> {
          // Other documents of the index are read at any time.
          boolean readsSet = request instanceof GetRequest get && get.id().endsWith(":fs");
          if (readsSet && refused.getAndDecrement() > 0) {
            throw new ConnectTransportException(connection.getNode(), "its shard moves");
          }
          connection.sendRequest(id, action, request, options);
        });
    try {
      assertFalse(put(sender, "fs", false, OTHER).actionGet().written().created());
      assertEquals(-1, refused.getAndSet(3));
      assertTrue(delete(sender, "fs").actionGet().isAcknowledged());
      assertEquals(-1, refused.get());
    } finally {
      transport.clearAllRules();
    }
  }

  /** All nodes begin the index at once; what they are told of it comes later. */
  public void testFirstSetsOfAClusterAreWrittenAtOnce() throws Exception {
    for (int round = 0; round < 3; round++) {
      client().admin().indices().prepareDelete(ModelIndex.NAME).get();
      List<ActionFuture<FeatureSets.Response>> puts = new ArrayList<>();
      for (String node : internalCluster().getNodeNames()) {
        for (int i = 0; i < 4; i++) {
          puts.add(put(node, "first_" + node + "_" + i, randomBoolean(), MODEL));
        }
      }
      for (ActionFuture<FeatureSets.Response> put : puts) {
        assertTrue(put.actionGet().written().created());
      }
      await(() -> ensureGreen(ModelIndex.NAME));
    }
  }

  public void testADeletionOfWhatIsNotThereIsA404() {
    Exception missing = expectThrows(Exception.class, () -> delete(primary(), "none").actionGet());
    assertEquals(RestStatus.NOT_FOUND, ExceptionsHelper.status(missing));
    assertThat(missing.getMessage(), containsString("no feature set [none]"));
  }
}

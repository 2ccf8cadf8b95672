// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;

import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.upload.ModelUploadService;
import io.quickscorer.plugin.testing.Local;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.admin.cluster.configuration.AddVotingConfigExclusionsAction;
import org.opensearch.action.admin.cluster.configuration.AddVotingConfigExclusionsRequest;
import org.opensearch.action.admin.cluster.configuration.ClearVotingConfigExclusionsAction;
import org.opensearch.action.admin.cluster.configuration.ClearVotingConfigExclusionsRequest;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.test.transport.MockTransportService;
import org.opensearch.transport.ConnectTransportException;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.Client;

/**
 * Changes that are made, and whose senders do not hear of it: they are not made twice, and models
 * stay whole.
 */
public class LostAnswersTests extends ModelClusterTestCase {
  /**
   * A node's publications of one kind reach the manager once, and their answers are lost; from
   * {@link #over} on they get through.
   */
  private static final class LostAnswers implements AutoCloseable {
    private final String manager = internalCluster().getClusterManagerName();
    private final String sender = otherThan(manager);
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
      ActionFuture<Aliases.Response> moved = beginMove(lost.sender, "m");
      await(() -> assertEquals("m", target(lost.manager)));
      assertTrue(beginMove(lost.manager, "o").actionGet().acknowledged());
      ClusterService manager = internalCluster().clusterService(lost.manager);
      long before = manager.state().version();
      lost.over();
      assertTrue(moved.actionGet().acknowledged());
      assertEquals("o", target(lost.manager));
      // Beside the state with the setting one by which all nodes were asked whether they have what
      // the second attempt found.
      assertThat(manager.state().version(), greaterThan(before + 1));
    } finally {
      Local.begin(client(), Aliases.DELETE, "live").actionGet();
    }
  }

  public void testAnUploadWhoseAnswerWasLostIsNotPublishedTwice() throws Exception {
    try (LostAnswers lost = new LostAnswers("cluster:admin/quickscorer/model/publish")) {
      ActionFuture<ModelUploads.Response> put = put(client(lost.sender), "m", "fs", MODEL);
      String first = published().upload();
      assertTrue(put(client(lost.manager), "m", "other", OTHER).actionGet().acknowledged());
      lost.over();
      put.actionGet();
      ModelManifest there = models().getFirst().manifest();
      assertNotEquals(first, there.upload());
      assertWhole(there);
    }
  }

  /** As where the manager dies between what it was asked for and its answer. */
  public void testAnUploadThatAFormerManagerPublishedIsNotPublishedTwice() throws Exception {
    Client client = client();
    for (Precondition precondition : List.of(Precondition.NONE, new Precondition(true, null))) {
      try (LostAnswers lost = new LostAnswers("cluster:admin/quickscorer/model/publish")) {
        ActionFuture<ModelUploads.Response> put =
            Local.begin(
                client(lost.sender),
                ModelUploads.PUT,
                new ModelUploads.Request(
                    new ModelUploadService.Body("m", "fs", null, new BytesArray(MODEL.file())),
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
        ModelUploads.Response answer = put.actionGet();
        assertEquals(ModelUploads.Result.CREATED, answer.result());
        assertTrue(answer.acknowledged());
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
    int documents = uploadDocuments().size();
    ActionFuture<ModelUploads.Response> refused =
        Local.begin(
            client(),
            ModelUploads.PUT,
            new ModelUploads.Request(
                new ModelUploadService.Body("m", "other", null, new BytesArray(OTHER.file())),
                new Precondition(false, "another"),
                TimeValue.timeValueSeconds(60)));
    Exception conflict = expectThrows(Exception.class, refused::actionGet);
    assertThat(conflict.getMessage(), containsString("the model has version"));
    await(() -> assertEquals(documents, uploadDocuments().size()));
  }
}

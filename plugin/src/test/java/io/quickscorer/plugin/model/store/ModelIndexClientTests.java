// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.store;

import static org.hamcrest.Matchers.containsString;

import org.opensearch.ExceptionsHelper;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.action.NoShardAvailableActionException;
import org.opensearch.action.get.GetRequest;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.shard.ShardNotFoundException;
import org.opensearch.test.ClusterServiceUtils;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.test.client.NoOpClient;

public class ModelIndexClientTests extends OpenSearchTestCase {
  private static final ShardId SHARD = new ShardId(ModelIndex.NAME, "uuid", 0);

  /** What a request through the client fails with where the server fails so. */
  private Exception failure(Exception ofTheServer) {
    try (NoOpClient server =
        new NoOpClient(getTestName()) {
          @Override
          protected <Q extends ActionRequest, R extends ActionResponse> void doExecute(
              ActionType<R> action, Q request, ActionListener<R> listener) {
            listener.onFailure(ofTheServer);
          }
        }) {
      try (ClusterService cluster = ClusterServiceUtils.createClusterService(server.threadPool())) {
        PlainActionFuture<GetResponse> got = PlainActionFuture.newFuture();
        new ModelIndexClient(server, cluster).get(new GetRequest(ModelIndex.NAME, "x"), got);
        return expectThrows(RuntimeException.class, got::actionGet);
      }
    }
  }

  /** An upload to nodes without a byte of disk once failed with 404. */
  public void testShardsThatAreNotThere() {
    for (Exception missing :
        new Exception[] {
          new ShardNotFoundException(SHARD), new NoShardAvailableActionException(SHARD)
        }) {
      Exception failure = failure(missing);
      assertEquals(RestStatus.SERVICE_UNAVAILABLE, ExceptionsHelper.status(failure));
      assertThat(
          failure.getMessage(),
          containsString("the index of models [.quickscorer-models] cannot be used: "));
    }
  }

  public void testOtherFailuresStayAsTheyAre() {
    assertTrue(
        failure(new IndexNotFoundException(ModelIndex.NAME)) instanceof IndexNotFoundException);
  }
}

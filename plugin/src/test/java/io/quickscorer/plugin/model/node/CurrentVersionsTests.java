// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.model.ModelId;
import org.junit.After;
import org.junit.Before;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.block.ClusterBlockException;
import org.opensearch.cluster.block.ClusterBlocks;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.gateway.GatewayService;
import org.opensearch.test.ClusterServiceUtils;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.threadpool.TestThreadPool;
import org.opensearch.threadpool.ThreadPool;

/** A node whose cluster state is not recovered, for example because it has just started. */
public class CurrentVersionsTests extends OpenSearchTestCase {
  private static final ModelId ID = new ModelId("m", "1a");

  private ThreadPool threadPool;
  private ClusterService clusterService;
  private CurrentVersions current;

  @Before
  public void begin() {
    threadPool = new TestThreadPool(getTestName());
    clusterService = ClusterServiceUtils.createClusterService(threadPool);
    ClusterServiceUtils.setState(
        clusterService,
        ClusterState.builder(clusterService.state())
            .blocks(
                ClusterBlocks.builder().addGlobalBlock(GatewayService.STATE_NOT_RECOVERED_BLOCK)));
    current = new CurrentVersions(clusterService, threadPool);
  }

  @After
  public void end() {
    clusterService.close();
    terminate(threadPool);
  }

  public void testAFailureIsPassedOn() {
    PlainActionFuture<Void> answer = new PlainActionFuture<>();
    Exception failure = new IllegalArgumentException("a failure");
    current.explaining(ID, answer).onFailure(failure);
    assertSame(failure, expectThrows(IllegalArgumentException.class, answer::actionGet));
    assertEquals(ClusterBlockException.class, failure.getSuppressed()[0].getClass());
  }

  public void testAWaitEnds() {
    PlainActionFuture<Void> answer = new PlainActionFuture<>();
    current.whenGone(ID, answer);
    expectThrows(ClusterBlockException.class, answer::actionGet);
  }
}

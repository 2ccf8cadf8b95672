// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.InjectedComponent;
import org.apache.lucene.util.SetOnce;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.transport.TransportResponse;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.EmptyTransportResponseHandler;
import org.opensearch.transport.TransportService;

/**
 * Tells the data nodes that a search in a point in time (PIT) has ended, so that they release its
 * feature values. The search does not wait for this message; if it is lost, the values expire
 * later. Safe for use by several threads.
 */
public final class RowRelease {
  private static final String ACTION = "internal:quickscorer/rows/release";

  private final LoggedRowStore rows;
  private final SetOnce<TransportService> transport = new SetOnce<>();
  private final SetOnce<ClusterService> cluster = new SetOnce<>();

  public RowRelease(LoggedRowStore rows) {
    this.rows = rows;
  }

  /**
   * Tells all data nodes to release the feature values of the clause that this random text
   * identifies.
   */
  public void send(String nonce) {
    for (DiscoveryNode node : cluster.get().state().nodes().getDataNodes().values()) {
      transport
          .get()
          .sendRequest(
              node,
              ACTION,
              new ValueRequest<>(new ValueRequest.Named(nonce)),
              EmptyTransportResponseHandler.INSTANCE_SAME);
    }
  }

  /**
   * Receives the server's transport, which is injected only into objects that the server creates.
   */
  public static final class Wiring extends InjectedComponent {
    @Inject
    public Wiring(RowRelease release, TransportService transport, ClusterService cluster) {
      transport.registerRequestHandler(
          ACTION,
          ThreadPool.Names.SAME,
          in -> new ValueRequest<>(in, ValueRequest.Named.class),
          (request, channel, task) ->
              Guard.run(
                  () -> "the release of logged feature values",
                  () -> {
                    release.rows.release(request.value().name());
                    channel.sendResponse(TransportResponse.Empty.INSTANCE);
                  }));
      release.transport.set(transport);
      release.cluster.set(cluster);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import java.util.List;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.StepListener;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.cluster.ClusterChangedEvent;
import org.opensearch.cluster.ClusterStateListener;
import org.opensearch.common.lease.Releasable;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.index.IndexModule;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.node.NodeClient;

/** Ways around the guard, each of which {@link GuardRulesTests} must find. */
@SuppressWarnings("unused") // read by the rule
class Planted {
  void poolOfTheServer(ThreadPool pools) {
    pools.generic().execute(() -> {});
  }

  void scheduled(ThreadPool pools) {
    pools.schedule(() -> {}, TimeValue.ZERO, ThreadPool.Names.GENERIC);
  }

  void ownThread() {
    new Thread(() -> {}).start();
  }

  void error() {
    throw new StackOverflowError();
  }

  void handedOver(IndexShard shard, ActionListener<Releasable> listener) {
    shard.acquirePrimaryOperationPermit(listener, ThreadPool.Names.SAME, "planted");
  }

  void step(StepListener<Void> step) {
    step.whenComplete(done -> {}, failure -> {});
  }

  void anotherClient(Client client) {
    client.search(new SearchRequest(), ActionListener.wrap(found -> {}, failure -> {}));
  }

  void searches(IndexModule index) {
    index.addSearchOperationListener(new PlantedSearches());
  }

  static final class PlantedSearches implements SearchOperationListener {}

  static final class PlantedStates implements ClusterStateListener {
    @Override
    public void clusterChanged(ClusterChangedEvent event) {
      event.nodesChanged();
    }
  }

  static final class PlantedHandler extends BaseRestHandler {
    @Override
    public String getName() {
      return "planted";
    }

    @Override
    public List<Route> routes() {
      return List.of();
    }

    @Override
    protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
      return channel -> {};
    }
  }

  static final class PlantedFilter implements ActionFilter {
    @Override
    public int order() {
      return 0;
    }

    @Override
    public <Q extends ActionRequest, R extends ActionResponse> void apply(
        Task task,
        String action,
        Q request,
        ActionRequestMetadata<Q, R> metadata,
        ActionListener<R> listener,
        ActionFilterChain<Q, R> chain) {
      chain.proceed(task, action, request, listener);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.engine.simd.VectorSupport;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.wire.Wire;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.nodes.TransportNodesAction;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportRequest;
import org.opensearch.transport.TransportService;

/** Asks nodes for their statistics. */
public final class TransportStatsAction
    extends TransportNodesAction<
        StatsAction.Request,
        StatsAction.Response,
        TransportStatsAction.NodeRequest,
        StatsAction.NodeStats> {
  private static final int WIDEST = 512;

  private final ModelService models;
  private final ModelBreaker breaker;
  private final RescoreStats rescore;
  private final VerifyStats verify;

  @Inject
  public TransportStatsAction(
      ThreadPool threadPool,
      ClusterService clusterService,
      TransportService transportService,
      ActionFilters filters,
      ModelService models,
      ModelBreaker breaker,
      RescoreStats rescore,
      VerifyStats verify) {
    super(
        StatsAction.NAME,
        threadPool,
        clusterService,
        transportService,
        filters,
        StatsAction.Request::new,
        NodeRequest::new,
        ThreadPool.Names.MANAGEMENT,
        StatsAction.NodeStats.class);
    this.models = models;
    this.breaker = breaker;
    this.rescore = rescore;
    this.verify = verify;
  }

  /** The question to one node. */
  public static final class NodeRequest extends TransportRequest {
    private final @Nullable ModelId observed;
    private final String forgotten;

    NodeRequest(@Nullable ModelId observed, String forgotten) {
      this.observed = observed;
      this.forgotten = forgotten;
    }

    NodeRequest(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      observed = in.readOptionalWriteable(WireRecord.reader(ModelId.class));
      forgotten = in.readString();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      Wire.head(out);
      out.writeOptionalWriteable(observed);
      out.writeString(forgotten);
    }
  }

  @Override
  protected StatsAction.Response newResponse(
      StatsAction.Request request,
      List<StatsAction.NodeStats> nodes,
      List<FailedNodeException> failures) {
    return new StatsAction.Response(clusterService.getClusterName(), nodes, failures);
  }

  @Override
  protected NodeRequest newNodeRequest(StatsAction.Request request) {
    return new NodeRequest(request.observed(), request.forgotten());
  }

  @Override
  protected StatsAction.NodeStats newNodeResponse(StreamInput in) throws IOException {
    return new StatsAction.NodeStats(in);
  }

  @Override
  protected StatsAction.NodeStats nodeOperation(NodeRequest request) {
    return Guard.call(
        () -> "statistics",
        () -> new StatsAction.NodeStats(clusterService.localNode(), stats(request)));
  }

  private StatsAction.Values stats(NodeRequest request) {
    if (!request.forgotten.isEmpty()) {
      rescore.comparisons().forget(request.forgotten);
    }
    CircuitBreaker counters = breaker.breaker();
    List<Integer> widths = VectorSupport.widths();
    return new StatsAction.Values(
        models.readiness().ready(),
        models.states(),
        JvmStats.ofThisNode(),
        widths.isEmpty()
            ? new StatsAction.Vectors(0, VectorSupport.unavailable(WIDEST))
            : new StatsAction.Vectors(widths.getLast(), ""),
        new DeviceStats(ScorerCompiler.accelerators()),
        new StatsAction.Memory(counters.getLimit(), counters.getUsed(), counters.getTrippedCount()),
        rescore.counts(),
        verify.counts(),
        request.observed == null ? List.of() : rescore.observed().read(request.observed),
        request.observed == null ? List.of() : rescore.drift().read(request.observed));
  }
}

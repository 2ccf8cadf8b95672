// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.engine.simd.VectorSupport;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelState;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.wire.Wire;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionType;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.nodes.BaseNodeResponse;
import org.opensearch.action.support.nodes.BaseNodesRequest;
import org.opensearch.action.support.nodes.BaseNodesResponse;
import org.opensearch.action.support.nodes.TransportNodesAction;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportRequest;
import org.opensearch.transport.TransportService;

/** Returns the states of models and the statistics of each node. */
public final class TransportStatsAction
    extends TransportNodesAction<
        TransportStatsAction.Request,
        TransportStatsAction.Response,
        TransportStatsAction.NodeRequest,
        TransportStatsAction.NodeStats> {
  public static final String NAME = "cluster:admin/quickscorer/stats/get";
  public static final ActionType<Response> ACTION = new ActionType<>(NAME, Response::new);

  /**
   * A request to all nodes, or to the nodes with the given names, which are used as in the server's
   * node APIs.
   */
  public static final class Request extends BaseNodesRequest<Request> {
    private final Asked asked;

    public Request(String... nodes) {
      this(nodes, new Asked(null, ""));
    }

    private Request(String[] nodes, Asked asked) {
      super(nodes);
      this.asked = asked;
    }

    /**
     * Creates a request to all nodes that resets the counters of an experiment and returns the
     * statistics.
     */
    public static Request forgetting(String experiment) {
      return new Request(new String[0], new Asked(null, experiment));
    }

    /**
     * Creates a request to all data nodes that also returns the recorded values of a model's
     * features.
     */
    Request(ModelId observed) {
      this(new String[] {"data:true"}, new Asked(observed, ""));
    }

    public Request(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      asked = WireRecord.read(in, Asked.class);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      Wire.head(out);
      asked.writeTo(out);
    }
  }

  /**
   * The part of a request that each node gets.
   *
   * @param observed the model whose features' values are returned, or null
   * @param forgotten the experiment whose counters are reset; empty for none
   */
  private record Asked(@Nullable ModelId observed, String forgotten) implements WireRecord {}

  /**
   * The states of the models and the statistics of one node.
   *
   * @param ready whether the node can score with all models
   * @param memory the state of the circuit breaker for models
   * @param rescore the statistics of rescoring
   * @param verify the statistics of the verification
   * @param observed the recorded values of the requested model's features; empty if the model has
   *     not scored on the node
   * @param bins the distributions of these values
   */
  public record Values(
      boolean ready,
      List<ModelState> models,
      JvmStats jvm,
      Vectors vectors,
      DeviceStats devices,
      Memory memory,
      RescoreStats.Counts rescore,
      VerifyStats.Counts verify,
      List<ObservedFeatures.Values> observed,
      List<BinCounts> bins)
      implements WireRecord, ToXContentFragment {
    /** Returns the values as metrics of Prometheus. */
    public String metrics() {
      return NodeMetrics.of(this);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.field("ready", ready);
      jvm.toXContent(builder, params);
      builder.startObject("vectors");
      builder.field("bits", vectors.bits);
      if (!vectors.reason.isEmpty()) {
        builder.field("reason", vectors.reason);
      }
      builder.endObject();
      devices.toXContent(builder, params);
      builder.startObject("memory");
      builder.field("limit_bytes", memory.limit);
      builder.field("used_bytes", memory.used);
      builder.field("tripped", memory.tripped);
      builder.endObject();
      rescore.toXContent(builder, params);
      verify.toXContent(builder, params);
      builder.startArray("models");
      for (ModelState model : models) {
        builder.startObject().field("name", model.id().name());
        model.toXContent(builder, params);
        rescore.toXContent(model.id(), builder);
        verify.toXContent(model.id(), builder);
        builder.endObject();
      }
      // A coordinating node also has statistics of models that it has not loaded.
      builder.endArray().startArray("coordinated_models");
      for (ModelId id : rescore.models().keySet()) {
        if (models.stream().noneMatch(model -> model.id().equals(id))) {
          builder.startObject().field("name", id.name()).field("version", id.version());
          rescore.toXContent(id, builder);
          builder.endObject();
        }
      }
      return builder.endArray();
    }
  }

  /** The states and statistics that one node returns. */
  public static final class NodeStats extends BaseNodeResponse {
    private final Values values;

    NodeStats(DiscoveryNode node, Values values) {
      super(node);
      this.values = values;
    }

    NodeStats(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      values = WireRecord.read(in, Values.class);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      Wire.head(out);
      values.writeTo(out);
    }

    public Values values() {
      return values;
    }
  }

  /**
   * The SIMD vectors that a node uses for scoring.
   *
   * @param bits the maximum width in bits; 0 if no vectors are used
   * @param reason the reason why no vectors are used; empty if they are
   */
  public record Vectors(int bits, String reason) {}

  /**
   * The state of the circuit breaker for models.
   *
   * @param limit the limit in bytes; -1 if there is none
   * @param used the charged bytes
   * @param tripped the number of refused charges
   */
  public record Memory(long limit, long used, long tripped) {}

  /** The states and statistics of all requested nodes. */
  public static final class Response extends BaseNodesResponse<NodeStats>
      implements ToXContentFragment {
    public Response(
        ClusterName cluster, List<NodeStats> nodes, List<FailedNodeException> failures) {
      super(cluster, nodes, failures);
    }

    public Response(StreamInput in) throws IOException {
      super(in);
    }

    /**
     * Checks that all nodes have answered, and returns this response.
     *
     * @throws OpenSearchStatusException (503) if a node has not answered; the message names it
     */
    public Response checkComplete() {
      if (hasFailures()) {
        FailedNodeException failed = failures().getFirst();
        throw new OpenSearchStatusException(
            "node [{}] did not answer, so its counts are missing; send the request again",
            RestStatus.SERVICE_UNAVAILABLE,
            failed,
            failed.nodeId());
      }
      return this;
    }

    /** Returns the values of all nodes, in no order. */
    public List<Values> values() {
      return getNodes().stream().map(NodeStats::values).toList();
    }

    @Override
    protected List<NodeStats> readNodesFrom(StreamInput in) throws IOException {
      return in.readList(NodeStats::new);
    }

    @Override
    protected void writeNodesTo(StreamOutput out, List<NodeStats> nodes) throws IOException {
      out.writeList(nodes);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject("nodes");
      for (NodeStats node : getNodes()) {
        builder.startObject(node.getNode().getId());
        builder.field("name", node.getNode().getName());
        node.values.toXContent(builder, params);
        builder.endObject();
      }
      return builder.endObject();
    }
  }

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
        NAME,
        threadPool,
        clusterService,
        transportService,
        filters,
        Request::new,
        NodeRequest::new,
        ThreadPool.Names.MANAGEMENT,
        NodeStats.class);
    this.models = models;
    this.breaker = breaker;
    this.rescore = rescore;
    this.verify = verify;
  }

  /** The request that is sent to one node. */
  public static final class NodeRequest extends TransportRequest {
    private final Asked asked;

    private NodeRequest(Asked asked) {
      this.asked = asked;
    }

    NodeRequest(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      asked = WireRecord.read(in, Asked.class);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      Wire.head(out);
      asked.writeTo(out);
    }
  }

  @Override
  protected Response newResponse(
      Request request, List<NodeStats> nodes, List<FailedNodeException> failures) {
    return new Response(clusterService.getClusterName(), nodes, failures);
  }

  @Override
  protected NodeRequest newNodeRequest(Request request) {
    return new NodeRequest(request.asked);
  }

  @Override
  protected NodeStats newNodeResponse(StreamInput in) throws IOException {
    return new NodeStats(in);
  }

  @Override
  protected NodeStats nodeOperation(NodeRequest request) {
    return Guard.call(
        () -> "statistics", () -> new NodeStats(clusterService.localNode(), stats(request.asked)));
  }

  private Values stats(Asked request) {
    if (!request.forgotten.isEmpty()) {
      rescore.comparisons().forget(request.forgotten);
    }
    CircuitBreaker counters = breaker.breaker();
    List<Integer> widths = VectorSupport.widths();
    return new Values(
        models.readiness().ready(),
        models.states(),
        JvmStats.ofThisNode(),
        widths.isEmpty()
            ? new Vectors(0, VectorSupport.unavailable(WIDEST))
            : new Vectors(widths.getLast(), ""),
        new DeviceStats(ScorerCompiler.accelerators()),
        new Memory(counters.getLimit(), counters.getUsed(), counters.getTrippedCount()),
        rescore.counts(),
        verify.counts(),
        request.observed == null ? List.of() : rescore.observed(request.observed),
        request.observed == null ? List.of() : rescore.drift().read(request.observed));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.engine.simd.VectorSupport;
import io.quickscorer.plugin.action.NodesAction;
import io.quickscorer.plugin.action.PluginAction;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.guard.StepLimit;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelState;
import io.quickscorer.plugin.model.Readiness;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.FailedNodeException;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestResponse;

/**
 * The states of the models and the statistics of one node.
 *
 * @param ready whether the node can score with all models
 * @param memory the state of the circuit breaker for models
 * @param observed the recorded values of each feature of the model that the request names; empty if
 *     the request names none, or the model has not scored on the node
 * @param bins the distributions of the values in {@code observed}
 */
public record NodeStats(
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
  /** The action that returns the statistics of each node. */
  public static final NodesAction<Asked, NodeStats> ACTION =
      new NodesAction<>("cluster:admin/quickscorer/stats/get", Asked.class, NodeStats.class);

  /**
   * The action that returns, for each node, whether it can score with all models. The nodes answer
   * immediately, without waiting for models that are still loading.
   */
  public static final NodesAction<Asked, Readiness> READY =
      new NodesAction<>("cluster:monitor/quickscorer/ready", Asked.class, Readiness.class);

  /**
   * The action that returns the counters that compare models, summed over all nodes. Its request is
   * the name of an experiment, or empty for all experiments.
   */
  public static final PluginAction<String, ToXContentObject> COMPARISONS =
      PluginAction.local("cluster:admin/quickscorer/comparison/get");

  /** The action that sets the counters of an experiment to 0 on all nodes. */
  public static final PluginAction<String, AcknowledgedResponse> RESET_COMPARISONS =
      PluginAction.local("cluster:admin/quickscorer/comparison/reset");

  private static final int WIDEST = 512;

  /**
   * The SIMD vectors that a node uses for scoring.
   *
   * @param bits the maximum width in bits; 0 if no vectors are used
   * @param reason the reason why no vectors are used; empty if vectors are used
   */
  public record Vectors(int bits, String reason) {}

  /**
   * The state of the circuit breaker for models.
   *
   * @param limit the limit in bytes; -1 if there is none
   * @param used the charged bytes
   * @param tripped the number of charges that the breaker refused
   */
  public record Memory(long limit, long used, long tripped) {}

  /**
   * The part of a request for statistics that each node receives.
   *
   * @param observed the model whose feature values are returned, or null
   * @param forgotten the experiment whose counters are set to 0; empty for none
   */
  public record Asked(@Nullable ModelId observed, String forgotten) implements WireRecord {
    /** A request for the statistics that names neither a model nor an experiment. */
    public static final Asked NOTHING_ELSE = new Asked(null, "");
  }

  /**
   * Creates a request for statistics, or for readiness.
   *
   * @param nodes the names of the nodes, as in the server's node APIs; all nodes if it is empty
   */
  public static NodesAction.Request<Asked> request(String... nodes) {
    return new NodesAction.Request<>(Asked.NOTHING_ELSE, nodes);
  }

  /** The objects of a node from which its statistics are read. */
  public record Source(
      ModelService models, ModelBreaker breaker, RescoreStats rescore, VerifyStats verify) {
    /**
     * Returns the statistics of this node.
     *
     * @param request the model whose feature values are returned, and the experiment whose counters
     *     are set to 0 first
     */
    public NodeStats read(Asked request) {
      if (!request.forgotten.isEmpty()) {
        rescore.comparisons().forget(request.forgotten);
      }
      CircuitBreaker counters = breaker.breaker();
      List<Integer> widths = VectorSupport.widths();
      return new NodeStats(
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

  /**
   * Requests, from all nodes, the counters that compare models. Passes their sums to the listener.
   * Fails if a node does not answer.
   *
   * @param experiment the name of the experiment; empty for all
   */
  public static void comparisons(
      GuardedClient client, String experiment, ActionListener<ToXContentObject> listener) {
    client.execute(
        ACTION,
        request(),
        ActionListener.map(
            listener,
            stats -> {
              ComparisonCounts all = ComparisonCounts.NONE;
              for (NodeStats node : stats.checkComplete().values()) {
                StepLimit.step();
                all = all.and(node.rescore.comparisons());
              }
              return experiment.isEmpty() ? all : all.of(experiment);
            }));
  }

  /** Sets the counters of an experiment to 0 on all nodes. Fails if a node does not answer. */
  public static void reset(
      GuardedClient client, String experiment, ActionListener<AcknowledgedResponse> listener) {
    client.execute(
        ACTION,
        new NodesAction.Request<>(new Asked(null, experiment)),
        ActionListener.map(
            listener,
            stats -> {
              stats.checkComplete();
              return new AcknowledgedResponse(true);
            }));
  }

  /** Returns the statistics in Prometheus's text format. */
  public String metrics() {
    return NodeMetrics.of(this);
  }

  /** Returns the readiness of the nodes as a REST response: status 200 if all are ready, or 503. */
  public static RestResponse ready(NodesAction.Response<Readiness> nodes, XContentBuilder builder)
      throws IOException {
    // If no node matches the request, it may not have joined the cluster yet.
    boolean ready =
        nodes.failures().isEmpty()
            && !nodes.getNodes().isEmpty()
            && nodes.values().stream().allMatch(Readiness::ready);
    builder.startObject().field("ready", ready).startObject("nodes");
    nodes.writeNodes(builder);
    for (FailedNodeException failure : nodes.failures()) {
      builder.startObject(failure.nodeId()).field("ready", false);
      builder.field("waiting_for", "a response of the node: " + failure.getMessage());
      builder.endObject();
    }
    builder.endObject().endObject();
    return new BytesRestResponse(ready ? RestStatus.OK : RestStatus.SERVICE_UNAVAILABLE, builder);
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

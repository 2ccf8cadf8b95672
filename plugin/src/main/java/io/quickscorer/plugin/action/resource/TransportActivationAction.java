// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.ValueResponse;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.RecentRequests.Entry;
import io.quickscorer.plugin.model.node.CatalogueKeeper;
import io.quickscorer.plugin.model.node.ChangeFence;
import io.quickscorer.plugin.wire.WireLevel;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.clustermanager.TransportClusterManagerNodeAction;
import org.opensearch.cluster.AckedClusterStateUpdateTask;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.block.ClusterBlockException;
import org.opensearch.cluster.block.ClusterBlockLevel;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.Priority;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/**
 * Publishes changes of names in the cluster state. It runs on the elected cluster manager, one
 * change after the other. Each request is carried out once or not at all, and all its copies get
 * the same answer, see {@link ChangeFence}.
 */
abstract class TransportActivationAction<C extends ActivationRequest.Change, R extends WireRecord>
    extends TransportClusterManagerNodeAction<ActivationRequest<C>, ValueResponse<R>> {
  private static final Logger LOGGER = LogManager.getLogger(TransportActivationAction.class);

  private final String kind;
  private final Writeable.Reader<ValueResponse<R>> responses;
  private final ModelSettings settings;
  private final CatalogueKeeper keeper;
  private final ChangeFence fence;

  /**
   * Creates an action that changes names of one kind of resource.
   *
   * @param kind the kind of resource that has the names, for messages
   */
  public TransportActivationAction(
      String kind,
      ActionType<ValueResponse<R>> type,
      Class<C> changes,
      TransportService transportService,
      ClusterService clusterService,
      ThreadPool threadPool,
      ActionFilters filters,
      IndexNameExpressionResolver resolver,
      ModelSettings settings,
      CatalogueKeeper keeper,
      ChangeFence fence) {
    super(
        type.name(),
        transportService,
        clusterService,
        threadPool,
        filters,
        in -> new ActivationRequest<>(in, changes),
        resolver);
    this.kind = kind;
    this.responses = type.getResponseReader();
    this.settings = settings;
    this.keeper = keeper;
    this.fence = fence;
  }

  @Override
  protected void doExecute(
      Task task, ActivationRequest<C> request, ActionListener<ValueResponse<R>> listener) {
    DiscoveryNode manager = clusterService.state().nodes().getClusterManagerNode();
    try {
      if (manager != null) {
        WireLevel.of(manager).requireCurrent(kind + " [" + request.name() + "]");
      }
    } catch (OpenSearchStatusException behind) {
      listener.onFailure(behind);
      return;
    }
    if (request.isSent()) {
      super.doExecute(task, request, listener);
    } else {
      new Retries(
              threadPool,
              ChangeFence::isStale,
              threadPool.relativeTimeInMillis() + request.timeout().millis())
          .<ValueResponse<R>>run(
              l -> {
                request.sentWith(clusterService.state());
                super.doExecute(task, request, l);
              },
              listener);
    }
  }

  @Override
  protected String executor() {
    return ThreadPool.Names.SAME;
  }

  @Override
  protected ValueResponse<R> read(StreamInput in) throws IOException {
    return responses.read(in);
  }

  @Override
  protected @Nullable ClusterBlockException checkBlock(
      ActivationRequest<C> request, ClusterState state) {
    return state.blocks().globalBlockedException(ClusterBlockLevel.METADATA_WRITE);
  }

  @Override
  protected void clusterManagerOperation(
      ActivationRequest<C> request, ClusterState state, ActionListener<ValueResponse<R>> listener) {
    String what = "publish " + kind + " [" + request.name() + "]";
    Guard.run(
        () -> what,
        () -> clusterService.submitStateUpdateTask(what, publication(request, listener)));
  }

  protected abstract Publication publication(
      ActivationRequest<C> request, ActionListener<ValueResponse<R>> listener);

  /** A task that changes the cluster state for one request, and sends the response. */
  public abstract class Publication extends AckedClusterStateUpdateTask<ValueResponse<R>> {
    protected final ActivationRequest<C> request;
    private final ActionListener<ValueResponse<R>> listener;
    private @Nullable OpenSearchException refusal;
    private @Nullable Entry recorded;

    protected Publication(ActivationRequest<C> request, ActionListener<ValueResponse<R>> listener) {
      super(Priority.HIGH, request, listener);
      this.request = request;
      this.listener = listener;
    }

    /**
     * Sets the response for a repeated request, of which an earlier copy was carried out or
     * refused.
     */
    protected abstract void repeat(Entry earlier);

    /** Returns whether a resource had this name before the change. */
    protected abstract boolean existed();

    /** Returns the alias before the change, or null if there was none. */
    protected @Nullable ModelAlias alias() {
      return null;
    }

    /** Returns the value for the response. */
    protected abstract R result(boolean acknowledged);

    @Override
    protected final ValueResponse<R> newResponse(boolean acknowledged) {
      return new ValueResponse<>(result(acknowledged));
    }

    /** Returns the state with the change, or {@code state} itself if nothing changes. */
    protected abstract ClusterState change(ClusterState state);

    @Override
    public final ClusterState execute(ClusterState state) {
      String name = request.name();
      Entry earlier = ChangeFence.find(kind, name, request.id(), request.seen(), state);
      if (earlier != null) {
        if (earlier.refusal() != null) {
          refusal = ChangeFence.failure(earlier.refusal());
        }
        repeat(earlier);
        // All nodes acknowledge that they have the new state, even if its content is the same.
        return ClusterState.builder(state).build();
      }
      ClusterState changed;
      try {
        changed = Guard.call(() -> kind + " [" + name + "]", () -> change(state));
        if (changed != state) {
          ChangeFence.check(kind, name, request.seen(), state);
        }
      } catch (OpenSearchException refused) {
        refusal = ChangeFence.refuse(refused);
        if (ChangeFence.isStale(refused) || !ModelsMetadata.isReadable(state)) {
          throw refused;
        }
        changed = state;
      }
      // A refusal, and a state without a change, are published too: then no other copy of the
      // request, and no request that was sent earlier, can take effect later.
      recorded =
          new Entry(
              request.id(),
              state.version() + 1,
              refusal == null ? names(state, changed) : List.of(),
              existed(),
              alias(),
              refusal == null ? null : ChangeFence.refusal(refusal));
      return ModelsMetadata.record(recorded, changed);
    }

    /** Returns the changed names. There are several if a model is deleted with its aliases. */
    private List<String> names(ClusterState before, ClusterState after) {
      Map<String, ModelAlias> now = ModelsMetadata.of(after).aliases();
      Set<String> names = new TreeSet<>();
      names.add(request.name());
      ModelsMetadata.of(before)
          .aliases()
          .forEach(
              (name, alias) -> {
                if (!alias.equals(now.get(name))) {
                  names.add(name);
                }
              });
      return List.copyOf(names);
    }

    /**
     * Returns whether the response waits until the node has the new cluster state; a refusal does
     * not wait.
     */
    @Override
    public final boolean mustAck(DiscoveryNode node) {
      return refusal == null;
    }

    @Override
    public final void clusterStateProcessed(String source, ClusterState before, ClusterState now) {
      Entry entry = recorded;
      if (entry != null) {
        Guard.run(() -> kind + " [" + request.name() + "]", () -> fence.changed(entry, now));
      }
      super.clusterStateProcessed(source, before, now);
    }

    @Override
    public final void onAllNodesAcked(@Nullable Exception failure) {
      answer(failure == null);
    }

    @Override
    public final void onAckTimeout() {
      answer(false);
    }

    /**
     * Sends the response after the change is written to the catalogue, so that all later backups
     * contain it.
     */
    private void answer(boolean acknowledged) {
      OpenSearchException refused = refusal;
      if (refused != null) {
        listener.onFailure(refused);
        return;
      }
      keeper.synchronize(
          ActionListener.wrap(
              kept -> listener.onResponse(newResponse(acknowledged)),
              behind -> {
                // The change has taken effect. The keeper repeats the write by itself.
                LOGGER.warn("could not write the catalogue of models, trying again", behind);
                listener.onResponse(newResponse(false));
              }));
    }

    /** Returns the exception for a request that the present cluster state does not allow (409). */
    protected final OpenSearchStatusException conflict(String why) {
      return new OpenSearchStatusException(
          "{} [{}]: {}", RestStatus.CONFLICT, kind, request.name(), why);
    }

    /**
     * Checks that one more model or alias may be created.
     *
     * @throws OpenSearchStatusException (400) if the maximum number is reached
     */
    protected final void checkRoom(int count, String what) {
      int max = settings.get(ModelSettings.MAX_COUNT);
      if (count >= max) {
        throw ChangeFence.forNow(
            new OpenSearchStatusException(
                "{} {} exist, but setting [{}] allows {}; delete some, or raise the setting",
                RestStatus.BAD_REQUEST,
                count,
                what,
                ModelSettings.MAX_COUNT.getKey(),
                max));
      }
    }
  }
}

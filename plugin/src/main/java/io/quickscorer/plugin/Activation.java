// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.action.ValueResponse;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.RecentRequests.Entry;
import io.quickscorer.plugin.model.node.CatalogueKeeper;
import io.quickscorer.plugin.model.node.ChangeFence;
import io.quickscorer.plugin.model.node.UploadSweeper;
import io.quickscorer.plugin.wire.Wire;
import io.quickscorer.plugin.wire.WireLevel;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.clustermanager.AcknowledgedRequest;
import org.opensearch.action.support.clustermanager.TransportClusterManagerNodeAction;
import org.opensearch.cluster.AckedClusterStateUpdateTask;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.block.ClusterBlockException;
import org.opensearch.cluster.block.ClusterBlockLevel;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.Priority;
import org.opensearch.common.UUIDs;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/**
 * The action that changes the version to which a model's name points, or the models to which an
 * alias points, in the cluster state. It runs on the elected cluster manager, one change after the
 * other. Each request is carried out at most once, even if a network failure duplicates it, as
 * {@link ChangeFence} describes.
 */
final class Activation
    extends TransportClusterManagerNodeAction<
        Activation.Request, ValueResponse<Activation.Published>> {
  /** The action that changes the version to which a model's name points. */
  public static final ActionType<ValueResponse<Published>> MODEL = type("model");

  /** The action that removes an alias, or points it at models that all data nodes have loaded. */
  public static final ActionType<ValueResponse<Published>> ALIAS = type("alias");

  private static final Logger LOGGER = LogManager.getLogger(Activation.class);

  private final Services services;

  private static ActionType<ValueResponse<Published>> type(String kind) {
    return new ActionType<>(
        "cluster:admin/quickscorer/" + kind + "/publish", ValueResponse.reader(Published.class));
  }

  public Activation(
      ActionType<ValueResponse<Published>> type,
      TransportService transportService,
      ClusterService clusterService,
      ThreadPool threadPool,
      ActionFilters filters,
      IndexNameExpressionResolver resolver,
      Services services) {
    super(
        type.name(), transportService, clusterService, threadPool, filters, Request::new, resolver);
    this.services = services;
  }

  /**
   * The result of a change.
   *
   * @param acknowledged whether all nodes have the change; if not, the remaining nodes get it later
   * @param existed whether the changed model or alias existed before
   * @param replaced the manifest (entry in the cluster state) that was replaced or removed; null if
   *     there was none, or if the request is a copy of one that was carried out before
   * @param before the alias before the change, or null if there was none with this name
   * @param after the alias after the change, or null if it was removed
   */
  public record Published(
      boolean acknowledged,
      boolean existed,
      @Nullable ModelManifest replaced,
      @Nullable ModelAlias before,
      @Nullable ModelAlias after)
      implements WireRecord {
    Published acknowledged(boolean byAll) {
      return new Published(byAll, existed, replaced, before, after);
    }
  }

  /** The services of the cluster manager for changes of the cluster state. */
  public record Services(ModelSettings settings, UploadSweeper sweeper, CatalogueKeeper keeper) {
    /**
     * Checks that the cluster may have one more model or alias.
     *
     * @param count the current number of models or of aliases
     * @param what the kind of object, for the message
     * @throws OpenSearchStatusException (400) if the maximum number is reached
     */
    void checkRoom(int count, String what) {
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

  /**
   * A request to point the name of a model or an alias at something else, or to remove it. Nodes
   * send it to the cluster manager; users never send it.
   */
  public static final class Request extends AcknowledgedRequest<Request> {
    private Sent sent;

    /**
     * The content of the request, without the fields of OpenSearch's base class.
     *
     * @param name the name of the model or alias
     * @param id the id of the request, which does not change if the request is sent again
     * @param seen the version of the sender's cluster state; null before the request is sent for
     *     the first time
     */
    private record Sent(String name, String id, @Nullable Long seen, Change change)
        implements WireRecord {}

    Request(String name, Change change) {
      sent = new Sent(name, UUIDs.randomBase64UUID(), null, change);
    }

    private Request(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      sent = WireRecord.read(in, Sent.class);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      Wire.head(out);
      sent.writeTo(out);
    }

    @Override
    public @Nullable ActionRequestValidationException validate() {
      return null;
    }

    /**
     * Sends the request to the cluster manager.
     *
     * @param client acts with the plugin's permissions
     */
    void send(GuardedClient client, ActionListener<ValueResponse<Published>> listener) {
      client.execute(sent.change instanceof Change.OfModel ? MODEL : ALIAS, this, listener);
    }

    private void sentWith(ClusterState state) {
      sent = new Sent(sent.name, sent.id, state.version(), sent.change);
    }

    private String kind() {
      return sent.change.kind();
    }
  }

  @Override
  protected void doExecute(
      Task task, Request request, ActionListener<ValueResponse<Published>> listener) {
    DiscoveryNode manager = clusterService.state().nodes().getClusterManagerNode();
    if (manager != null) {
      WireLevel.of(manager).requireCurrent(request.kind() + " [" + request.sent.name + "]");
    }
    if (request.sent.seen != null) {
      super.doExecute(task, request, listener);
    } else {
      new Retries(
              threadPool,
              ChangeFence::isStale,
              threadPool.relativeTimeInMillis() + request.timeout().millis())
          .<ValueResponse<Published>>run(
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
  protected ValueResponse<Published> read(StreamInput in) throws IOException {
    return MODEL.getResponseReader().read(in);
  }

  @Override
  protected @Nullable ClusterBlockException checkBlock(Request request, ClusterState state) {
    return state.blocks().globalBlockedException(ClusterBlockLevel.METADATA_WRITE);
  }

  @Override
  protected void clusterManagerOperation(
      Request request, ClusterState state, ActionListener<ValueResponse<Published>> listener) {
    String what = "publish " + request.kind() + " [" + request.sent.name + "]";
    Guard.run(
        () -> what,
        () -> clusterService.submitStateUpdateTask(what, new Publication(request, listener)));
  }

  /** A task that changes the cluster state for one request, and then sends the response. */
  private final class Publication extends AckedClusterStateUpdateTask<ValueResponse<Published>> {
    private final Request request;
    private final ActionListener<ValueResponse<Published>> listener;
    private @Nullable OpenSearchException refusal;
    private Published published = new Published(false, false, null, null, null);

    Publication(Request request, ActionListener<ValueResponse<Published>> listener) {
      super(Priority.HIGH, request, listener);
      this.request = request;
      this.listener = listener;
    }

    @Override
    protected ValueResponse<Published> newResponse(boolean acknowledged) {
      return new ValueResponse<>(published.acknowledged(acknowledged));
    }

    private ClusterState change(ClusterState state) {
      Request.Sent sent = request.sent;
      CatalogueKeeper.checkChanged(state);
      published = sent.change.published(sent.name, ModelsMetadata.of(state));
      return sent.change.change(sent.name, state, published, services);
    }

    @Override
    public ClusterState execute(ClusterState state) {
      Request.Sent sent = request.sent;
      String name = sent.name;
      String kind = sent.change.kind();
      long seen = Objects.requireNonNull(sent.seen);
      Entry earlier = ChangeFence.find(kind, name, sent.id, seen, state);
      if (earlier != null) {
        if (earlier.refusal() != null) {
          refusal = ChangeFence.failure(earlier.refusal());
        }
        published = sent.change.repeated(name, earlier);
        // All nodes acknowledge that they have the new state, even if its content is the same.
        return ClusterState.builder(state).build();
      }
      ClusterState changed;
      try {
        changed = Guard.call(() -> kind + " [" + name + "]", () -> change(state));
        if (changed != state) {
          ChangeFence.check(kind, name, seen, state);
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
      Entry recorded =
          new Entry(
              sent.id,
              state.version() + 1,
              refusal == null ? names(state, changed) : List.of(),
              published.existed(),
              published.before(),
              refusal == null ? null : ChangeFence.refusal(refusal));
      return CatalogueKeeper.keepChanged(
          recorded.names(), ModelsMetadata.record(recorded, changed));
    }

    /** Returns the name in the request, and the names of all aliases that change with it. */
    private List<String> names(ClusterState before, ClusterState after) {
      Map<String, ModelAlias> now = ModelsMetadata.of(after).aliases();
      Set<String> names = new TreeSet<>();
      names.add(request.sent.name);
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

    /** Returns whether the response waits for the node; false if the change was refused. */
    @Override
    public boolean mustAck(DiscoveryNode node) {
      return refusal == null;
    }

    @Override
    public void onAllNodesAcked(@Nullable Exception failure) {
      answer(failure == null);
    }

    @Override
    public void onAckTimeout() {
      answer(false);
    }

    /**
     * Sends the response. Before that, writes a successful change to the catalogue (the list of
     * models in the index), so that all later backups contain the change.
     */
    private void answer(boolean acknowledged) {
      OpenSearchException refused = refusal;
      if (refused != null) {
        listener.onFailure(refused);
        return;
      }
      services.keeper.synchronize(
          ActionListener.wrap(
              kept -> listener.onResponse(newResponse(acknowledged)),
              behind -> {
                // The change has taken effect. The keeper repeats the write by itself.
                LOGGER.warn("could not write the catalogue of models, trying again", behind);
                listener.onResponse(newResponse(false));
              }));
    }
  }
}

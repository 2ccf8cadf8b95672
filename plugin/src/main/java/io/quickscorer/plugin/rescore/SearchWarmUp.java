// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.feature.FeatureDefinition;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.node.LoadMarks;
import io.quickscorer.plugin.rescore.shard.RescoreServices;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.cluster.ClusterChangedEvent;
import org.opensearch.cluster.ClusterStateListener;
import org.opensearch.cluster.routing.RoutingNode;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.lease.Releasable;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.threadpool.ThreadPool;

/**
 * Runs searches with newly loaded models on this node's shards, so that the JIT compiles the code
 * before users search (the "warm-up"). One search runs at a time. A model waits until the node has
 * a shard of an index with the model's fields. A model is skipped if earlier searches have run all
 * its kinds of features. Statistics do not count these searches. Safe for use by several threads.
 */
public final class SearchWarmUp implements ClusterStateListener {
  private static final Logger LOGGER = LogManager.getLogger(SearchWarmUp.class);

  private static final Pattern QUERY = Pattern.compile("\"(\\w+)\"");

  /** Maximum number of indices that are tried for the warm-up of one model. */
  private static final int MAX_INDICES = 8;

  /** Maximum number of recorded kinds of features and queries, which come from users' templates. */
  private static final int MAX_KINDS = 10_000;

  private final Supplier<GuardedClient> client;
  private final Supplier<ClusterService> clusterService;
  private final Supplier<RescoreServices> services;
  private final Supplier<LoadMarks> marks;
  private final LongSupplier budgetNanos;

  /** Models that were not warmed up yet, the next one first. */
  private final Deque<ModelId> pending = new ArrayDeque<>();

  private final Set<ModelId> done = new HashSet<>();

  /** The kinds of features and queries whose code earlier warm-up searches have run. */
  private final Set<String> warm = new HashSet<>();

  /** Whether all pending models were tried on all current shards of this node. */
  private boolean tried;

  private boolean running;

  /**
   * Creates the node's instance.
   *
   * @param services the services for warm-up searches, which statistics do not count
   * @param marks returns the object that marks the models being warmed up
   * @param budgetNanos returns the maximum time, in nanoseconds, of the warm-up of one model; 0 for
   *     no warm-up
   */
  public SearchWarmUp(
      Supplier<GuardedClient> client,
      Supplier<ClusterService> clusterService,
      Supplier<RescoreServices> services,
      Supplier<LoadMarks> marks,
      LongSupplier budgetNanos) {
    this.client = client;
    this.clusterService = clusterService;
    this.services = services;
    this.marks = marks;
    this.budgetNanos = budgetNanos;
  }

  /** Adds a loaded model to the models that wait for their warm-up. */
  public void loaded(ModelId id) {
    synchronized (this) {
      if (done.contains(id) || pending.contains(id) || budgetNanos.getAsLong() == 0) {
        return;
      }
      pending.addLast(id);
      tried = false;
    }
    next();
  }

  /**
   * Tries the pending models again if the cluster's shards or models have changed. Searches run on
   * another thread.
   */
  @Override
  public void clusterChanged(ClusterChangedEvent event) {
    Guard.run(() -> "the cluster state", () -> changed(event));
  }

  private void changed(ClusterChangedEvent event) {
    if (event.routingTableChanged()
        || event.changedCustomMetadataSet().contains(ModelsMetadata.TYPE)) {
      synchronized (this) {
        tried = false;
      }
      next();
    }
  }

  /**
   * Returns whether a warm-up is running, or a pending model still waits to be tried on this node's
   * current shards.
   */
  public synchronized boolean isRunning() {
    return running || !tried && !pending.isEmpty();
  }

  /** A started shard of this node, on which searches with a new model can run. */
  record Target(String index, int shard) {}

  private void next() {
    synchronized (this) {
      if (running || tried || pending.isEmpty()) {
        return;
      }
      running = true;
    }
    // On another thread, because the thread that applies the cluster state must neither wait nor
    // read the state.
    fork(() -> run(waiting()));
  }

  private synchronized List<ModelId> waiting() {
    tried = true;
    pending.removeIf(id -> !services.get().models().isLoaded(id));
    return new ArrayList<>(pending);
  }

  private void run(List<ModelId> models) {
    List<Target> targets = targets();
    if (models.isEmpty() || targets.isEmpty()) {
      finish();
      return;
    }
    ModelId id = models.getFirst();
    ActionListener<Boolean> then =
        ActionListener.wrap(
            fits -> after(models, fits),
            failure -> {
              LOGGER.debug("could not warm up model [" + id + "]", failure);
              after(models, false);
            });
    GuardedClient own = client.get();
    ThreadContext context = own.threadPool().getThreadContext();
    try (ThreadContext.StoredContext ignored = context.stashContext()) {
      services
          .get()
          .models()
          .features(
              id,
              ActionListener.wrap(
                  features -> search(id, features.features(), targets, then), then::onFailure));
    }
  }

  private void search(
      ModelId id, FeatureSet set, List<Target> targets, ActionListener<Boolean> listener) {
    Set<String> kinds = kinds(set);
    boolean known;
    synchronized (this) {
      known = warm.containsAll(kinds);
    }
    if (known) {
      listener.onResponse(true);
      return;
    }
    ActionListener<Boolean> then =
        ActionListener.wrap(
            fits -> {
              synchronized (this) {
                if (fits && warm.size() < MAX_KINDS) {
                  warm.addAll(kinds);
                }
              }
              listener.onResponse(fits);
            },
            listener::onFailure);
    long end = System.nanoTime() + budgetNanos.getAsLong();
    Releasable mark = marks.get().begin(id, "its warm-up");
    new WarmUpSearches(
            client.get(),
            services,
            id,
            set,
            targets,
            end,
            failure -> marks.get().failed(id, failure),
            ActionListener.runBefore(then, mark::close))
        .run();
  }

  /**
   * Returns the types of the features and queries in a set; the types determine which code runs.
   */
  private static Set<String> kinds(FeatureSet set) {
    Set<String> kinds = new HashSet<>();
    for (FeatureDefinition feature : set.features()) {
      kinds.add(feature.type());
      feature.tell(
          template -> {
            Matcher first = QUERY.matcher(template.source());
            kinds.add(first.find() ? "query " + first.group(1) : "query");
          });
    }
    return kinds;
  }

  private void after(List<ModelId> models, boolean fits) {
    if (fits) {
      synchronized (this) {
        pending.remove(models.getFirst());
        done.add(models.getFirst());
      }
    }
    fork(() -> run(models.subList(1, models.size())));
  }

  /** Runs a task on a thread that may block; does nothing if the node is closing. */
  private void fork(Runnable work) {
    try {
      Guard.executor(client.get().threadPool(), ThreadPool.Names.GENERIC)
          .execute(() -> runOrStop(work));
    } catch (OpenSearchRejectedExecutionException e) {
      LOGGER.debug("did not warm up the models: the node is closing", e);
    }
  }

  /**
   * Runs a task. If it fails, no warm-up runs until the next model is loaded or the cluster state
   * changes.
   */
  private void runOrStop(Runnable work) {
    try {
      Guard.run(() -> "a warm-up", work::run);
    } catch (RuntimeException e) {
      LOGGER.warn("could not warm up a model with searches", e);
      synchronized (this) {
        running = false;
      }
    }
  }

  private void finish() {
    synchronized (this) {
      running = false;
      done.removeIf(id -> !services.get().models().isLoaded(id));
    }
    next();
  }

  /**
   * Returns at most {@link #MAX_INDICES} started shards of this node, each of another index. Leaves
   * out indices whose names begin with a dot (system and hidden ones).
   */
  private List<Target> targets() {
    ClusterService cluster = clusterService.get();
    RoutingNode here = cluster.state().getRoutingNodes().node(cluster.localNode().getId());
    List<Target> targets = new ArrayList<>();
    Set<String> indices = new HashSet<>();
    if (here != null) {
      for (ShardRouting shard : here) {
        if (shard.started()
            && !shard.getIndexName().startsWith(".")
            && targets.size() < MAX_INDICES
            && indices.add(shard.getIndexName())) {
          targets.add(new Target(shard.getIndexName(), shard.id()));
        }
      }
    }
    return targets;
  }
}

package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.plugin.feature.bound.BoundFeatures;
import io.quickscorer.plugin.feature.shard.ShardFeatures;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.ClauseTrace;
import io.quickscorer.plugin.rescore.clause.FeatureGroups;
import io.quickscorer.plugin.rescore.clause.ModelNames;
import io.quickscorer.plugin.rescore.coordinator.CollectedHits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRunnable;
import org.opensearch.common.UUIDs;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.QueryShardException;
import org.opensearch.search.rescore.RescoreContext;
import org.opensearch.search.rescore.RescorerBuilder;
import org.opensearch.transport.client.Client;

/**
 * The {@code quickscorer} clause of a search request.
 *
 * <p>On the coordinating node it is rewritten in three steps: the name is pinned to a version and
 * its features are fetched; parameters are put into the features; their queries are rewritten. So
 * all shards get the same version and the same queries, those of other clusters too. On a shard's
 * node one more step waits until the version is compiled there. Immutable, but for the window's
 * size while it is being parsed.
 */
public final class EnsembleRescorerBuilder extends RescorerBuilder<EnsembleRescorerBuilder> {
  public static final String NAME = "quickscorer";

  /** Hits rescored per shard where the request does not say. */
  public static final int DEFAULT_WINDOW_SIZE = 100;

  private final ClauseOptions options;
  private final @Nullable BoundClause bound;
  private final Supplier<RescoreServices> services;

  /** Set while the coordinating node waits for the features. */
  private final @Nullable AtomicReference<FeatureGroups> resolving;

  /** Whether this node has been asked to load the models. */
  private final boolean loading;

  /** What the answer tells of the clause; never leaves the coordinating node. */
  private final @Nullable ClauseTrace trace;

  /** Hits that a shard must collect at least, see {@link CollectedHits}. */
  private final int collected;

  private EnsembleRescorerBuilder(
      @Nullable Integer windowSize,
      ClauseOptions options,
      @Nullable BoundClause bound,
      @Nullable AtomicReference<FeatureGroups> resolving,
      boolean loading,
      @Nullable ClauseTrace trace,
      int collected,
      Supplier<RescoreServices> services) {
    this.windowSize = windowSize;
    this.options = options;
    this.bound = bound;
    this.resolving = resolving;
    this.loading = loading;
    this.trace = trace;
    this.collected = collected;
    this.services = services;
  }

  public EnsembleRescorerBuilder(ClauseOptions options, Supplier<RescoreServices> services) {
    this(DEFAULT_WINDOW_SIZE, options, null, null, false, null, 0, services);
  }

  public EnsembleRescorerBuilder(StreamInput in, Supplier<RescoreServices> services)
      throws IOException {
    super(in);
    this.options = new ClauseOptions(in);
    this.bound = in.readOptionalWriteable(BoundClause::new);
    this.collected = in.readVInt();
    this.resolving = null;
    this.loading = false;
    this.trace = null;
    this.services = services;
  }

  /** Reads the clause's object; the window's size stands outside it and is set afterwards. */
  public static EnsembleRescorerBuilder parse(
      XContentParser parser, Supplier<RescoreServices> services) throws IOException {
    return new EnsembleRescorerBuilder(ClauseOptions.parse(parser), services);
  }

  public ClauseOptions options() {
    return options;
  }

  /** Whether versions and parameters are put in: on a shard, or by another cluster. */
  public boolean isBound() {
    return bound != null;
  }

  /**
   * The clause before it is bound, to be traced.
   *
   * @param hits how many each shard is to collect at least
   */
  public EnsembleRescorerBuilder traced(ClauseTrace by, int hits) {
    return new EnsembleRescorerBuilder(windowSize, options, null, null, false, by, hits, services);
  }

  /** The clause before it is bound, with other models. */
  public EnsembleRescorerBuilder with(ModelNames names) {
    return new EnsembleRescorerBuilder(
        windowSize, options.with(names), null, null, false, null, 0, services);
  }

  @Override
  public String getWriteableName() {
    return NAME;
  }

  /**
   * @throws IllegalArgumentException if it is not positive, which the server does not check
   */
  @Override
  public EnsembleRescorerBuilder windowSize(int windowSize) {
    if (windowSize < 1) {
      throw new IllegalArgumentException(
          "[window_size] of [" + NAME + "] must be 1 or more, not " + windowSize);
    }
    return super.windowSize(windowSize);
  }

  @Override
  protected void doWriteTo(StreamOutput out) throws IOException {
    if (resolving != null) {
      throw new IllegalStateException("[" + NAME + "] is sent before it is rewritten");
    }
    options.writeTo(out);
    out.writeOptionalWriteable(bound);
    out.writeVInt(collected);
  }

  @Override
  protected void doXContent(XContentBuilder builder, Params params) throws IOException {
    builder.startObject(NAME);
    options.toXContent(builder, params);
    builder.endObject();
  }

  @Override
  public RescorerBuilder<EnsembleRescorerBuilder> rewrite(QueryRewriteContext context)
      throws IOException {
    if (context.convertToShardContext() != null) {
      // The last rewrite before the search may not wait; everything it needs is bound by now.
      return this;
    }
    if (bound == null) {
      return resolving == null ? resolve(context) : bind(resolving, context);
    }
    boolean onShard = context.convertToCoordinatorContext() == null;
    if (onShard && !loading && !ready(bound.ids())) {
      return load(bound.ids(), context);
    }
    BoundClause rewritten = bound.rewrite(context);
    return same(rewritten, bound) ? this : bound(rewritten);
  }

  /** Whether a rewrite returned the very object it was given, which means that nothing changed. */
  private static boolean same(Object a, Object b) {
    return a == b;
  }

  private EnsembleRescorerBuilder bound(BoundClause clause) {
    return new EnsembleRescorerBuilder(
        windowSize, options, clause, null, loading, trace, collected, services);
  }

  private EnsembleRescorerBuilder resolve(QueryRewriteContext context) {
    AtomicReference<FeatureGroups> answer = new AtomicReference<>();
    context.registerAsyncAction((client, listener) -> fetch(answer, listener));
    return new EnsembleRescorerBuilder(
        windowSize, options, null, answer, false, trace, collected, services);
  }

  private void fetch(AtomicReference<FeatureGroups> answer, ActionListener<?> listener) {
    try {
      ModelLookup models = services.get().models();
      FeatureGroups groups = new FeatureGroups();
      if (options.featureSet() != null) {
        models.featureSet(
            options.featureSet(),
            ActionListener.wrap(
                set -> {
                  groups.addLogged(set);
                  answer.set(groups);
                  listener.onResponse(null);
                },
                listener::onFailure));
        return;
      }
      // All names are pinned at once, before anything is waited for.
      List<String> names = options.names().all();
      List<ModelId> ids = names.stream().map(models::pin).toList();
      fetch(names, ids, 0, groups, answer, listener);
    } catch (RuntimeException e) {
      listener.onFailure(e);
    }
  }

  private void fetch(
      List<String> names,
      List<ModelId> ids,
      int next,
      FeatureGroups groups,
      AtomicReference<FeatureGroups> answer,
      ActionListener<?> listener) {
    if (next == ids.size()) {
      answer.set(groups);
      listener.onResponse(null);
      return;
    }
    services
        .get()
        .models()
        .features(
            ids.get(next),
            ActionListener.wrap(
                features -> {
                  groups.add(ids.get(next), names.get(next), features, options.log() && next == 0);
                  fetch(names, ids, next + 1, groups, answer, listener);
                },
                listener::onFailure));
  }

  private EnsembleRescorerBuilder bind(
      AtomicReference<FeatureGroups> answer, QueryRewriteContext context) {
    FeatureGroups groups = answer.get();
    if (groups == null) {
      return this;
    }
    long start = System.nanoTime();
    String nonce = options.shows() ? UUIDs.randomBase64UUID() : null;
    BoundClause clause;
    if (trace == null) {
      try (RequestBudget budget = services.get().memory().budget()) {
        clause = groups.bind(options.params(), context.getXContentRegistry(), nonce, budget);
      }
    } else {
      clause = groups.bind(options.params(), context.getXContentRegistry(), nonce, trace.budget());
    }
    long nanos = System.nanoTime() - start;
    services.get().stats().bound(nanos);
    if (trace != null) {
      trace.bound(clause, nanos);
    }
    return bound(clause);
  }

  private boolean ready(List<ModelId> models) {
    ModelLookup lookup = services.get().models();
    return models.isEmpty()
        || (options.usesOwnEngine() && models.stream().allMatch(lookup::isLoaded));
  }

  private EnsembleRescorerBuilder load(List<ModelId> models, QueryRewriteContext context) {
    context.registerAsyncAction((client, listener) -> load(models, 0, client, listener));
    return new EnsembleRescorerBuilder(
        windowSize, options, bound, null, true, trace, collected, services);
  }

  private void load(List<ModelId> models, int next, Client client, ActionListener<?> listener) {
    if (next == models.size()) {
      compile(models, client, listener);
      return;
    }
    services
        .get()
        .models()
        .load(
            models.get(next),
            ActionListener.wrap(
                done -> load(models, next + 1, client, listener), listener::onFailure));
  }

  /** Compiles for an algorithm or plan the request names, off the search threads. */
  private void compile(List<ModelId> models, Client client, ActionListener<?> listener) {
    if (options.usesOwnEngine()) {
      listener.onResponse(null);
      return;
    }
    client
        .threadPool()
        .generic()
        .execute(
            ActionRunnable.run(
                listener,
                () -> {
                  for (ModelId model : models) {
                    try (ModelLookup.ModelUse use = services.get().models().acquire(model)) {
                      services.get().engines().prepare(use.model(), options);
                    }
                  }
                }));
  }

  @Override
  protected RescoreContext innerBuildContext(int windowSize, QueryShardContext context) {
    if (bound == null) {
      throw new QueryShardException(context, "[" + NAME + "] must be rewritten first");
    }
    int most = context.getIndexSettings().getMaxRescoreWindow();
    if (collected > Math.max(most, windowSize)) {
      throw new QueryShardException(
          context,
          "["
              + NAME
              + "] with [outside_window] mix a page takes from + size + window_size hits of each"
              + " shard, here "
              + collected
              + ", at most [index.max_rescore_window] "
              + most);
    }
    if (bound.nonce() != null) {
      // A cached result would come without the rows it was made of.
      context.setIsCacheable(false);
    }
    long start = System.nanoTime();
    RequestBudget budget = services.get().memory().budget();
    List<ShardFeatures> groups = new ArrayList<>();
    try {
      budget.charge(bound.rendered(), "<quickscorer queries>");
      for (BoundFeatures group : bound.groups()) {
        groups.add(ShardFeatures.of(group, context, services.get().expressions(), budget));
      }
    } finally {
      // It is held as soon as there is a search that ends.
      budget.suspend();
    }
    return new EnsembleRescoreContext(
        windowSize,
        Math.max(windowSize, collected),
        options,
        bound,
        groups,
        System.nanoTime() - start,
        budget,
        // The same object only where this node coordinates the search and sends the answer.
        trace == null ? budget : trace.budget(),
        services.get());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return super.equals(other)
        && other instanceof EnsembleRescorerBuilder builder
        && options.equals(builder.options)
        && Objects.equals(bound, builder.bound)
        && resolving == builder.resolving
        && loading == builder.loading
        && collected == builder.collected;
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), options, bound);
  }
}

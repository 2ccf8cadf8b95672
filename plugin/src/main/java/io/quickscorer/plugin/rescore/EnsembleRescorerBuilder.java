package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.feature.BoundFeatures;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.feature.ShardFeatures;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelLookup;
import java.io.IOException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRunnable;
import org.opensearch.common.UUIDs;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreaker;
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
 * all shards get the same version and the same queries. On a shard's node one more step waits until
 * the version is compiled there. Immutable, but for the window's size while it is being parsed.
 */
public final class EnsembleRescorerBuilder extends RescorerBuilder<EnsembleRescorerBuilder> {
  public static final String NAME = "quickscorer";

  /** Hits rescored per shard where the request does not say. */
  public static final int DEFAULT_WINDOW_SIZE = 100;

  private final ClauseOptions options;
  private final @Nullable BoundClause bound;
  private final Supplier<RescoreServices> services;

  /** Set while the coordinating node waits for the features. */
  private final @Nullable AtomicReference<Resolved> resolving;

  /** Whether this node has been asked to load the model. */
  private final boolean loading;

  /** A pinned version, or none, and the features to bind. */
  private record Resolved(
      @Nullable ModelId model, FeatureSet features, @Nullable Set<String> used) {
    boolean needs(String feature, boolean log) {
      return log || used == null || used.contains(feature);
    }
  }

  private EnsembleRescorerBuilder(
      @Nullable Integer windowSize,
      ClauseOptions options,
      @Nullable BoundClause bound,
      @Nullable AtomicReference<Resolved> resolving,
      boolean loading,
      Supplier<RescoreServices> services) {
    this.windowSize = windowSize;
    this.options = options;
    this.bound = bound;
    this.resolving = resolving;
    this.loading = loading;
    this.services = services;
  }

  EnsembleRescorerBuilder(ClauseOptions options, Supplier<RescoreServices> services) {
    this(DEFAULT_WINDOW_SIZE, options, null, null, false, services);
  }

  EnsembleRescorerBuilder(StreamInput in, Supplier<RescoreServices> services) throws IOException {
    super(in);
    this.options = new ClauseOptions(in);
    this.bound = in.readOptionalWriteable(BoundClause::new);
    this.resolving = null;
    this.loading = false;
    this.services = services;
  }

  /** Reads the clause's object; the window's size stands outside it and is set afterwards. */
  static EnsembleRescorerBuilder parse(XContentParser parser, Supplier<RescoreServices> services)
      throws IOException {
    return new EnsembleRescorerBuilder(ClauseOptions.parse(parser), services);
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
    ModelId model = bound.model();
    if (onShard && !loading && model != null && !ready(model)) {
      return load(model, context);
    }
    BoundFeatures rewritten = bound.features().rewrite(context);
    return same(rewritten, bound.features())
        ? this
        : with(new BoundClause(bound.model(), rewritten, bound.nonce()));
  }

  /** Whether a rewrite returned the very object it was given, which means that nothing changed. */
  private static boolean same(Object a, Object b) {
    return a == b;
  }

  private EnsembleRescorerBuilder with(BoundClause clause) {
    return new EnsembleRescorerBuilder(windowSize, options, clause, null, loading, services);
  }

  private EnsembleRescorerBuilder resolve(QueryRewriteContext context) {
    AtomicReference<Resolved> answer = new AtomicReference<>();
    context.registerAsyncAction((client, listener) -> fetch(answer, listener));
    return new EnsembleRescorerBuilder(windowSize, options, null, answer, false, services);
  }

  private void fetch(AtomicReference<Resolved> answer, ActionListener<?> listener) {
    try {
      ModelLookup models = services.get().models();
      if (options.model() == null) {
        models.featureSet(
            Objects.requireNonNull(options.featureSet()),
            answering(answer, listener, set -> new Resolved(null, set, null)));
      } else {
        ModelId id = models.pin(options.model());
        models.features(
            id, answering(answer, listener, f -> new Resolved(id, f.features(), f.used())));
      }
    } catch (RuntimeException e) {
      listener.onFailure(e);
    }
  }

  private static <T> ActionListener<T> answering(
      AtomicReference<Resolved> answer,
      ActionListener<?> listener,
      Function<T, Resolved> resolved) {
    return ActionListener.wrap(
        value -> {
          answer.set(resolved.apply(value));
          listener.onResponse(null);
        },
        listener::onFailure);
  }

  private EnsembleRescorerBuilder bind(
      AtomicReference<Resolved> answer, QueryRewriteContext context) {
    Resolved resolved = answer.get();
    if (resolved == null) {
      return this;
    }
    long start = System.nanoTime();
    BoundFeatures features =
        BoundFeatures.bind(
            resolved.features(),
            feature -> resolved.needs(feature, options.log()),
            options.params(),
            context.getXContentRegistry());
    String nonce = options.log() ? UUIDs.randomBase64UUID() : null;
    services.get().stats().bound(System.nanoTime() - start);
    return with(new BoundClause(resolved.model(), features, nonce));
  }

  private boolean ready(ModelId model) {
    return options.usesOwnEngine() && services.get().models().isLoaded(model);
  }

  private EnsembleRescorerBuilder load(ModelId model, QueryRewriteContext context) {
    context.registerAsyncAction(
        (client, listener) ->
            services
                .get()
                .models()
                .load(
                    model,
                    ActionListener.wrap(
                        done -> compile(model, client, listener), listener::onFailure)));
    return new EnsembleRescorerBuilder(windowSize, options, bound, null, true, services);
  }

  /** Compiles for an algorithm or plan the request names, off the search threads. */
  private void compile(ModelId model, Client client, ActionListener<?> listener) {
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
                  try (ModelLookup.ModelUse use = services.get().models().acquire(model)) {
                    services.get().engines().scorer(use.model(), options);
                  }
                }));
  }

  @Override
  protected RescoreContext innerBuildContext(int windowSize, QueryShardContext context) {
    if (bound == null) {
      throw new QueryShardException(context, "[" + NAME + "] must be rewritten first");
    }
    if (bound.nonce() != null) {
      // A cached result would come without the rows it was made of.
      context.setIsCacheable(false);
    }
    return new EnsembleRescoreContext(
        windowSize,
        options,
        bound,
        ShardFeatures.of(bound.features(), context, services.get().expressions()),
        context.bigArrays().breakerService().getBreaker(CircuitBreaker.REQUEST),
        services.get());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return super.equals(other)
        && other instanceof EnsembleRescorerBuilder builder
        && options.equals(builder.options)
        && Objects.equals(bound, builder.bound)
        && resolving == builder.resolving
        && loading == builder.loading;
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), options, bound);
  }
}

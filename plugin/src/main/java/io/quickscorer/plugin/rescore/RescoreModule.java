// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.action.UseRights;
import io.quickscorer.plugin.feature.IdleThreads;
import io.quickscorer.plugin.feature.LuceneExpression;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.node.LoadMarks;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.StandingHits;
import io.quickscorer.plugin.rescore.rewrite.EnsembleRescorerBuilder;
import io.quickscorer.plugin.rescore.shard.Engines;
import io.quickscorer.plugin.rescore.shard.RescoreServices;
import io.quickscorer.plugin.stats.RescoreStats;
import io.quickscorer.plugin.stats.VerifyStats;
import io.quickscorer.plugin.verify.Verifier;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.util.CachedSupplier;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.index.IndexModule;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.plugins.SearchPlugin.RescorerSpec;
import org.opensearch.plugins.SearchPlugin.SearchExtSpec;
import org.opensearch.search.SearchExtBuilder;
import org.opensearch.search.fetch.FetchSubPhase;

/** Creates the objects that the plugin registers on a node for rescore clauses. One per node. */
public final class RescoreModule {
  private final Supplier<ModelLookup> models;
  private final Supplier<ModelBreaker> breaker;
  private final RescoreStats stats;
  private final RescoreStats uncountedStats = new RescoreStats();
  private final Supplier<RequestMemory> memory;
  private final Supplier<RescoreServices> services;
  private final Engines engines;
  private final LuceneExpression.Compiled expressions = new LuceneExpression.Compiled();
  private final LoggedRowStore rows;
  private final RowRelease release;

  /**
   * Creates the node's instance.
   *
   * @param models returns the node's models; not called before the first search
   * @param rights returns the object that checks whether users may use a model; not called before
   *     the first search
   * @param breaker returns the circuit breaker for models
   * @param memory creates the budgets of requests; not called before the first search
   * @param stats receives the statistics of rescoring
   * @param verifier returns the object that verifies scores; not called before the first search
   * @param idle returns the object that lends idle threads to searches that rank many hits; not
   *     called before the first search
   */
  public RescoreModule(
      Supplier<ModelLookup> models,
      Supplier<UseRights> rights,
      Supplier<ModelBreaker> breaker,
      Supplier<RequestMemory> memory,
      RescoreStats stats,
      Supplier<Verifier> verifier,
      Supplier<IdleThreads> idle) {
    this.models = models;
    this.breaker = breaker;
    this.memory = new CachedSupplier<>(memory);
    this.stats = stats;
    this.rows = new LoggedRowStore(this::maxWaitingBytes, System::nanoTime);
    this.release = new RowRelease(rows);
    this.engines = new Engines(breaker, models);
    this.services =
        () ->
            new RescoreServices(
                models.get(),
                rights.get(),
                memory.get(),
                stats,
                engines,
                verifier.get(),
                expressions,
                idle.get());
  }

  /**
   * Creates the object that runs searches with new models, so that the JIT compiles the code before
   * users search (the "warm-up").
   *
   * @param marks returns the object that marks the models being warmed up
   * @param budgetNanos returns the maximum time, in nanoseconds, of the warm-up of one model; 0 for
   *     no warm-up
   */
  public SearchWarmUp warmUp(
      Supplier<GuardedClient> client,
      Supplier<ClusterService> clusterService,
      Supplier<LoadMarks> marks,
      LongSupplier budgetNanos) {
    return new SearchWarmUp(client, clusterService, this::uncounted, marks, budgetNanos);
  }

  /** Returns services that do not count searches or verify their scores, for the warm-up. */
  private RescoreServices uncounted() {
    RescoreServices all = services.get();
    return all.with(
        uncountedStats,
        new Verifier(
            all.models(),
            breaker.get(),
            new VerifyStats(),
            OpenSearchExecutors.newDirectExecutorService(),
            0));
  }

  public List<RescorerSpec<?>> rescorers() {
    return List.of(
        new RescorerSpec<>(
            EnsembleRescorerBuilder.NAME,
            in -> new EnsembleRescorerBuilder(in, services),
            parser ->
                EnsembleRescorerBuilder.parse(
                    parser, memory.get().charge("<quickscorer clause>"), services)));
  }

  /** Returns an object that logs and reads feature values, for exports of training data. */
  public LoggedHits loggedHits() {
    return new LoggedHits(services);
  }

  /**
   * Creates a clause with the given options, like one in a search request.
   *
   * @param windowSize the number of hits that the model ranks on each shard
   */
  public EnsembleRescorerBuilder clause(ClauseOptions options, int windowSize) {
    return new EnsembleRescorerBuilder(options, services).windowSize(windowSize);
  }

  /** Creates a clause that ranks {@code standing}, the hits of a search that has already run. */
  public EnsembleRescorerBuilder clause(ClauseOptions options, StandingHits standing) {
    return new EnsembleRescorerBuilder(options, services).standing(standing);
  }

  /** Returns the parsers and readers of {@code ext.quickscorer} in requests and responses. */
  public List<SearchExtSpec<?>> searchExts() {
    return List.of(
        new SearchExtSpec<SearchExtBuilder>(
            RescoreExt.NAME,
            RescoreExt::read,
            parser ->
                Guard.call(
                    () -> "the section [quickscorer] of [ext]",
                    () ->
                        RequestExt.parse(
                            parser, memory.get().charge("<quickscorer section of a search>")))));
  }

  /**
   * Creates the filter that handles searches on the coordinating node.
   *
   * @param client runs additional searches; not called before the first search
   * @param localNode returns the local node's id; not called before the first search
   * @param others returns which processors of others a search has
   */
  public ActionFilter actionFilter(
      Supplier<GuardedClient> client,
      Supplier<String> localNode,
      Function<SearchRequest, OtherProcessors> others) {
    return new RescoreActionFilter(
        new CachedSupplier<>(client),
        new CachedSupplier<>(localNode),
        memory,
        release::send,
        others);
  }

  public List<FetchSubPhase> fetchSubPhases() {
    return List.of(new RescoreFetchPhase());
  }

  /** Adds the listeners of this module to an index. Called for each index on the node. */
  public void onIndexModule(IndexModule index) {
    // The first listener brings the feature values that the second one needs in the fetch phase.
    index.addSearchOperationListener(Guard.entry(SearchOperationListener.class, rows));
    index.addSearchOperationListener(
        Guard.entry(SearchOperationListener.class, new PhaseListener()));
  }

  /** Releases data of models that this node no longer has. */
  public void forgetDropped() {
    engines.purge();
    stats.retain(models.get()::isKnown);
    stats.comparisons().retainNames(this::isName);
    uncountedStats.retain(models.get()::isLoaded);
  }

  private boolean isName(String name) {
    try {
      models.get().pin(name);
      return true;
    } catch (ResourceNotFoundException e) {
      return false;
    }
  }

  /** Releases the models' data that can be computed again, because memory is short. */
  public void forgetDerived() {
    engines.clear();
  }

  /**
   * Returns the maximum size, in bytes, of all feature values that wait for a fetch phase: a
   * quarter of the circuit breaker's limit.
   */
  private long maxWaitingBytes() {
    long limit = memory.get().breaker().getLimit();
    return limit < 0 ? Long.MAX_VALUE : limit / 4;
  }

  /**
   * Returns the object that tells data nodes to release feature values. {@link RowRelease.Wiring}
   * must have passed the server's transport to it.
   */
  public RowRelease release() {
    return release;
  }

  /**
   * Returns how many entries with feature values (one per search and shard) wait for a fetch phase.
   */
  int waitingRows() {
    return rows.size();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.action.UseRights;
import io.quickscorer.plugin.feature.FeatureKinds;
import io.quickscorer.plugin.feature.IdleThreads;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.guard.WorkPool;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.memory.SearchSettings;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.stats.RescoreStats;
import io.quickscorer.plugin.stats.VerifyStats;
import io.quickscorer.plugin.verify.Verifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.util.SetOnce;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.lifecycle.LifecycleComponent;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.NoopCircuitBreaker;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.env.Environment;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.index.IndexModule;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.SearchPipelinePlugin;
import org.opensearch.plugins.SearchPlugin;
import org.opensearch.repositories.RepositoriesService;
import org.opensearch.script.ScriptService;
import org.opensearch.search.fetch.FetchSubPhase;
import org.opensearch.search.fetch.FetchSubPhaseProcessor;
import org.opensearch.search.pipeline.Processor;
import org.opensearch.search.pipeline.SearchRequestProcessor;
import org.opensearch.search.pipeline.SearchResponseProcessor;
import org.opensearch.threadpool.ExecutorBuilder;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;
import org.opensearch.watcher.ResourceWatcherService;

/** The rescore clause over {@link InMemoryModels}. */
public class TestRescorePlugin extends Plugin
    implements ActionPlugin, SearchPlugin, SearchPipelinePlugin {
  private static final ModelBreaker BREAKER =
      new ModelBreaker(new NoopCircuitBreaker("quickscorer"));

  /** How many hits the server has fetched, on all shards. */
  static final AtomicInteger FETCHED = new AtomicInteger();

  /** More than a machine may have, so that windows are divided. */
  private static final int PROCESSORS = 16;

  private static final UseRights EVERYBODY = new UseRights(false);

  private volatile ThreadPool threadPool;
  private volatile Client client;
  private volatile ClusterService clusterService;
  private final SetOnce<RequestMemory> memory = new SetOnce<>();
  final RescoreStats stats = new RescoreStats();
  final InMemoryModels models = new InMemoryModels(() -> threadPool.generic());
  final VerifyStats verified = new VerifyStats();
  private volatile Verifier verifier;
  private volatile IdleThreads idle;
  private volatile boolean helps = true;
  final RescoreModule module =
      new RescoreModule(
          () -> models,
          () -> EVERYBODY,
          () -> BREAKER,
          memory::get,
          stats,
          () -> this.verifier,
          () -> this.helps ? this.idle : IdleThreads.NONE);
  private final SetOnce<IndexNameExpressionResolver> resolver = new SetOnce<>();
  private final PipelineModule pipelines =
      new PipelineModule(
          module, () -> models, () -> clusterService, resolver::get, stats.pipelines());

  @Override
  public Collection<Object> createComponents(
      Client client,
      ClusterService clusterService,
      ThreadPool threadPool,
      ResourceWatcherService resourceWatcherService,
      ScriptService scriptService,
      NamedXContentRegistry xContentRegistry,
      Environment environment,
      NodeEnvironment nodeEnvironment,
      NamedWriteableRegistry namedWriteableRegistry,
      IndexNameExpressionResolver indexNameExpressionResolver,
      Supplier<RepositoriesService> repositoriesServiceSupplier) {
    this.threadPool = threadPool;
    this.client = client;
    this.clusterService = clusterService;
    resolver.set(indexNameExpressionResolver);
    memory.set(new RequestMemory(SearchSettings.of(environment.settings())));
    this.idle = new IdleThreads(threadPool, PROCESSORS, memory.get());
    // Whatever these tests score is scored again.
    this.verifier = new Verifier(models, BREAKER, verified, threadPool.generic(), 1);
    return List.of(memory.get(), module.release());
  }

  @Override
  public Collection<Class<? extends LifecycleComponent>> getGuiceServiceClasses() {
    return List.of(RequestMemory.Wiring.class, RowRelease.Wiring.class);
  }

  /** Whether other threads help with large windows. */
  void help(boolean with) {
    helps = with;
  }

  @Override
  public List<RescorerSpec<?>> getRescorers() {
    return module.rescorers();
  }

  @Override
  public List<NamedWriteableRegistry.Entry> getNamedWriteables() {
    return FeatureKinds.namedWriteables();
  }

  @Override
  public List<SearchExtSpec<?>> getSearchExts() {
    return module.searchExts();
  }

  @Override
  public List<ExecutorBuilder<?>> getExecutorBuilders(Settings settings) {
    return WorkPool.builders(settings);
  }

  @Override
  public List<ActionFilter> getActionFilters() {
    return List.of(
        module.actionFilter(
            () -> new GuardedClient(client),
            () -> clusterService.localNode().getId(),
            pipelines::others));
  }

  @Override
  public Map<String, Processor.Factory<SearchResponseProcessor>> getResponseProcessors(
      SearchPipelinePlugin.Parameters parameters) {
    return pipelines.responseProcessors(parameters.client);
  }

  @Override
  public Map<String, Processor.Factory<SearchRequestProcessor>> getRequestProcessors(
      SearchPipelinePlugin.Parameters parameters) {
    return pipelines.requestProcessors(parameters.client);
  }

  @Override
  public List<FetchSubPhase> getFetchSubPhases(FetchPhaseConstructionContext context) {
    List<FetchSubPhase> phases = new ArrayList<>(module.fetchSubPhases());
    phases.add(fetch -> new FetchCounter());
    return phases;
  }

  @Override
  public void onIndexModule(IndexModule index) {
    module.onIndexModule(index);
  }

  /** Counts the hits that the server fetches. */
  private static final class FetchCounter implements FetchSubPhaseProcessor {
    @Override
    public void setNextReader(LeafReaderContext leaf) {}

    @Override
    public void process(FetchSubPhase.HitContext hit) {
      FETCHED.incrementAndGet();
    }
  }
}

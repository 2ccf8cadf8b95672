// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.action.UseRights;
import io.quickscorer.plugin.feature.FeatureKinds;
import io.quickscorer.plugin.feature.IdleThreads;
import io.quickscorer.plugin.feature.VectorFieldMapper;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.guard.WorkPool;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.memory.SearchSettings;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.node.ModelComponents;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.rescore.PipelineModule;
import io.quickscorer.plugin.rescore.RescoreModule;
import io.quickscorer.plugin.rescore.RowRelease;
import io.quickscorer.plugin.rescore.SearchWarmUp;
import io.quickscorer.plugin.stats.RescoreStats;
import io.quickscorer.plugin.stats.VerifyStats;
import io.quickscorer.plugin.verify.Verifier;
import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.lucene.util.SetOnce;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.NamedDiff;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Module;
import org.opensearch.common.lifecycle.LifecycleComponent;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.IndexScopedSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.settings.SettingsFilter;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.common.util.io.IOUtils;
import org.opensearch.core.ParseField;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.env.Environment;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.index.IndexModule;
import org.opensearch.index.mapper.Mapper;
import org.opensearch.indices.SystemIndexDescriptor;
import org.opensearch.indices.breaker.BreakerSettings;
import org.opensearch.node.Node;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.CircuitBreakerPlugin;
import org.opensearch.plugins.DiscoveryPlugin;
import org.opensearch.plugins.MapperPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.SearchPipelinePlugin;
import org.opensearch.plugins.SearchPlugin;
import org.opensearch.plugins.SystemIndexPlugin;
import org.opensearch.plugins.TelemetryAwarePlugin;
import org.opensearch.repositories.RepositoriesService;
import org.opensearch.rest.RestController;
import org.opensearch.rest.RestHandler;
import org.opensearch.script.ScriptService;
import org.opensearch.search.fetch.FetchSubPhase;
import org.opensearch.search.pipeline.Processor;
import org.opensearch.search.pipeline.SearchRequestProcessor;
import org.opensearch.search.pipeline.SearchResponseProcessor;
import org.opensearch.telemetry.metrics.MetricsRegistry;
import org.opensearch.telemetry.metrics.noop.NoopMetricsRegistry;
import org.opensearch.telemetry.tracing.Tracer;
import org.opensearch.threadpool.ExecutorBuilder;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;
import org.opensearch.watcher.ResourceWatcherService;

/** Registers the plugin's actions, REST handlers, rescorers and settings with a node. */
public final class QuickScorerPlugin extends Plugin
    implements ActionPlugin,
        SearchPlugin,
        SearchPipelinePlugin,
        MapperPlugin,
        SystemIndexPlugin,
        CircuitBreakerPlugin,
        DiscoveryPlugin,
        TelemetryAwarePlugin {
  private final RescoreStats rescoreStats = new RescoreStats();
  private final SetOnce<ModelBreaker> breaker = new SetOnce<>();
  private final SetOnce<ModelService> models = new SetOnce<>();
  private final SetOnce<ModelComponents> components = new SetOnce<>();
  private final SetOnce<UseRights> rights = new SetOnce<>();
  private final SetOnce<GuardedClient> client = new SetOnce<>();
  private final SetOnce<ClusterService> clusterService = new SetOnce<>();
  private final SetOnce<RequestMemory> memory = new SetOnce<>();
  private final VerifyStats verifyStats = new VerifyStats();
  private final SetOnce<Verifier> verifier = new SetOnce<>();
  private final SetOnce<IdleThreads> idle = new SetOnce<>();
  private final RescoreModule rescore =
      new RescoreModule(
          models::get,
          rights::get,
          breaker::get,
          memory::get,
          rescoreStats,
          verifier::get,
          idle::get);
  private final SetOnce<ModelSettings> modelSettings = new SetOnce<>();
  private final SearchWarmUp warmUp =
      rescore.warmUp(
          client::get,
          clusterService::get,
          () -> components.get().marks(),
          () -> modelSettings.get().get(ModelSettings.WARM_UP).nanos());
  private final SetOnce<IndexNameExpressionResolver> resolver = new SetOnce<>();
  private final PipelineModule pipelines =
      new PipelineModule(
          rescore, models::get, clusterService::get, resolver::get, rescoreStats.pipelines());

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
      Supplier<RepositoriesService> repositoriesServiceSupplier,
      Tracer tracer,
      MetricsRegistry metricsRegistry) {
    memory.set(
        new RequestMemory(
            SearchSettings.of(environment.settings(), clusterService.getClusterSettings())));
    idle.set(
        new IdleThreads(
            threadPool,
            OpenSearchExecutors.allocatedProcessors(environment.settings()),
            memory.get()));
    ModelComponents parts =
        ModelComponents.create(
            client,
            clusterService,
            threadPool,
            environment.settings(),
            breaker.get(),
            warmUp::loaded,
            nodeEnvironment,
            this::forgetDropped);
    modelSettings.set(parts.settings());
    clusterService.addListener(warmUp);
    models.set(parts.models());
    components.set(parts);
    rights.set(new UseRights(ModelSettings.RIGHTS_BY_NAME.get(environment.settings())));
    verifier.set(
        new Verifier(
            parts.models(),
            breaker.get(),
            verifyStats,
            threadPool.executor(Verifier.THREAD_POOL),
            ModelSettings.VERIFY_SHARE.get(environment.settings())));
    ClusterSettings dynamic = clusterService.getClusterSettings();
    dynamic.addSettingsUpdateConsumer(ModelSettings.RIGHTS_BY_NAME, rights.get()::setByName);
    dynamic.addSettingsUpdateConsumer(ModelSettings.VERIFY_SHARE, verifier.get()::setShare);
    rescoreStats.onScored(parts.models()::used);
    rescoreStats.start(environment.settings(), dynamic);
    this.client.set(new GuardedClient(client));
    this.clusterService.set(clusterService);
    this.resolver.set(indexNameExpressionResolver);
    if (metricsRegistry != NoopMetricsRegistry.INSTANCE) {
      rescoreStats.sendTo(metricsRegistry, verifyStats, clusterService, parts.models());
    }
    List<Object> all = new ArrayList<>(parts.all());
    all.add(rescoreStats);
    all.add(memory.get());
    all.add(verifyStats);
    all.add(rights.get());
    all.add(rescore.loggedHits());
    all.add(rescore.release());
    all.add(warmUp);
    return all;
  }

  private void forgetDropped() {
    rescore.forgetDropped();
    verifier.get().forgetDropped();
  }

  private void forgetDerived() {
    rescore.forgetDerived();
    ModelService known = models.get();
    if (known != null) {
      known.forgetFeatures();
    }
    Verifier verifying = verifier.get();
    if (verifying != null) {
      verifying.forgetDerived();
    }
  }

  @Override
  public Collection<Module> createGuiceModules() {
    return List.of(new TransportActions());
  }

  @Override
  public List<RestHandler> getRestHandlers(
      Settings settings,
      RestController restController,
      ClusterSettings clusterSettings,
      IndexScopedSettings indexScopedSettings,
      SettingsFilter settingsFilter,
      IndexNameExpressionResolver indexNameExpressionResolver,
      Supplier<DiscoveryNodes> nodesInCluster) {
    return Endpoints.all(memory::get);
  }

  @Override
  public Collection<Class<? extends LifecycleComponent>> getGuiceServiceClasses() {
    return List.of(RequestMemory.Wiring.class, UseRights.Wiring.class, RowRelease.Wiring.class);
  }

  @Override
  public List<RescorerSpec<?>> getRescorers() {
    return rescore.rescorers();
  }

  @Override
  public Map<String, Mapper.TypeParser> getMappers() {
    return Map.of(VectorFieldMapper.TYPE, VectorFieldMapper.parser());
  }

  @Override
  public List<SearchExtSpec<?>> getSearchExts() {
    return rescore.searchExts();
  }

  @Override
  public List<ActionFilter> getActionFilters() {
    return List.of(
        Guard.actions(),
        rescore.actionFilter(
            client::get, () -> clusterService.get().localNode().getId(), pipelines::others));
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
    return rescore.fetchSubPhases();
  }

  @Override
  public void onIndexModule(IndexModule index) {
    rescore.onIndexModule(index);
  }

  @Override
  public List<Setting<?>> getSettings() {
    List<Setting<?>> all = new ArrayList<>(ModelSettings.all());
    all.addAll(SearchSettings.all());
    all.addAll(RescoreStats.settings());
    return all;
  }

  @Override
  public Settings additionalSettings() {
    return Settings.builder()
        .put(Node.NODE_ATTRIBUTES.getKey() + Wire.ATTRIBUTE, Wire.CURRENT)
        .build();
  }

  @Override
  public BiConsumer<DiscoveryNode, ClusterState> getJoinValidator() {
    return ModelsMetadata::checkJoin;
  }

  @Override
  public List<ExecutorBuilder<?>> getExecutorBuilders(Settings settings) {
    List<ExecutorBuilder<?>> pools = new ArrayList<>(WorkPool.builders(settings));
    pools.add(Verifier.executor(settings));
    return pools;
  }

  @Override
  public BreakerSettings getCircuitBreaker(Settings settings) {
    return ModelBreaker.settings(settings);
  }

  @Override
  public void setCircuitBreaker(CircuitBreaker circuitBreaker) {
    ModelBreaker models = new ModelBreaker(circuitBreaker);
    models.onFull(this::forgetDerived);
    breaker.set(models);
  }

  @Override
  public Collection<SystemIndexDescriptor> getSystemIndexDescriptors(Settings settings) {
    return List.of(
        new SystemIndexDescriptor(ModelIndex.NAME, "Models and feature sets of QuickScorer"));
  }

  @Override
  public List<NamedWriteableRegistry.Entry> getNamedWriteables() {
    List<NamedWriteableRegistry.Entry> entries = new ArrayList<>(FeatureKinds.namedWriteables());
    entries.add(
        new NamedWriteableRegistry.Entry(
            Metadata.Custom.class, ModelsMetadata.TYPE, ModelsMetadata::read));
    entries.add(
        new NamedWriteableRegistry.Entry(
            NamedDiff.class, ModelsMetadata.TYPE, ModelsMetadata::readDiffFrom));
    return entries;
  }

  @Override
  public List<NamedXContentRegistry.Entry> getNamedXContent() {
    return List.of(
        new NamedXContentRegistry.Entry(
            Metadata.Custom.class,
            new ParseField(ModelsMetadata.TYPE),
            ModelsMetadata::fromXContent));
  }

  @Override
  public void close() throws IOException {
    forgetDerived();
    Verifier verifying = verifier.get();
    if (verifying != null) {
      verifying.close();
    }
    IOUtils.close(components.get());
  }
}

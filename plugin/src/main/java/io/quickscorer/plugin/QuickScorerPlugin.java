// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.action.alias.ActivateAliasAction;
import io.quickscorer.plugin.action.alias.DeleteAliasAction;
import io.quickscorer.plugin.action.alias.GetAliasesAction;
import io.quickscorer.plugin.action.alias.PutAliasAction;
import io.quickscorer.plugin.action.alias.TransportActivateAliasAction;
import io.quickscorer.plugin.action.alias.TransportDeleteAliasAction;
import io.quickscorer.plugin.action.alias.TransportGetAliasesAction;
import io.quickscorer.plugin.action.alias.TransportPutAliasAction;
import io.quickscorer.plugin.action.comparison.GetComparisonsAction;
import io.quickscorer.plugin.action.comparison.ReportClicksAction;
import io.quickscorer.plugin.action.comparison.TransportGetComparisonsAction;
import io.quickscorer.plugin.action.comparison.TransportReportClicksAction;
import io.quickscorer.plugin.action.export.LogAction;
import io.quickscorer.plugin.action.export.TransportLogAction;
import io.quickscorer.plugin.action.export.TransportValidateAction;
import io.quickscorer.plugin.action.export.ValidateAction;
import io.quickscorer.plugin.action.featureset.DeleteFeatureSetAction;
import io.quickscorer.plugin.action.featureset.GetFeatureSetsAction;
import io.quickscorer.plugin.action.featureset.PutFeatureSetAction;
import io.quickscorer.plugin.action.featureset.TransportDeleteFeatureSetAction;
import io.quickscorer.plugin.action.featureset.TransportGetFeatureSetsAction;
import io.quickscorer.plugin.action.featureset.TransportPutFeatureSetAction;
import io.quickscorer.plugin.action.imports.ImportAction;
import io.quickscorer.plugin.action.imports.TransportImportAction;
import io.quickscorer.plugin.action.model.ActivateModelAction;
import io.quickscorer.plugin.action.model.DeleteModelAction;
import io.quickscorer.plugin.action.model.GetModelsAction;
import io.quickscorer.plugin.action.model.LoadModelAction;
import io.quickscorer.plugin.action.model.ModelFileAction;
import io.quickscorer.plugin.action.model.PutModelAction;
import io.quickscorer.plugin.action.model.RepairModelsAction;
import io.quickscorer.plugin.action.model.TransportActivateModelAction;
import io.quickscorer.plugin.action.model.TransportDeleteModelAction;
import io.quickscorer.plugin.action.model.TransportGetModelsAction;
import io.quickscorer.plugin.action.model.TransportLoadModelAction;
import io.quickscorer.plugin.action.model.TransportModelFileAction;
import io.quickscorer.plugin.action.model.TransportPutModelAction;
import io.quickscorer.plugin.action.model.TransportRepairModelsAction;
import io.quickscorer.plugin.action.page.ShowPageAction;
import io.quickscorer.plugin.action.page.TransportShowPageAction;
import io.quickscorer.plugin.action.ready.ReadyAction;
import io.quickscorer.plugin.action.ready.TransportReadyAction;
import io.quickscorer.plugin.action.stats.DriftAction;
import io.quickscorer.plugin.action.stats.ImportanceAction;
import io.quickscorer.plugin.action.stats.StatsAction;
import io.quickscorer.plugin.action.stats.TransportDriftAction;
import io.quickscorer.plugin.action.stats.TransportImportanceAction;
import io.quickscorer.plugin.action.stats.TransportStatsAction;
import io.quickscorer.plugin.action.transfer.ExportAction;
import io.quickscorer.plugin.action.transfer.ImportAllAction;
import io.quickscorer.plugin.action.transfer.TransportExportAction;
import io.quickscorer.plugin.action.transfer.TransportImportAllAction;
import io.quickscorer.plugin.action.use.UseRights;
import io.quickscorer.plugin.feature.kind.VectorFieldMapper;
import io.quickscorer.plugin.memory.RequestLimits;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.node.CatalogueKeeper;
import io.quickscorer.plugin.model.node.ModelComponents;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.pipeline.PipelineModule;
import io.quickscorer.plugin.rescore.RescoreModule;
import io.quickscorer.plugin.rescore.warm.SearchWarmUp;
import io.quickscorer.plugin.rest.RestComparisonsAction;
import io.quickscorer.plugin.rest.RestDeleteAliasAction;
import io.quickscorer.plugin.rest.RestDeleteFeatureSetAction;
import io.quickscorer.plugin.rest.RestDeleteModelAction;
import io.quickscorer.plugin.rest.RestDriftAction;
import io.quickscorer.plugin.rest.RestExportAction;
import io.quickscorer.plugin.rest.RestGetAliasesAction;
import io.quickscorer.plugin.rest.RestGetFeatureSetsAction;
import io.quickscorer.plugin.rest.RestGetModelsAction;
import io.quickscorer.plugin.rest.RestImportAction;
import io.quickscorer.plugin.rest.RestImportanceAction;
import io.quickscorer.plugin.rest.RestLogAction;
import io.quickscorer.plugin.rest.RestModelFileAction;
import io.quickscorer.plugin.rest.RestPageAction;
import io.quickscorer.plugin.rest.RestPutAliasAction;
import io.quickscorer.plugin.rest.RestPutFeatureSetAction;
import io.quickscorer.plugin.rest.RestPutModelAction;
import io.quickscorer.plugin.rest.RestReadyAction;
import io.quickscorer.plugin.rest.RestRepairModelsAction;
import io.quickscorer.plugin.rest.RestStatsAction;
import io.quickscorer.plugin.rest.RestValidateAction;
import io.quickscorer.plugin.rest.cat.CatAliasesAction;
import io.quickscorer.plugin.rest.cat.CatFeatureSetsAction;
import io.quickscorer.plugin.rest.cat.CatModelsAction;
import io.quickscorer.plugin.rest.cat.PrometheusAction;
import io.quickscorer.plugin.stats.DriftWindows;
import io.quickscorer.plugin.stats.JvmStats;
import io.quickscorer.plugin.stats.RescoreStats;
import io.quickscorer.plugin.stats.SlowLog;
import io.quickscorer.plugin.stats.TelemetryMetrics;
import io.quickscorer.plugin.stats.VerifyStats;
import io.quickscorer.plugin.verify.Verifier;
import io.quickscorer.plugin.wire.Wire;
import io.quickscorer.plugin.wire.WireLevel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.lucene.util.SetOnce;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.NamedDiff;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.lifecycle.LifecycleComponent;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.IndexScopedSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.settings.SettingsFilter;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.core.ParseField;
import org.opensearch.core.action.ActionResponse;
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
import org.opensearch.threadpool.FixedExecutorBuilder;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;
import org.opensearch.watcher.ResourceWatcherService;

/** Registers what the plugin adds to a node. */
public final class QuickScorerPlugin extends Plugin
    implements ActionPlugin,
        SearchPlugin,
        SearchPipelinePlugin,
        MapperPlugin,
        SystemIndexPlugin,
        CircuitBreakerPlugin,
        DiscoveryPlugin,
        TelemetryAwarePlugin {
  private static final Logger LOGGER = LogManager.getLogger(QuickScorerPlugin.class);

  /** Models that may wait to be read; each is a few objects. */
  private static final int QUEUE = 1_000;

  private final RescoreStats rescoreStats = new RescoreStats();
  private final SetOnce<ModelBreaker> breaker = new SetOnce<>();
  private final SetOnce<ModelService> models = new SetOnce<>();
  private final SetOnce<CatalogueKeeper> keeper = new SetOnce<>();
  private final SetOnce<UseRights> rights = new SetOnce<>();
  private final SetOnce<Client> client = new SetOnce<>();
  private final SetOnce<ClusterService> clusterService = new SetOnce<>();
  private final SetOnce<RequestMemory> memory = new SetOnce<>();
  private final VerifyStats verifyStats = new VerifyStats();
  private final SetOnce<Verifier> verifier = new SetOnce<>();
  private final RescoreModule rescore =
      new RescoreModule(
          models::get,
          rights::get,
          breaker::get,
          memory::get,
          rescoreStats,
          verifier::get,
          () -> WireLevel.of(clusterService.get().state().nodes()));
  private final SetOnce<ModelSettings> modelSettings = new SetOnce<>();
  private final SearchWarmUp warmUp =
      rescore.warmUp(
          client::get,
          clusterService::get,
          () -> modelSettings.get().get(ModelSettings.WARM_UP).nanos());
  private final SetOnce<IndexNameExpressionResolver> resolver = new SetOnce<>();
  private final PipelineModule pipelines =
      new PipelineModule(
          rescore,
          models::get,
          () -> clusterService.get().state(),
          resolver::get,
          rescoreStats.pipelines());

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
    warnOfDefects(JvmStats.ofThisNode());
    memory.set(
        new RequestMemory(
            RequestLimits.of(environment.settings(), clusterService.getClusterSettings())));
    ModelComponents components =
        ModelComponents.create(
            client,
            clusterService,
            threadPool,
            environment.settings(),
            breaker.get(),
            warmUp::loaded,
            nodeEnvironment,
            this::forgetDropped);
    modelSettings.set(components.settings());
    clusterService.addListener(warmUp);
    models.set(components.models());
    keeper.set(components.keeper());
    rights.set(new UseRights(() -> components.settings().get(ModelSettings.RIGHTS_BY_NAME)));
    verifier.set(
        new Verifier(
            components.models(),
            breaker.get(),
            verifyStats,
            threadPool.executor(Verifier.THREAD_POOL),
            ModelSettings.VERIFY_SHARE.get(environment.settings())));
    clusterService
        .getClusterSettings()
        .addSettingsUpdateConsumer(ModelSettings.VERIFY_SHARE, verifier.get()::setShare);
    rescoreStats.onScored(components.models()::used);
    rescoreStats.drift().follow(environment.settings(), clusterService.getClusterSettings());
    rescoreStats.slowLog().follow(environment.settings(), clusterService.getClusterSettings());
    this.client.set(client);
    this.clusterService.set(clusterService);
    this.resolver.set(indexNameExpressionResolver);
    List<Object> all = new ArrayList<>(components.all());
    all.add(rescoreStats);
    all.add(memory.get());
    all.add(verifyStats);
    all.add(rights.get());
    all.add(rescore.loggedHits());
    all.add(warmUp);
    return all;
  }

  /** Asked after the other components; of no use where the server collects no metrics. */
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
    if (metricsRegistry != NoopMetricsRegistry.INSTANCE) {
      rescoreStats.sendTo(new TelemetryMetrics(metricsRegistry));
    }
    return List.of();
  }

  /** Our code does without what is defective; other code of the node may not. */
  static void warnOfDefects(JvmStats jvm) {
    if (!jvm.knownDefects().isEmpty()) {
      LOGGER.warn(
          "this JVM, {}, has a JIT known to be able to compute wrongly ({}); scores avoid it,"
              + " update the JDK",
          jvm.version(),
          String.join(", ", jvm.knownDefects()));
    }
  }

  private void forgetDropped() {
    rescore.forgetDropped();
    verifier.get().forgetDropped();
  }

  private void forgetDerived() {
    rescore.forgetDerived();
    Verifier verifying = verifier.get();
    if (verifying != null) {
      verifying.forgetDerived();
    }
  }

  @Override
  public List<ActionHandler<? extends ActionRequest, ? extends ActionResponse>> getActions() {
    return List.of(
        new ActionHandler<>(PutFeatureSetAction.INSTANCE, TransportPutFeatureSetAction.class),
        new ActionHandler<>(GetFeatureSetsAction.INSTANCE, TransportGetFeatureSetsAction.class),
        new ActionHandler<>(DeleteFeatureSetAction.INSTANCE, TransportDeleteFeatureSetAction.class),
        new ActionHandler<>(PutModelAction.INSTANCE, TransportPutModelAction.class),
        new ActionHandler<>(LoadModelAction.INSTANCE, TransportLoadModelAction.class),
        new ActionHandler<>(ActivateModelAction.INSTANCE, TransportActivateModelAction.class),
        new ActionHandler<>(RepairModelsAction.INSTANCE, TransportRepairModelsAction.class),
        new ActionHandler<>(GetModelsAction.INSTANCE, TransportGetModelsAction.class),
        new ActionHandler<>(DeleteModelAction.INSTANCE, TransportDeleteModelAction.class),
        new ActionHandler<>(DeleteAliasAction.INSTANCE, TransportDeleteAliasAction.class),
        new ActionHandler<>(GetAliasesAction.INSTANCE, TransportGetAliasesAction.class),
        new ActionHandler<>(ImportanceAction.INSTANCE, TransportImportanceAction.class),
        new ActionHandler<>(ActivateAliasAction.INSTANCE, TransportActivateAliasAction.class),
        new ActionHandler<>(PutAliasAction.INSTANCE, TransportPutAliasAction.class),
        new ActionHandler<>(GetComparisonsAction.INSTANCE, TransportGetComparisonsAction.class),
        new ActionHandler<>(ReportClicksAction.INSTANCE, TransportReportClicksAction.class),
        new ActionHandler<>(LogAction.INSTANCE, TransportLogAction.class),
        new ActionHandler<>(ValidateAction.INSTANCE, TransportValidateAction.class),
        new ActionHandler<>(ShowPageAction.INSTANCE, TransportShowPageAction.class),
        new ActionHandler<>(ImportAction.INSTANCE, TransportImportAction.class),
        new ActionHandler<>(DriftAction.INSTANCE, TransportDriftAction.class),
        new ActionHandler<>(DriftAction.WITH_VALUES, TransportDriftAction.WithValues.class),
        new ActionHandler<>(ModelFileAction.INSTANCE, TransportModelFileAction.class),
        new ActionHandler<>(ExportAction.INSTANCE, TransportExportAction.class),
        new ActionHandler<>(ImportAllAction.INSTANCE, TransportImportAllAction.class),
        new ActionHandler<>(ReadyAction.INSTANCE, TransportReadyAction.class),
        new ActionHandler<>(StatsAction.INSTANCE, TransportStatsAction.class));
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
    return List.of(
        new RestPutFeatureSetAction(memory::get),
        new RestGetFeatureSetsAction(),
        new RestDeleteFeatureSetAction(),
        new RestPutModelAction(),
        new RestGetModelsAction(),
        new RestDeleteModelAction(),
        new RestRepairModelsAction(),
        new RestDeleteAliasAction(),
        new RestGetAliasesAction(),
        new RestImportanceAction(),
        new RestPutAliasAction(memory::get),
        new RestComparisonsAction(memory::get),
        new RestLogAction(memory::get),
        new RestValidateAction(memory::get),
        new RestDriftAction(),
        new RestImportAction(memory::get),
        new RestPageAction(),
        new RestModelFileAction(),
        new RestExportAction(),
        new RestReadyAction(),
        new PrometheusAction(),
        new CatModelsAction(),
        new CatAliasesAction(),
        new CatFeatureSetsAction(),
        new RestStatsAction());
  }

  @Override
  public Collection<Class<? extends LifecycleComponent>> getGuiceServiceClasses() {
    return List.of(RequestMemory.Wiring.class, UseRights.Wiring.class);
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
        rescore.actionFilter(client::get, () -> clusterService.get().localNode().getId()));
  }

  @Override
  public Map<String, Processor.Factory<SearchResponseProcessor>> getResponseProcessors(
      SearchPipelinePlugin.Parameters parameters) {
    return pipelines.responseProcessors(parameters.client);
  }

  @Override
  public Map<String, Processor.Factory<SearchRequestProcessor>> getRequestProcessors(
      SearchPipelinePlugin.Parameters parameters) {
    return pipelines.requestProcessors(parameters.threadContext);
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
    all.addAll(RequestLimits.all());
    all.addAll(SlowLog.all());
    all.add(DriftWindows.LENGTH);
    all.add(DriftWindows.ALARM);
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
    int threads = Math.clamp(OpenSearchExecutors.allocatedProcessors(settings) / 2, 1, 4);
    return List.of(
        new FixedExecutorBuilder(
            settings,
            ModelService.THREAD_POOL,
            threads,
            QUEUE,
            "thread_pool." + ModelService.THREAD_POOL),
        Verifier.executor(settings));
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
    List<NamedWriteableRegistry.Entry> entries = new ArrayList<>(rescore.namedWriteables());
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
  public void close() {
    forgetDerived();
    Verifier verifying = verifier.get();
    if (verifying != null) {
      verifying.close();
    }
    ModelService service = models.get();
    if (service != null) {
      service.close();
      keeper.get().close();
    }
  }
}

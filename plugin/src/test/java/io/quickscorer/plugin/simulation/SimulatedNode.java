// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.OurActions;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.memory.SearchSettings;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelSettings;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.node.ModelComponents;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.model.store.FeatureSetStore;
import io.quickscorer.plugin.model.store.ModelStore;
import io.quickscorer.plugin.testing.CountingBreaker;
import io.quickscorer.plugin.wire.Wire;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.Version;
import org.opensearch.action.ActionModule.DynamicActionRegistry;
import org.opensearch.action.ActionType;
import org.opensearch.action.admin.cluster.state.ClusterStateAction;
import org.opensearch.action.admin.cluster.state.TransportClusterStateAction;
import org.opensearch.action.admin.indices.create.CreateIndexAction;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.TransportAction;
import org.opensearch.action.support.clustermanager.term.GetTermVersionAction;
import org.opensearch.action.support.clustermanager.term.TransportGetTermVersionAction;
import org.opensearch.cluster.ClusterManagerMetrics;
import org.opensearch.cluster.ClusterModule;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.EmptyClusterInfoService;
import org.opensearch.cluster.NamedDiff;
import org.opensearch.cluster.NodeConnectionsService;
import org.opensearch.cluster.action.shard.ShardStateAction;
import org.opensearch.cluster.block.ClusterBlocks;
import org.opensearch.cluster.coordination.Coordinator;
import org.opensearch.cluster.coordination.ElectionStrategy;
import org.opensearch.cluster.coordination.InMemoryPersistedState;
import org.opensearch.cluster.coordination.PersistedStateRegistry;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.node.DiscoveryNodeRole;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.cluster.routing.BatchedRerouteService;
import org.opensearch.cluster.routing.allocation.AllocationService;
import org.opensearch.cluster.routing.allocation.allocator.BalancedShardsAllocator;
import org.opensearch.cluster.routing.allocation.decider.AllocationDeciders;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.cluster.service.FakeThreadPoolClusterManagerService;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.io.IOUtils;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.indices.breaker.NoneCircuitBreakerService;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.gateway.GatewayService;
import org.opensearch.monitor.StatusInfo;
import org.opensearch.node.remotestore.RemoteStoreNodeService;
import org.opensearch.snapshots.EmptySnapshotsInfoService;
import org.opensearch.telemetry.metrics.noop.NoopMetricsRegistry;
import org.opensearch.telemetry.tracing.noop.NoopTracer;
import org.opensearch.transport.TransportInterceptor;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.node.NodeClient;

/**
 * One process of a simulated cluster, wired as the server and {@code QuickScorerPlugin} wire it. It
 * ends when it is killed; its node's {@link Disk} remains.
 */
final class SimulatedNode {
  final String name;
  final DiscoveryNode local;
  final NodeTime time;
  final GuardedClient client;
  final ClusterService clusterService;
  final Coordinator coordinator;
  final TransportService transportService;
  final SimulatedTransport transport;
  final ModelService models;
  final ModelStore store;
  final FeatureSetStore featureSets;
  final CountingBreaker breaker;
  final AllocationService allocation;
  final RescoredSearches searches;

  /** Whether the plugin is installed; otherwise it is as if it were of wire version 0. */
  final boolean plugin;

  private final Disk disk;
  private final InMemoryPersistedState persisted;
  private final Network network;

  /**
   * Starts a process.
   *
   * @param cluster the cluster it belongs to
   */
  SimulatedNode(SimulatedCluster cluster, int number, Disk disk, NodeEnvironment environment) {
    Random random = cluster.random;
    this.disk = disk;
    this.plugin = disk.plugin;
    this.network = cluster.network;
    this.name = "n" + number;
    // Weak, because charges of a process that was killed stay registered until they are collected.
    WeakReference<SimulatedCluster> whole = new WeakReference<>(cluster);
    breaker = new CountingBreaker(() -> Objects.requireNonNull(whole.get()).isFull(number));
    time = new NodeTime(cluster.timeline, random);
    local =
        new DiscoveryNode(
            name,
            name,
            "e" + random.nextLong(),
            "127.0.0.1",
            "127.0.0.1",
            SimulatedCluster.address(number),
            plugin ? Map.of(Wire.ATTRIBUTE, Integer.toString(Wire.CURRENT)) : Map.of(),
            DiscoveryNodeRole.BUILT_IN_ROLES,
            Version.CURRENT);
    Settings settings = cluster.settings(name);
    RequestMemory requests = new RequestMemory(SearchSettings.of(settings));
    new RequestMemory.Wiring(requests, new NoneCircuitBreakerService());
    ModelBreaker memory = new ModelBreaker(breaker);
    searches = new RescoredSearches(this, cluster, memory, requests);
    NamedWriteableRegistry registry = registry(searches);
    SimulatedThreads threads = new SimulatedThreads(settings, time, random, cluster.skew(number));
    ClusterSettings clusterSettings = new ClusterSettings(settings, known());
    transport = new SimulatedTransport(local, time, network, registry);
    transportService =
        transport.createTransportService(
            settings,
            threads,
            new TransportInterceptor() {},
            address -> local,
            null,
            Set.of(),
            NoopTracer.INSTANCE);
    FakeThreadPoolClusterManagerService manager =
        new FakeThreadPoolClusterManagerService(name, "manager", threads, time::scheduleNow);
    NodeConnectionsService connections =
        new NodeConnectionsService(settings, threads, transportService);
    SimulatedApplier applier =
        new SimulatedApplier(settings, clusterSettings, threads, time, connections);
    clusterService = new ClusterService(settings, clusterSettings, manager, applier);
    clusterService.setNodeConnectionsService(connections);
    ClusterManagerMetrics metrics = new ClusterManagerMetrics(NoopMetricsRegistry.INSTANCE);
    allocation =
        new AllocationService(
            new AllocationDeciders(
                ClusterModule.createAllocationDeciders(settings, clusterSettings, List.of())),
            new DiskAllocator(cluster::copy),
            new BalancedShardsAllocator(settings),
            EmptyClusterInfoService.INSTANCE,
            EmptySnapshotsInfoService.INSTANCE);
    BatchedRerouteService reroute = new BatchedRerouteService(clusterService, allocation::reroute);
    persisted =
        new InMemoryPersistedState(disk.term, accepted()) {
          @Override
          public void setCurrentTerm(long term) {
            disk.writeState();
            super.setCurrentTerm(term);
          }

          @Override
          public void setLastAcceptedState(ClusterState state) {
            disk.writeState();
            super.setLastAcceptedState(state);
          }
        };
    PersistedStateRegistry states = new PersistedStateRegistry();
    states.addPersistedState(PersistedStateRegistry.PersistedStateType.LOCAL, persisted);
    coordinator =
        new Coordinator(
            name,
            settings,
            clusterSettings,
            transportService,
            registry,
            allocation,
            manager,
            () -> persisted,
            resolver -> cluster.addresses(),
            applier,
            plugin ? List.of(ModelsMetadata::checkJoin) : List.of(),
            random,
            reroute,
            ElectionStrategy.DEFAULT_INSTANCE,
            () -> new StatusInfo(StatusInfo.Status.HEALTHY, "simulated"),
            states,
            new RemoteStoreNodeService(() -> null, threads),
            metrics,
            null);
    coordinator.setNodeConnectionsService(connections);
    manager.setClusterStatePublisher(coordinator);
    GatewayService gateway =
        new GatewayService(settings, allocation, clusterService, threads, null, coordinator);
    ShardStateAction shardStates =
        new ShardStateAction(clusterService, transportService, allocation, reroute, threads);
    ShardHost host =
        new ShardHost(disk, time, clusterService, transportService, shardStates, cluster);
    clusterService.addListener(host);
    NodeClient nodeClient = new NodeClient(settings, threads);
    client = new GuardedClient(nodeClient);
    ActionFilters filters = new ActionFilters(Set.of(Guard.actions(), searches.filter()));
    ModelComponents parts =
        ModelComponents.create(
            nodeClient, clusterService, threads, settings, memory, id -> {}, environment, () -> {});
    models = OurActions.part(parts, ModelService.class);
    store = OurActions.part(parts, ModelStore.class);
    featureSets = OurActions.part(parts, FeatureSetStore.class);
    Map<ActionType<?>, TransportAction<?, ?>> actions =
        new HashMap<>(
            new IndexActions(
                    new SimulatedIndex(clusterService, threads, host, random),
                    clusterService,
                    transportService,
                    filters,
                    searches)
                .all());
    searches.serve(transportService, nodeClient, registry);
    IndexNameExpressionResolver resolver =
        new IndexNameExpressionResolver(threads.getThreadContext());
    actions.put(
        GetTermVersionAction.INSTANCE,
        new TransportGetTermVersionAction(
            transportService, clusterService, threads, filters, resolver, coordinator));
    actions.put(
        ClusterStateAction.INSTANCE,
        new TransportClusterStateAction(
            transportService, clusterService, threads, filters, resolver, null));
    actions.put(
        CreateIndexAction.INSTANCE,
        new CreateIndex(transportService, clusterService, threads, filters, resolver, allocation));
    if (plugin) {
      OurActions.add(
          actions,
          parts,
          transportService,
          clusterService,
          threads,
          filters,
          resolver,
          nodeClient,
          memory,
          requests);
    } else {
      IOUtils.closeWhileHandlingException(parts);
    }
    DynamicActionRegistry all = new DynamicActionRegistry();
    all.registerUnmodifiableActionMap(untyped(actions));
    nodeClient.initialize(
        all, () -> local.getId(), transportService.getRemoteClusterService(), registry);
    network.open(local.getAddress(), transport);
    transportService.start();
    transportService.acceptIncomingRequests();
    connections.start();
    coordinator.start();
    gateway.start();
    clusterService.start();
    coordinator.startInitialJoin();
    clusterService.addListener(applier.observers());
    clusterService.addListener(Checks::readable);
  }

  @SuppressWarnings({"rawtypes", "unchecked"}) // as the server's registry has it
  private static Map<ActionType, TransportAction> untyped(
      Map<ActionType<?>, TransportAction<?, ?>> actions) {
    return (Map) actions;
  }

  private static Set<Setting<?>> known() {
    Set<Setting<?>> known = new HashSet<>(ClusterSettings.BUILT_IN_CLUSTER_SETTINGS);
    known.addAll(ModelSettings.all());
    known.addAll(SearchSettings.all());
    return known;
  }

  private NamedWriteableRegistry registry(RescoredSearches searches) {
    List<NamedWriteableRegistry.Entry> entries =
        new ArrayList<>(ClusterModule.getNamedWriteables());
    if (!plugin) {
      return new NamedWriteableRegistry(entries);
    }
    entries.addAll(searches.namedWriteables());
    entries.add(
        new NamedWriteableRegistry.Entry(
            Metadata.Custom.class, ModelsMetadata.TYPE, ModelsMetadata::read));
    entries.add(
        new NamedWriteableRegistry.Entry(
            NamedDiff.class, ModelsMetadata.TYPE, ModelsMetadata::readDiffFrom));
    return new NamedWriteableRegistry(entries);
  }

  /** The state that the node accepted last, as a process reads it from its disk: metadata alone. */
  private ClusterState accepted() {
    ClusterState.Builder state =
        ClusterState.builder(new ClusterName("simulated"))
            .nodes(DiscoveryNodes.builder().add(local).localNodeId(local.getId()))
            .blocks(
                ClusterBlocks.builder().addGlobalBlock(GatewayService.STATE_NOT_RECOVERED_BLOCK));
    @Nullable ClusterState old = disk.state;
    return old == null
        ? state.build()
        : state.version(old.version()).metadata(Disk.stored(old.metadata())).build();
  }

  /** The number of its node. */
  int number() {
    return Integer.parseInt(name.substring(1));
  }

  /** Whether this process is the elected cluster manager. */
  boolean leads() {
    return state().nodes().isLocalNodeElectedClusterManager();
  }

  /** The cluster state that this process has applied. */
  ClusterState state() {
    return clusterService.state();
  }

  /** Ends the process at once. What it has written is on the disk. */
  void kill() {
    time.end();
    network.close(local.getAddress());
    disk.term = persisted.getCurrentTerm();
    disk.state = persisted.getLastAcceptedState();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.action.NodesAction;
import io.quickscorer.plugin.action.PluginAction;
import io.quickscorer.plugin.action.ValueResponse;
import io.quickscorer.plugin.export.TrainingFiles;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.stats.FeatureReports;
import io.quickscorer.plugin.stats.NodeStats;
import io.quickscorer.plugin.wire.WireRecord;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.TransportAction;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.AbstractModule;
import org.opensearch.common.inject.Injector;
import org.opensearch.common.inject.Provider;
import org.opensearch.common.inject.multibindings.MapBinder;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.node.NodeClient;

/**
 * The table of all actions, each with the method that runs it. The usual registration at the server
 * needs one class per action. This module needs none, because it adds objects to the server's map
 * of actions.
 */
final class TransportActions extends AbstractModule {
  @Override
  protected void configure() {
    Provider<NodeClient> client = getProvider(NodeClient.class);
    bind(GuardedClient.class).toProvider(() -> GuardedClient.ofPlugin(client.get()));
    Provider<Injector> injector = getProvider(Injector.class);
    bind(ModelNodes.class).toProvider(() -> create(ModelNodes.class, injector.get()));
    row(FeatureSets.PUT, FeatureSets.class, FeatureSets::put);
    row(FeatureSets.GET, FeatureSets.class, FeatureSets::get);
    row(FeatureSets.DELETE, FeatureSets.class, FeatureSets::delete);
    task(TrainingFiles.LOG, TrainingFiles.class, TrainingFiles::log);
    task(TrainingFiles.VALIDATE, TrainingFiles.class, TrainingFiles::validate);
    task(ModelUploads.PUT, ModelUploads.class, ModelUploads::put);
    task(ModelNodes.LOAD, ModelNodes.class, ModelNodes::receive);
    bind(Activation.MODEL, node -> activation(Activation.MODEL, node));
    row(Models.GET, Models.class, Models::get);
    row(Models.DELETE, Models.class, Models::delete);
    row(Models.FILE, Models.class, Models::file);
    row(FeatureReports.IMPORTANCE, FeatureReports.class, FeatureReports::importance);
    row(FeatureReports.DRIFT, FeatureReports.class, FeatureReports::drift);
    row(FeatureReports.DRIFT_VALUES, FeatureReports.class, FeatureReports::driftWithValues);
    row(Aliases.PUT, Aliases.class, Aliases::put);
    row(Aliases.GET, Aliases.class, Aliases::get);
    row(Aliases.DELETE, Aliases.class, Aliases::delete);
    bind(Activation.ALIAS, node -> activation(Activation.ALIAS, node));
    task(Export.ACTION, Export.class, Export::run);
    task(Import.ACTION, Import.class, Import::run);
    row(ForeignImport.ACTION, ForeignImport.class, ForeignImport::run);
    row(NodeStats.COMPARISONS, GuardedClient.class, NodeStats::comparisons);
    row(NodeStats.RESET_COMPARISONS, GuardedClient.class, NodeStats::reset);
    nodes(NodeStats.ACTION, NodeStats.Source.class, NodeStats.Source::read);
    nodes(NodeStats.READY, ModelService.class, (models, request) -> models.readiness());
    row(Endpoints.SHOW_PAGE, NodeClient.class, (unused, request, l) -> l.onResponse(""));
  }

  /** Runs an action: a method of a service, with the request and a listener for the response. */
  @FunctionalInterface
  private interface Method<S, Q, R> {
    void run(S service, Q request, ActionListener<R> listener);
  }

  /** Runs an action, as {@link Method} does; the method also needs the task of the request. */
  @FunctionalInterface
  private interface TaskMethod<S, Q, R> {
    void run(S service, Task task, Q request, ActionListener<R> listener);
  }

  /**
   * Returns the node's object of a class. If the class is a record, creates it from the node's
   * objects, because the server can only create objects of public classes.
   */
  private static <S> S create(Class<S> type, Injector node) {
    if (!type.isRecord()) {
      return node.getInstance(type);
    }
    Constructor<?> constructor = type.getDeclaredConstructors()[0];
    Object[] parts =
        Arrays.stream(constructor.getParameterTypes()).map(node::getInstance).toArray();
    try {
      return type.cast(constructor.newInstance(parts));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private void bind(ActionType<?> action, Function<Injector, TransportAction<?, ?>> handler) {
    Provider<Injector> node = getProvider(Injector.class);
    MapBinder.newMapBinder(binder(), ActionType.class, TransportAction.class)
        .addBinding(action)
        .toProvider(() -> handler.apply(node.get()))
        .asEagerSingleton();
  }

  private <S, Q, R> void task(
      PluginAction<Q, R> action, Class<S> type, TaskMethod<S, Q, R> method) {
    bind(
        action,
        node -> {
          S service = create(type, node);
          return action.handler(
              node.getInstance(TransportService.class),
              node.getInstance(ActionFilters.class),
              (task, request, listener) -> method.run(service, task, request, listener));
        });
  }

  private <S, Q, R> void row(PluginAction<Q, R> action, Class<S> type, Method<S, Q, R> method) {
    task(action, type, (service, task, request, l) -> method.run(service, request, l));
  }

  private <S, Q extends WireRecord, R extends WireRecord & ToXContentFragment> void nodes(
      NodesAction<Q, R> action, Class<S> type, BiFunction<S, Q, R> method) {
    bind(
        action,
        node -> {
          S service = create(type, node);
          return action.handler(
              node.getInstance(ThreadPool.class),
              node.getInstance(ClusterService.class),
              node.getInstance(TransportService.class),
              node.getInstance(ActionFilters.class),
              request -> method.apply(service, request));
        });
  }

  private static Activation activation(
      ActionType<ValueResponse<Activation.Published>> type, Injector node) {
    return new Activation(
        type,
        node.getInstance(TransportService.class),
        node.getInstance(ClusterService.class),
        node.getInstance(ThreadPool.class),
        node.getInstance(ActionFilters.class),
        node.getInstance(IndexNameExpressionResolver.class),
        create(Activation.Services.class, node));
  }
}

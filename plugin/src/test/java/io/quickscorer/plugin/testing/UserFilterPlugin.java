// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.testing;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.env.Environment;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.repositories.RepositoriesService;
import org.opensearch.rest.RestHeaderDefinition;
import org.opensearch.script.ScriptService;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;
import org.opensearch.watcher.ResourceWatcherService;

/** Sees every action before it runs, and who asks for it: whoever a made-up header names. */
public abstract class UserFilterPlugin extends Plugin implements ActionPlugin {
  /** The header that says who asks. */
  public static final String USER = "made-up-user";

  private volatile ThreadContext context;

  /**
   * Decides about an action.
   *
   * @param refused is told if it must not run
   * @param proceed runs it
   */
  abstract void filter(
      String action, ActionRequest request, ActionListener<?> refused, Runnable proceed);

  /** Who asks; null if it is the cluster itself. */
  final @Nullable String user() {
    return context.getHeader(USER);
  }

  final ThreadContext context() {
    return context;
  }

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
    context = threadPool.getThreadContext();
    return List.of();
  }

  @Override
  public Collection<RestHeaderDefinition> getRestHeaders() {
    return List.of(new RestHeaderDefinition(USER, false));
  }

  @Override
  public final List<ActionFilter> getActionFilters() {
    return List.of(new Filter());
  }

  private final class Filter implements ActionFilter {
    @Override
    public int order() {
      return 0;
    }

    @Override
    public <Q extends ActionRequest, R extends ActionResponse> void apply(
        Task task,
        String action,
        Q request,
        ActionRequestMetadata<Q, R> metadata,
        ActionListener<R> listener,
        ActionFilterChain<Q, R> chain) {
      filter(action, request, listener, () -> chain.proceed(task, action, request, listener));
    }
  }
}

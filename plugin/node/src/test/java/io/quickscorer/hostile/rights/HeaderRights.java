// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile.rights;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.opensearch.OpenSearchSecurityException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.regex.Regex;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.rest.RestStatus;
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

/**
 * Stands in for a plugin that grants actions to users: a request with the header may do what stands
 * there, patterns of actions with commas between them, and nothing else. One without it may do
 * everything.
 */
public final class HeaderRights extends Plugin implements ActionPlugin {
  /** The header's name. */
  public static final String HEADER = "granted-actions";

  private volatile ThreadContext context;

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
    return List.of(new RestHeaderDefinition(HEADER, false));
  }

  @Override
  public List<ActionFilter> getActionFilters() {
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
      String granted = context.getHeader(HEADER);
      if (granted == null || Regex.simpleMatch(granted.split(","), action)) {
        chain.proceed(task, action, request, listener);
      } else {
        listener.onFailure(
            new OpenSearchSecurityException(
                "no permissions for [" + action + "]", RestStatus.FORBIDDEN));
      }
    }
  }
}

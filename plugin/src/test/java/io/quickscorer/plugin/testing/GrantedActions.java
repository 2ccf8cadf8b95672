package io.quickscorer.plugin.testing;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.opensearch.OpenSearchSecurityException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
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
 * Stands in for a plugin that grants actions to users: whoever names himself in a header may do
 * what was granted to him and nothing else, on any node. What has no such header is the cluster's
 * own.
 */
public final class GrantedActions extends Plugin implements ActionPlugin {
  /** The header that says who asks. */
  public static final String USER = "made-up-user";

  private static final Map<String, Set<String>> GRANTS = new ConcurrentHashMap<>();

  private volatile ThreadContext context;

  /** Grants exactly these actions to a user. */
  public static void grant(String user, String... actions) {
    GRANTS.put(user, Set.of(actions));
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
      String user = context.getHeader(USER);
      if (user != null && !GRANTS.getOrDefault(user, Set.of()).contains(action)) {
        listener.onFailure(
            new OpenSearchSecurityException(
                "no permissions for [" + action + "] and " + user, RestStatus.FORBIDDEN));
      } else if (user != null
          && request instanceof SearchRequest search
          && search.source() != null
          && search.source().profile()) {
        // What the security plugin says under rules on documents.
        listener.onFailure(
            new OpenSearchSecurityException("Profiling is not supported when DLS is activated"));
      } else {
        chain.proceed(task, action, request, listener);
      }
    }
  }
}

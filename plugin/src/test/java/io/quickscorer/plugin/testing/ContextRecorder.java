package io.quickscorer.plugin.testing;

import io.quickscorer.plugin.model.store.ModelIndex;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.get.GetAction;
import org.opensearch.action.get.GetRequest;
import org.opensearch.action.search.SearchAction;
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
import org.opensearch.index.IndexModule;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.repositories.RepositoriesService;
import org.opensearch.rest.RestHeaderDefinition;
import org.opensearch.script.ScriptService;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;
import org.opensearch.watcher.ResourceWatcherService;

/**
 * Stands in for what decides by a request's thread context what it may see: records in whose name,
 * a made-up header, each phase of a search runs on a shard. And keeps models from being read until
 * it is told to let them.
 */
public final class ContextRecorder extends Plugin implements ActionPlugin {
  /** The header that says who asks. */
  public static final String USER = "made-up-user";

  private static final Set<String> PHASES = ConcurrentHashMap.newKeySet();
  private static final Set<String> READS = ConcurrentHashMap.newKeySet();
  private static final List<Runnable> HELD = new ArrayList<>();
  private static boolean closed;

  private volatile ThreadContext context;

  /** Forgets what was recorded; lets no model be read from now on. */
  public static synchronized void lock() {
    PHASES.clear();
    READS.clear();
    closed = true;
  }

  /** Lets models be read. */
  public static void unlock() {
    List<Runnable> held;
    synchronized (ContextRecorder.class) {
      closed = false;
      held = List.copyOf(HELD);
      HELD.clear();
    }
    held.forEach(Runnable::run);
  }

  private static synchronized boolean hold(Runnable read) {
    return closed && HELD.add(read);
  }

  /** How many reads of models are kept from going on. */
  public static synchronized int held() {
    return HELD.size();
  }

  /**
   * What phases of searches ran on shards: {@code SEARCH PHASE as USER}, where SEARCH is the group
   * of statistics that the search names.
   */
  public static Set<String> phases() {
    return Set.copyOf(PHASES);
  }

  /** In whose names documents of models were read. */
  public static Set<String> reads() {
    return Set.copyOf(READS);
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

  private String user() {
    return String.valueOf(context.getHeader(USER));
  }

  @Override
  public void onIndexModule(IndexModule index) {
    index.addSearchOperationListener(
        new SearchOperationListener() {
          @Override
          public void onPreQueryPhase(SearchContext search) {
            record(search, "query");
          }

          @Override
          public void onPreFetchPhase(SearchContext search) {
            record(search, "fetch");
          }
        });
  }

  private void record(SearchContext search, String phase) {
    if (search.groupStats() != null) {
      PHASES.add(search.groupStats().getFirst() + " " + phase + " as " + user());
    }
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
      if (action.equals(GetAction.NAME)
          && request instanceof GetRequest get
          && get.index().equals(ModelIndex.NAME)) {
        READS.add(user());
        // Chunks have a number behind their upload's key.
        boolean chunk = get.id().matches(".*-\\d+");
        if (chunk
            && hold(
                context.preserveContext(() -> chain.proceed(task, action, request, listener)))) {
          return;
        }
      } else if (action.equals(SearchAction.NAME)) {
        PHASES.add("any search as " + user());
      }
      chain.proceed(task, action, request, listener);
    }
  }
}

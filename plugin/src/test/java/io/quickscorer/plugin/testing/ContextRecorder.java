// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.testing;

import io.quickscorer.plugin.model.store.ModelIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.get.GetAction;
import org.opensearch.action.get.GetRequest;
import org.opensearch.action.search.SearchAction;
import org.opensearch.core.action.ActionListener;
import org.opensearch.index.IndexModule;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.internal.SearchContext;

/**
 * Stands in for what decides by a request's thread context what it may see: records in whose name,
 * a made-up header, each phase of a search runs on a shard. And keeps models from being read until
 * it is told to let them.
 */
public final class ContextRecorder extends UserFilterPlugin {
  private static final Set<String> PHASES = ConcurrentHashMap.newKeySet();
  private static final Set<String> READS = ConcurrentHashMap.newKeySet();
  private static final List<Runnable> HELD = new ArrayList<>();
  private static boolean closed;

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
  void filter(String action, ActionRequest request, ActionListener<?> refused, Runnable proceed) {
    if (action.equals(GetAction.NAME)
        && request instanceof GetRequest get
        && get.index().equals(ModelIndex.NAME)) {
      READS.add(String.valueOf(user()));
      // Chunks have a number behind their upload's key.
      if (get.id().matches(".*-\\d+") && hold(context().preserveContext(proceed))) {
        return;
      }
    } else if (action.equals(SearchAction.NAME)) {
      PHASES.add("any search as " + user());
    }
    proceed.run();
  }
}

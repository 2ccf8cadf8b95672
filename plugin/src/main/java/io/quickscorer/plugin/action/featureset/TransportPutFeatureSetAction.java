// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.featureset;

import io.quickscorer.plugin.feature.set.FeatureSet;
import io.quickscorer.plugin.feature.set.FeatureSetDraft;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.model.Json;
import io.quickscorer.plugin.model.ResourceNames;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.model.store.FeatureSetStore;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/** Parses a feature set on the plugin's threads, completes it with other sets', and stores it. */
public final class TransportPutFeatureSetAction
    extends HandledTransportAction<PutFeatureSetAction.Request, PutFeatureSetAction.Response> {
  private final FeatureSetStore store;
  private final ThreadPool threadPool;
  private final RequestMemory memory;

  @Inject
  public TransportPutFeatureSetAction(
      TransportService transportService,
      ActionFilters filters,
      FeatureSetStore store,
      ThreadPool threadPool,
      RequestMemory memory) {
    super(PutFeatureSetAction.NAME, transportService, filters, PutFeatureSetAction.Request::new);
    this.store = store;
    this.threadPool = threadPool;
    this.memory = memory;
  }

  @Override
  protected void doExecute(
      Task task,
      PutFeatureSetAction.Request request,
      ActionListener<PutFeatureSetAction.Response> listener) {
    ResourceNames.check("feature set", request.name());
    threadPool
        .executor(ModelService.THREAD_POOL)
        .execute(ActionRunnable.wrap(listener, l -> put(request, l)));
  }

  private void put(
      PutFeatureSetAction.Request request, ActionListener<PutFeatureSetAction.Response> listener) {
    FeatureSetDraft draft =
        Json.parse(
            request.type(),
            request.body(),
            parser -> FeatureSetDraft.parse(request.name(), parser));
    store.getAll(
        draft.includedSets(),
        ActionListener.wrap(
            sets -> put(draft.complete(sets), request.create(), listener), listener::onFailure));
  }

  private void put(
      FeatureSet set, boolean create, ActionListener<PutFeatureSetAction.Response> listener) {
    set.checkScripts(memory.limits());
    store.put(
        set,
        threadPool.absoluteTimeInMillis(),
        create,
        ActionListener.map(listener, created -> new PutFeatureSetAction.Response(set, created)));
  }
}

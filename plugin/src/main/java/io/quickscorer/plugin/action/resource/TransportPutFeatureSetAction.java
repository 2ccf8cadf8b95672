// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.LocalTransportAction;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.feature.FeatureSetDraft;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.guard.Work;
import io.quickscorer.plugin.guard.WorkPool;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.model.ResourceNames;
import io.quickscorer.plugin.model.store.FeatureSetStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.fieldcaps.FieldCapabilities;
import org.opensearch.action.fieldcaps.FieldCapabilitiesRequest;
import org.opensearch.action.fieldcaps.FieldCapabilitiesResponse;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.Strings;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.script.ScriptService;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.node.NodeClient;

/**
 * Parses a feature set on the plugin's threads, completes it with other sets', checks it, and
 * stores it. An index is looked at on behalf of the user.
 */
public final class TransportPutFeatureSetAction
    extends LocalTransportAction<PutFeatureSetAction.Request, PutFeatureSetAction.Response> {
  private final FeatureSetStore store;
  private final ThreadPool threadPool;
  private final GuardedClient client;
  private final NamedXContentRegistry registry;
  private final ScriptService scripts;
  private final RequestMemory memory;

  @Inject
  public TransportPutFeatureSetAction(
      TransportService transportService,
      ActionFilters filters,
      FeatureSetStore store,
      ThreadPool threadPool,
      NodeClient client,
      NamedXContentRegistry registry,
      ScriptService scripts,
      RequestMemory memory) {
    super(PutFeatureSetAction.INSTANCE, transportService, filters);
    this.store = store;
    this.threadPool = threadPool;
    this.client = new GuardedClient(client);
    this.registry = registry;
    this.scripts = scripts;
    this.memory = memory;
  }

  @Override
  protected void carryOut(
      Task task,
      PutFeatureSetAction.Request request,
      ActionListener<PutFeatureSetAction.Response> listener) {
    ResourceNames.check("feature set", request.name());
    MemoryCharge parsed = memory.charge("<feature set [" + request.name() + "]>");
    WorkPool.FEATURE_SETS
        .of(threadPool)
        .execute(
            ActionRunnable.wrap(
                ActionListener.runBefore(listener, parsed::close), l -> put(request, parsed, l)));
  }

  private void put(
      PutFeatureSetAction.Request request,
      MemoryCharge parsed,
      ActionListener<PutFeatureSetAction.Response> listener) {
    FeatureSetDraft draft =
        Door.body(
            request.type(), request.body(), parsed, in -> FeatureSetDraft.read(request.name(), in));
    store.getAll(
        draft.includedSets(),
        ActionListener.wrap(
            sets ->
                WorkPool.FEATURE_SETS
                    .of(threadPool)
                    .execute(
                        ActionRunnable.wrap(
                            listener,
                            l -> check(draft.complete(sets), draft.warnings(), request, l))),
            listener::onFailure));
  }

  private void check(
      FeatureSet set,
      List<String> written,
      PutFeatureSetAction.Request request,
      ActionListener<PutFeatureSetAction.Response> listener) {
    set.checkScripts(memory.limits());
    List<String> warnings = new ArrayList<>(written);
    List<FeatureSetCheck.FieldUse> fields;
    try (RequestBudget budget = memory.budget()) {
      FeatureSetCheck check = new FeatureSetCheck(set, registry, scripts, budget);
      check.run();
      warnings.addAll(check.warnings());
      fields = check.fields();
    }
    String index = request.index();
    if (index == null || fields.isEmpty()) {
      put(set, request.create(), warnings, listener);
      return;
    }
    FieldCapabilitiesRequest capabilities =
        new FieldCapabilitiesRequest()
            .indices(Strings.splitStringByCommaToArray(index))
            .fields(
                fields.stream()
                    .map(FeatureSetCheck.FieldUse::field)
                    .distinct()
                    .toArray(String[]::new));
    client.fieldCaps(
        capabilities,
        ActionListener.wrap(
            found -> {
              for (FeatureSetCheck.FieldUse use : fields) {
                Work.step();
                String lack = lack(use, index, found);
                if (lack != null) {
                  warnings.add("feature [" + use.feature() + "]: " + lack);
                }
              }
              put(set, request.create(), warnings, listener);
            },
            listener::onFailure));
  }

  private static @Nullable String lack(
      FeatureSetCheck.FieldUse use, String index, FieldCapabilitiesResponse found) {
    Map<String, FieldCapabilities> types = found.getField(use.field());
    if (types == null || types.isEmpty()) {
      return "index [" + index + "] has no field [" + use.field() + "]";
    }
    for (int dot = use.field().lastIndexOf('.'); use.values() && dot > 0; ) {
      String parent = use.field().substring(0, dot);
      // A parent that is a field itself, such as one with a subfield, is not among those found.
      Map<String, FieldCapabilities> above = found.getField(parent);
      if (above != null && above.containsKey("nested")) {
        return "field ["
            + use.field()
            + "] is inside nested objects ["
            + parent
            + "], which are documents of their own";
      }
      dot = parent.lastIndexOf('.');
    }
    boolean values = types.values().stream().anyMatch(FieldCapabilities::isAggregatable);
    return use.values() && !values
        ? "field [" + use.field() + "] of type " + types.keySet() + " has no doc values"
        : null;
  }

  private void put(
      FeatureSet set,
      boolean create,
      List<String> warnings,
      ActionListener<PutFeatureSetAction.Response> listener) {
    store.put(
        set,
        threadPool.absoluteTimeInMillis(),
        create,
        ActionListener.map(
            listener, written -> new PutFeatureSetAction.Response(set, written, warnings)));
  }
}

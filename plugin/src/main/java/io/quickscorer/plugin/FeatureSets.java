// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.action.PluginAction;
import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.feature.FeatureSetDraft;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.guard.StepLimit;
import io.quickscorer.plugin.guard.WorkPool;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.model.ResourceNames;
import io.quickscorer.plugin.model.store.FeatureSetStore;
import io.quickscorer.plugin.model.store.FeatureSetStore.Written;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.fieldcaps.FieldCapabilities;
import org.opensearch.action.fieldcaps.FieldCapabilitiesRequest;
import org.opensearch.action.fieldcaps.FieldCapabilitiesResponse;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.common.xcontent.StatusToXContentObject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.Strings;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.script.ScriptService;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.node.NodeClient;

/**
 * The actions that read, store and delete feature sets.
 *
 * @param client acts with the user's permissions
 */
record FeatureSets(
    FeatureSetStore store,
    ThreadPool threadPool,
    NodeClient client,
    NamedXContentRegistry registry,
    ScriptService scripts,
    RequestMemory memory) {
  public static final PluginAction<Request, Response> PUT =
      PluginAction.local("cluster:admin/quickscorer/feature_set/put");
  public static final PluginAction<ListRequest, ListRequest.Page<FeatureSetStore.Listed>> GET =
      PluginAction.local("cluster:admin/quickscorer/feature_set/get");
  public static final PluginAction<String, AcknowledgedResponse> DELETE =
      PluginAction.local("cluster:admin/quickscorer/feature_set/delete");

  /**
   * A request to store a feature set, as the user sent it.
   *
   * @param create true to fail if a set with this name exists
   * @param index the indices (names or patterns, separated by commas) that must have the set's
   *     fields; each missing field causes a warning; null for no check
   * @param type the media type of the body; null if there is no body
   */
  public record Request(
      String name,
      boolean create,
      @Nullable String index,
      @Nullable MediaType type,
      BytesReference body)
      implements ValueRequest.Tracked {
    @Override
    public Task task(ValueRequest.TaskFields fields) {
      return new ProgressTask(fields, "feature set [" + name + "]", "checking the features");
    }
  }

  /**
   * The result of storing a feature set.
   *
   * @param set the stored set
   * @param written identifies the write to the index, or {@link Written#NOTHING} if an equal set
   *     existed
   * @param warnings the parts of the set that are allowed but are probably mistakes
   */
  public record Response(FeatureSet set, Written written, List<String> warnings)
      implements StatusToXContentObject {
    @Override
    public RestStatus status() {
      return written.created() ? RestStatus.CREATED : RestStatus.OK;
    }

    private String result() {
      if (written.created()) {
        return "created";
      }
      return written.equals(Written.NOTHING) ? "noop" : "updated";
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder
          .startObject()
          .field("name", set.name())
          .field("result", result())
          .field("features", set.features().size())
          .field("warnings", warnings);
      if (set.usesScripts()) {
        builder.field(FeatureSet.USES_SCRIPTS, true);
      }
      return builder.endObject();
    }
  }

  /** Reads feature sets, and passes them to the listener. */
  public void get(
      ListRequest request, ActionListener<ListRequest.Page<FeatureSetStore.Listed>> listener) {
    if (request.single()) {
      store.await(
          ResourceNames.check("feature set", request.names()),
          ActionListener.map(
              listener,
              set -> new ListRequest.Page<>(new FeatureSetStore.Listed(set.name(), set))));
    } else {
      MemoryCharge listed = memory.charge("<list of feature sets>");
      store.list(
          listed,
          ActionListener.runAfter(
              ActionListener.map(
                  listener, sets -> request.page(sets, FeatureSetStore.Listed::name)),
              listed::close));
    }
  }

  /** Deletes a feature set. Models that were uploaded with it have their own copies of it. */
  public void delete(String name, ActionListener<AcknowledgedResponse> listener) {
    store.delete(
        ResourceNames.check("feature set", name),
        ActionListener.map(listener, deleted -> new AcknowledgedResponse(true)));
  }

  /**
   * Stores a feature set: parses it on the plugin's threads, adds the features of other sets that
   * it includes, and checks it.
   */
  public void put(Request request, ActionListener<Response> listener) {
    ResourceNames.check("feature set", request.name());
    MemoryCharge parsed = memory.charge("<feature set [" + request.name() + "]>");
    WorkPool.FEATURE_SETS
        .of(threadPool)
        .execute(
            ActionRunnable.wrap(
                ActionListener.runBefore(listener, parsed::close), l -> put(request, parsed, l)));
  }

  private void put(Request request, MemoryCharge parsed, ActionListener<Response> listener) {
    FeatureSetDraft draft =
        Door.body(
            request.type(), request.body(), parsed, in -> FeatureSetDraft.read(request.name(), in));
    store.getAll(
        draft.includedSets(),
        parsed,
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
      FeatureSet set, List<String> written, Request request, ActionListener<Response> listener) {
    set.checkScripts(memory.limits());
    List<String> warnings = new ArrayList<>(written);
    List<FeatureSetCheck.FieldUse> fields = new ArrayList<>();
    try (RequestBudget budget = memory.budget()) {
      new FeatureSetCheck(set, registry, scripts, budget, warnings, fields).run();
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
    new GuardedClient(client)
        .fieldCaps(
            capabilities,
            ActionListener.wrap(
                found -> {
                  for (FeatureSetCheck.FieldUse use : fields) {
                    StepLimit.step();
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
      // The response lists objects as parents, but not fields that have subfields.
      Map<String, FieldCapabilities> above = found.getField(parent);
      if (above != null && above.containsKey("nested")) {
        return "field ["
            + use.field()
            + "] is inside nested objects ["
            + parent
            + "], which are separate documents";
      }
      dot = parent.lastIndexOf('.');
    }
    boolean values = types.values().stream().anyMatch(FieldCapabilities::isAggregatable);
    return use.values() && !values
        ? "field [" + use.field() + "] of type " + types.keySet() + " has no doc values"
        : null;
  }

  private void put(
      FeatureSet set, boolean create, List<String> warnings, ActionListener<Response> listener) {
    store.put(
        set,
        threadPool.absoluteTimeInMillis(),
        create,
        ActionListener.map(listener, written -> new Response(set, written, warnings)));
  }
}

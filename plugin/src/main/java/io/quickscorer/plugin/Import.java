// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.action.PluginAction;
import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.door.Input;
import io.quickscorer.plugin.door.Shape;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.Sequence;
import io.quickscorer.plugin.guard.StepLimit;
import io.quickscorer.plugin.guard.WorkPool;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.ResourceNames;
import io.quickscorer.plugin.model.Shares;
import io.quickscorer.plugin.model.node.ChangeFence;
import io.quickscorer.plugin.model.store.FeatureSetStore;
import io.quickscorer.plugin.model.upload.ExportedModel;
import io.quickscorer.plugin.model.upload.ModelUploadService;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRunnable;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.node.NodeClient;

/**
 * Imports a file with feature sets, models and aliases that another cluster exported, line by line.
 * Calls the actions that store these items, so the user needs the permissions for these actions. If
 * a line cannot be stored, the import continues. The response contains one result per line.
 *
 * @param client acts with the user's permissions
 */
record Import(
    ClusterService clusterService,
    NodeClient client,
    ThreadPool threadPool,
    FeatureSetStore sets,
    ModelBreaker breaker,
    RequestMemory memory) {
  public static final PluginAction<Request, Response> ACTION =
      PluginAction.local("cluster:admin/quickscorer/import/all");

  /**
   * A request with a piece of an exported file, or all of it.
   *
   * @param lines the piece of the file
   * @param replace whether an imported item replaces an existing, different item with an equal name
   * @param timeout the maximum time to wait for nodes to load a model
   * @param background whether the task API stores the result, because no client waits for it
   */
  public record Request(
      BytesReference lines, boolean replace, TimeValue timeout, boolean background)
      implements ValueRequest.Tracked {
    @Override
    public Task task(ValueRequest.TaskFields fields) {
      return new ProgressTask(fields, "import", "begins");
    }
  }

  /**
   * The result of importing one line.
   *
   * @param kind the kind of the item; empty if the line could not be read
   * @param result {@code created}, {@code updated} or {@code noop}; empty if the line failed
   * @param error the reason of a failure; empty if there is none
   * @param status the HTTP status that a request for this item alone would return
   */
  public record Item(String kind, String name, String result, String error, int status)
      implements ToXContentObject {
    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject();
      if (!kind.isEmpty()) {
        builder.field(kind, name);
      }
      builder.field("status", status);
      builder.field(error.isEmpty() ? "result" : "error", error.isEmpty() ? result : error);
      return builder.endObject();
    }
  }

  /** The results of importing all lines, in the order of the lines in the file. */
  public record Response(List<Item> items) implements ToXContentObject {
    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      boolean errors = items.stream().anyMatch(item -> !item.error.isEmpty());
      return builder.startObject().field("errors", errors).field("items", items).endObject();
    }
  }

  /** Maximum number of lines of a request; the export of a cluster never has more lines. */
  private static final int MAX_LINES = 2 * FeatureSetStore.MAX_LISTED;

  private static final String NOOP = "noop";

  /** Imports the lines of a file, and passes the results to the listener. */
  public void run(Task task, Request request, ActionListener<Response> listener) {
    checkLines(request.lines());
    MemoryCharge charge = breaker.reserve(request.lines().length(), "<import>");
    Lines lines = new Lines((ProgressTask) task, request);
    Executor executor = WorkPool.TRANSFERS.of(threadPool);
    Sequence.repeat(
        () -> request.lines().length() - lines.from,
        next -> executor.execute(ActionRunnable.wrap(next, lines::store)),
        ActionListener.runAfter(
            ActionListener.map(listener, ignored -> new Response(lines.items)), charge::close));
  }

  /**
   * Checks the number of lines, before any line is stored. The number is limited because the result
   * of each line stays in memory.
   *
   * @throws IllegalArgumentException (400) if there are more than {@link #MAX_LINES}
   */
  private static void checkLines(BytesReference lines) {
    int count = 0;
    for (int at = lines.indexOf((byte) '\n', 0); at >= 0; ) {
      StepLimit.step();
      if (++count > MAX_LINES) {
        throw new IllegalArgumentException(
            "the import has more than " + MAX_LINES + " lines; send them in several requests");
      }
      at = at + 1 < lines.length() ? lines.indexOf((byte) '\n', at + 1) : -1;
    }
  }

  /** The fields of an exported line that describe its item, without the item's content. */
  private record Head(String kind, String name, Map<String, Integer> models, String version) {
    static Head of(BytesReference line, MemoryCharge memory) {
      return Door.body(XContentType.JSON, line, memory, Head::read);
    }

    private static Head read(Input in) throws IOException {
      Map<String, String> texts = new HashMap<>();
      Map<String, Integer> models = new TreeMap<>();
      in.object(
          Input.MAX_ITEMS,
          field -> {
            switch (field) {
              case ExportedModel.EXPORTED, "name", "version" -> texts.put(field, in.text());
              case "models" ->
                  in.object(
                      Shares.MAX_MODELS,
                      model -> models.put(model, (int) in.whole(1, Shares.MAX_SHARE)));
              default -> in.skip();
            }
          });
      String kind = texts.getOrDefault(ExportedModel.EXPORTED, "");
      String name = ResourceNames.check(kind, texts.getOrDefault("name", ""));
      return new Head(kind, name, models, texts.getOrDefault("version", ""));
    }
  }

  private final class Lines {
    private final ProgressTask task;
    private final Request request;
    private final List<Item> items = new ArrayList<>();
    private int from;
    private int line;

    Lines(ProgressTask task, Request request) {
      this.task = task;
      this.request = request;
    }

    /**
     * Imports the next line of the file.
     *
     * @param next called when the line is stored or has failed
     */
    private void store(ActionListener<Void> next) {
      task.checkCancelled();
      BytesReference lines = request.lines();
      BytesReference found = null;
      while (from < lines.length() && found == null) {
        int end = lines.indexOf((byte) '\n', from);
        end = end < 0 ? lines.length() : end;
        found = end > from ? lines.slice(from, end - from) : null;
        from = end + 1;
        line++;
      }
      if (found == null) {
        next.onResponse(null);
        return;
      }
      Head head;
      try {
        try (MemoryCharge parsed = memory.charge("<imported line>")) {
          head = Head.of(found, parsed);
        }
      } catch (IllegalArgumentException | OpenSearchException e) {
        done(new Head("", "", Map.of(), ""), "", e, next);
        return;
      }
      task.at("line " + line + ", " + head.kind + " [" + head.name + "]");
      ActionListener<String> stored =
          ActionListener.wrap(
              result -> done(head, result, null, next), failure -> done(head, "", failure, next));
      try {
        switch (head.kind) {
          case "feature_set" -> featureSet(head, found, stored);
          case ExportedModel.MODEL -> model(head, found, stored);
          case "alias" -> alias(head, stored);
          default ->
              throw new IllegalArgumentException(
                  "[exported] is [" + head.kind + "], expected [feature_set], [model] or [alias]");
        }
      } catch (RuntimeException e) {
        stored.onFailure(e);
      }
    }

    private void done(
        Head head, String result, @Nullable Exception failure, ActionListener<Void> next) {
      RestStatus status =
          failure == null
              ? RestStatus.OK
              : ExceptionsHelper.status(ExceptionsHelper.unwrapCause(failure));
      String error =
          failure == null
              ? ""
              : "line " + line + ": " + ExceptionsHelper.unwrapCause(failure).getMessage();
      items.add(new Item(head.kind, head.name, result, error, status.getStatus()));
      next.onResponse(null);
    }

    private void featureSet(Head head, BytesReference found, ActionListener<String> stored) {
      FeatureSet set;
      try (MemoryCharge parsed = memory.charge("<imported feature set>")) {
        set = Door.body(XContentType.JSON, found, parsed, in -> set(head.name, in));
      }
      BytesReference json = set.json();
      // An equal set is not written again, for example if an import is repeated.
      sets.await(
          head.name,
          ActionListener.wrap(
              current -> {
                if (current.json().equals(json)) {
                  stored.onResponse(NOOP);
                } else if (request.replace()) {
                  put(head, json, false, stored);
                } else {
                  stored.onFailure(conflict(head));
                }
              },
              Guard.recovery(
                  stored,
                  failure -> {
                    if (request.replace()
                        || ExceptionsHelper.status(failure) == RestStatus.NOT_FOUND) {
                      put(head, json, !request.replace(), stored);
                    } else {
                      stored.onFailure(failure);
                    }
                  })));
    }

    /**
     * Stores a feature set that a line contains. Fails with 409 if {@code create} is true and the
     * set exists; otherwise replaces an existing set.
     */
    private void put(
        Head head, BytesReference json, boolean create, ActionListener<String> stored) {
      FeatureSets.PUT.execute(
          client,
          new FeatureSets.Request(head.name, create, null, XContentType.JSON, json),
          ActionListener.map(stored, put -> put.written().created() ? "created" : "updated"));
    }

    private void model(Head head, BytesReference found, ActionListener<String> stored) {
      ModelManifest current = ModelsMetadata.of(clusterService.state()).get(head.name);
      if (current != null && !current.id().version().equals(head.version) && !request.replace()) {
        throw conflict(head);
      }
      ModelUploads.PUT.execute(
          client,
          new ModelUploads.Request(
              new ModelUploadService.Body(head.name, null, XContentType.JSON, found),
              Precondition.NONE,
              request.timeout()),
          ActionListener.map(stored, put -> put.result().name().toLowerCase(Locale.ROOT)));
    }

    private void alias(Head head, ActionListener<String> stored) {
      ModelAlias current = ModelsMetadata.of(clusterService.state()).aliases().get(head.name);
      Shares target = new Shares(head.models);
      if (current != null && current.target().equals(target)) {
        stored.onResponse(NOOP);
        return;
      }
      if (current != null && !request.replace()) {
        throw conflict(head);
      }
      Aliases.PUT.execute(
          client,
          new Aliases.Request(head.name, target, request.timeout()),
          ActionListener.map(stored, put -> put.result().name().toLowerCase(Locale.ROOT)));
    }
  }

  private static FeatureSet set(String name, Input in) throws IOException {
    List<FeatureSet> set = new ArrayList<>();
    new Shape<List<FeatureSet>>()
        .any("feature_set", (sets, value) -> sets.add(FeatureSet.read(name, value)))
        .required("feature_set")
        .lenient()
        .read(in, set);
    return set.getFirst();
  }

  private static OpenSearchStatusException conflict(Head head) {
    return ChangeFence.refuse(
        new OpenSearchStatusException(
            "{} [{}] already exists and differs from the imported one; to replace it, set"
                + " replace=true",
            RestStatus.CONFLICT,
            head.kind,
            head.name));
  }
}

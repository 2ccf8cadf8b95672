// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.action.PluginAction;
import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.door.BoundedContent;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.Sequence;
import io.quickscorer.plugin.guard.WorkPool;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.FeatureBinding;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.store.FeatureSetStore;
import io.quickscorer.plugin.model.store.ModelStore;
import io.quickscorer.plugin.model.store.StoredChunks;
import io.quickscorer.plugin.model.upload.ExportedModel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRunnable;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;

/**
 * Exports the feature sets, then the models, then the aliases, each kind sorted by name. Each item
 * is one line of JSON. One response contains a part of the file (a piece); the client appends the
 * pieces in order. Models are read one at a time. The bytes of the model and of the piece are
 * charged at the circuit breaker for models until the response is sent.
 */
record Export(
    ClusterService clusterService,
    ThreadPool threadPool,
    ModelStore store,
    FeatureSetStore featureSets,
    ModelBreaker breaker) {
  public static final PluginAction<Request, Response> ACTION =
      PluginAction.local("cluster:admin/quickscorer/export");

  /**
   * A request for a piece of the export file.
   *
   * @param from the place at which the piece begins: the value {@code next} of the previous
   *     response; empty for the first piece
   * @param maxBytes the piece ends after the line that makes it at least as large as this number of
   *     bytes
   */
  public record Request(String from, long maxBytes) implements ValueRequest.Tracked {
    /** Checks that a piece begins at an item, not beyond all of them. */
    public Request {
      if (!from.isEmpty() && (from.indexOf(':') != 1 || "123".indexOf(from.charAt(0)) < 0)) {
        throw new IllegalArgumentException(
            "from: found ["
                + FeatureBinding.shown(from)
                + "], expected the header X-Quickscorer-Next of the previous piece");
      }
    }

    /** Creates a task whose description shows how much of the piece is written. */
    @Override
    public Task task(ValueRequest.TaskFields fields) {
      return new ProgressTask(fields, "export", "begins");
    }
  }

  /**
   * A piece of the export file.
   *
   * @param lines the lines, in UTF-8
   * @param next the place at which the next piece begins; null in the last piece
   */
  public record Response(BytesReference lines, @Nullable String next) {}

  /**
   * Bytes to charge for each byte of a model's stored file during its export. The file is then in
   * memory three times: as chunks, as one array, and in base64.
   */
  private static final int WRITING_FACTOR = 4;

  /** Maximum number of times that a model is read again because another version replaced it. */
  private static final int MAX_REREADS = 10;

  /**
   * An item to write: a feature set, a model or an alias.
   *
   * @param place the kind and the name of the item, as a text by which all items are sorted
   */
  private record Item(String place, Object thing) {
    static Item of(FeatureSet set) {
      return new Item("1:" + set.name(), set);
    }

    static Item of(ModelManifest model) {
      return new Item("2:" + model.id().name(), model);
    }

    static Item of(ModelAlias alias) {
      return new Item("3:" + alias.name(), alias);
    }
  }

  private Executor executor() {
    return WorkPool.TRANSFERS.of(threadPool);
  }

  /** Writes a piece of the export file, and passes it to the listener. */
  public void run(Task task, Request request, ActionListener<Response> listener) {
    ModelsMetadata models = ModelsMetadata.of(clusterService.state());
    MemoryCharge listed = breaker.reserve(0, "<list of feature sets>");
    ActionListener<Response> closing = ActionListener.runAfter(listener, listed::close);
    featureSets.list(
        listed,
        ActionListener.wrap(
            sets -> begin((ProgressTask) task, request, items(sets, models), closing),
            closing::onFailure));
  }

  private static List<Item> items(List<FeatureSetStore.Listed> sets, ModelsMetadata models) {
    List<Item> items = new ArrayList<>();
    sets.forEach(set -> items.add(Item.of(set.readable())));
    models.models().values().forEach(model -> items.add(Item.of(model)));
    models.aliases().values().forEach(alias -> items.add(Item.of(alias)));
    items.sort(Comparator.comparing(Item::place));
    return items;
  }

  private void begin(
      ProgressTask task, Request request, List<Item> items, ActionListener<Response> listener) {
    List<Item> rest =
        items.stream().filter(item -> item.place.compareTo(request.from()) >= 0).toList();
    MemoryCharge memory = breaker.reserve(0, "<export>");
    Piece piece = new Piece(task, rest, items.size() - rest.size(), request.maxBytes(), memory);
    Sequence.repeat(
        piece::left,
        next -> executor().execute(ActionRunnable.wrap(next, piece::write)),
        ActionListener.runAfter(
            ActionListener.map(listener, ignored -> piece.response()), memory::close));
  }

  private final class Piece {
    private final ProgressTask task;
    private final List<Item> items;
    private final int before;
    private final long maxBytes;
    private final MemoryCharge memory;
    private final BytesStreamOutput lines = new BytesStreamOutput();
    private int at;

    /**
     * Creates an empty piece of the export file.
     *
     * @param items the items of this piece and of all later pieces
     * @param before the number of items in earlier pieces
     * @param maxBytes the size in bytes after which the piece ends
     * @param memory the charge at the circuit breaker, which grows with the piece
     */
    Piece(ProgressTask task, List<Item> items, int before, long maxBytes, MemoryCharge memory) {
      this.task = task;
      this.items = items;
      this.before = before;
      this.maxBytes = maxBytes;
      this.memory = memory;
    }

    /** Returns the number of items that are still to be written; 0 if the piece is full. */
    private int left() {
      return lines.size() == 0 || lines.size() < maxBytes ? items.size() - at : 0;
    }

    private Response response() {
      return new Response(lines.bytes(), at < items.size() ? items.get(at).place : null);
    }

    /** Writes the next items, until a model was written or the piece is full. */
    private void write(ActionListener<Void> next) throws IOException {
      task.checkCancelled();
      while (left() > 0) {
        // Twice the size, because the stream's buffer grows by doubling.
        memory.resize(2L * lines.size());
        task.at((before + at) + " of " + (before + items.size()) + " lines");
        Object thing = items.get(at++).thing;
        if (thing instanceof ModelManifest model) {
          read(model, MAX_REREADS, next);
          return;
        }
        line(
            json -> {
              json.startObject();
              if (thing instanceof FeatureSet set) {
                json.field(ExportedModel.EXPORTED, "feature_set").field("name", set.name());
                json.field("feature_set", set);
              } else {
                ModelAlias alias = (ModelAlias) thing;
                json.field(ExportedModel.EXPORTED, "alias").field("name", alias.name());
                json.field("models", alias.target().models());
              }
              json.endObject();
            });
      }
      next.onResponse(null);
    }

    private void read(ModelManifest model, int rereads, ActionListener<Void> next) {
      charge(model.storedBytes());
      Consumer<Exception> failed =
          Guard.recovery(next, failure -> failed(model, failure, rereads, next));
      store.describe(
          model,
          ActionListener.wrap(
              description ->
                  store.read(
                      model,
                      ActionListener.wrap(
                          // On another thread, because this one may be a transport thread, and
                          // encoding many megabytes in base64 takes long.
                          file ->
                              executor()
                                  .execute(
                                      ActionRunnable.run(
                                          next,
                                          () ->
                                              line(
                                                  json ->
                                                      ExportedModel.write(
                                                          json, model, description, file)))),
                          failed)),
              failed));
    }

    /**
     * Handles a failure to read a model. If another version has replaced the model since the export
     * began, reads that version. If the model was deleted, skips it. Otherwise fails the export.
     */
    private void failed(
        ModelManifest model, Exception failure, int rereads, ActionListener<Void> next) {
      ModelManifest now = ModelsMetadata.of(clusterService.state()).models().get(model.id().name());
      if (!StoredChunks.isBroken(failure)
          || (now != null && (rereads == 0 || now.upload().equals(model.upload())))) {
        next.onFailure(failure);
      } else if (now == null) {
        next.onResponse(null);
      } else {
        executor().execute(ActionRunnable.wrap(next, l -> read(now, rereads - 1, l)));
      }
    }

    /**
     * Charges memory for the lines written so far, and for the model that is read next.
     *
     * @param stored the stored size of the next model in bytes
     */
    private void charge(long stored) {
      memory.resize(2L * lines.size() + WRITING_FACTOR * stored);
    }

    /** Writes an object as one line. The caller must have charged the line's memory. */
    private void line(BoundedContent.Writing writing) throws IOException {
      BoundedContent.json(Integer.MAX_VALUE, writing).writeTo(lines);
      lines.writeByte((byte) '\n');
    }
  }
}

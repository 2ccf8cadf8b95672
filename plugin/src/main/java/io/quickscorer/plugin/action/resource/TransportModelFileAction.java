// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.LocalAction;
import io.quickscorer.plugin.action.LocalTransportAction;
import io.quickscorer.plugin.guard.WorkPool;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.Gzip;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelFile;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.UploadedFile;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.model.store.ModelStore;
import io.quickscorer.plugin.model.store.StoredChunks;
import java.util.concurrent.Executor;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/**
 * Returns the uploaded file of a model, byte for byte, read from its stored chunks. Checks the
 * chunks' checksums. The file's memory is charged to the plugin's circuit breaker for models until
 * the response is sent.
 */
public final class TransportModelFileAction
    extends LocalTransportAction<
        TransportModelFileAction.Request, TransportModelFileAction.Response> {
  public static final LocalAction<Request, Response> ACTION =
      new LocalAction<>("cluster:admin/quickscorer/model/file");

  /**
   * A request for the file of a model.
   *
   * @param name the name of the model or of an alias
   */
  public record Request(String name) {}

  /**
   * The uploaded file of a model, in the response.
   *
   * @param name the file name to suggest to the client
   * @param contentType the media type of the bytes
   */
  public record Response(ModelId id, String name, String contentType, BytesReference file) {}

  private final ClusterService clusterService;
  private final ModelStore store;
  private final ModelBreaker breaker;
  private final Executor executor;

  @Inject
  public TransportModelFileAction(
      TransportService transportService,
      ActionFilters filters,
      ClusterService clusterService,
      ThreadPool threadPool,
      ModelStore store,
      ModelBreaker breaker) {
    super(ACTION, transportService, filters);
    this.clusterService = clusterService;
    this.store = store;
    this.breaker = breaker;
    this.executor = WorkPool.REPORTS.of(threadPool);
  }

  @Override
  protected void carryOut(Task task, Request request, ActionListener<Response> listener) {
    ModelManifest manifest = ModelsMetadata.of(clusterService.state()).resolve(request.name());
    if (manifest == null) {
      throw ModelService.missing(request.name());
    }
    store.describe(
        manifest,
        ActionListener.wrap(
            description -> read(manifest, description.file(), listener), listener::onFailure));
  }

  private void read(ModelManifest manifest, UploadedFile file, ActionListener<Response> listener) {
    // Twice the size, because the buffer that collects the chunks grows by doubling.
    MemoryCharge memory =
        breaker.reserve(
            3 * manifest.storedBytes() + file.bytes(), "<file of model " + manifest.id() + ">");
    ActionListener<Response> closing = ActionListener.runAfter(listener, memory::close);
    store.read(
        manifest,
        ActionListener.wrap(
            gzip ->
                executor.execute(
                    ActionRunnable.supply(closing, () -> unpacked(manifest, file, gzip))),
            closing::onFailure));
  }

  /**
   * Unpacks the stored file, and returns the response with it.
   *
   * @throws org.opensearch.OpenSearchStatusException (503) if the stored file differs from the
   *     uploaded one
   */
  private static Response unpacked(ModelManifest manifest, UploadedFile file, byte[] gzip) {
    byte[] bytes;
    try {
      bytes = Gzip.decompress(gzip, file.bytes());
    } catch (IllegalArgumentException e) {
      throw StoredChunks.broken(manifest, "the model's stored file is damaged", e);
    }
    if (!ModelFile.sha256(bytes).equals(file.sha256())) {
      throw StoredChunks.broken(
          manifest, "the model's stored file differs from the uploaded file", null);
    }
    return new Response(manifest.id(), file.name(), file.contentType(), new BytesArray(bytes));
  }
}

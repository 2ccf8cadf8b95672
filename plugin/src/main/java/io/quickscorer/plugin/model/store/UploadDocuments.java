// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.store;

import io.quickscorer.plugin.door.BoundedContent;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.guard.Sequence;
import io.quickscorer.plugin.model.ModelManifest;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.opensearch.action.get.GetRequest;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.IndexNotFoundException;

/** Writes and reads an upload's documents, one after the other. Safe for use by several threads. */
record UploadDocuments(GuardedClient client, ModelIndex index) {
  private static final TimeValue WRITE_TIMEOUT = TimeValue.timeValueSeconds(30);

  /** Starts to write a document: writes the fields that all documents of an upload have. */
  static XContentBuilder begin(XContentBuilder source, ModelManifest manifest, String kind)
      throws IOException {
    return ModelIndex.begin(source, kind)
        .field(StoredChunks.UPLOAD, manifest.upload())
        .field(ModelStore.CREATED, manifest.created());
  }

  /** Returns the document ids of the chunks (parts) of a file, in their order. */
  static List<String> ids(ModelManifest manifest) {
    return IntStream.range(0, manifest.chunks()).mapToObj(chunk -> id(manifest, chunk)).toList();
  }

  private static String id(ModelManifest manifest, int chunk) {
    return manifest.upload() + "-" + chunk;
  }

  /** Writes the chunks (parts) of a compressed file as documents, one after the other. */
  void write(ModelManifest manifest, BytesReference bytes, ActionListener<Void> listener) {
    Sequence.each(
        IntStream.range(0, manifest.chunks()).iterator(),
        (place, next) -> {
          String id = id(manifest, place);
          int from = place * ModelStore.CHUNK_BYTES;
          int length = Math.min(ModelStore.CHUNK_BYTES, bytes.length() - from);
          byte[] data = BytesReference.toBytes(bytes.slice(from, length));
          BytesReference chunk =
              BoundedContent.cbor(
                  2 * ModelStore.CHUNK_BYTES,
                  source -> {
                    begin(source, manifest, "chunk").field(StoredChunks.DATA, data);
                    source.field(StoredChunks.SHA256, StoredChunks.sha256(id, data)).endObject();
                  });
          put(id, chunk, next);
        },
        listener);
  }

  /**
   * Writes a document. If an earlier attempt of this upload already wrote a document with this id,
   * that document had the same content, and is replaced.
   */
  void put(String id, BytesReference source, ActionListener<Void> listener) {
    client.index(
        new IndexRequest(ModelIndex.NAME)
            .id(id)
            .source(source, XContentType.CBOR)
            .timeout(WRITE_TIMEOUT)
            .waitForActiveShards(index.requiredCopies()),
        ActionListener.map(listener, written -> null));
  }

  /**
   * Reads the chunks (parts) of a file, checks each, and passes it on. Fails (503) if a chunk is
   * missing or damaged.
   *
   * @param to receives the bytes of each chunk
   */
  void read(ModelManifest manifest, Consumer<byte[]> to, ActionListener<Void> listener) {
    StoredChunks chunks = new StoredChunks(manifest);
    Sequence.each(
        ids(manifest).iterator(),
        (id, next) ->
            get(
                manifest,
                id,
                ActionListener.map(
                    next,
                    response -> {
                      to.accept(chunks.take(response));
                      return null;
                    })),
        ActionListener.map(
            listener,
            read -> {
              chunks.end();
              return null;
            }));
  }

  void get(ModelManifest manifest, String id, ActionListener<GetResponse> listener) {
    client.get(
        new GetRequest(ModelIndex.NAME, id).preference(index.preference()),
        Guard.recovering(
            listener,
            (l, failure) ->
                l.onFailure(
                    failure instanceof IndexNotFoundException
                        ? StoredChunks.broken(
                            manifest, "the model's stored documents are missing", failure)
                        : failure)));
  }
}

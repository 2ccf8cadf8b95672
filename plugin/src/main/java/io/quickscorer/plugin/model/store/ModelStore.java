// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.store;

import io.quickscorer.plugin.door.BoundedContent;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelDescription;
import io.quickscorer.plugin.model.ModelManifest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.action.StepListener;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;

/**
 * Stores model files and their descriptions as documents of {@link ModelIndex}. No method blocks;
 * listeners are called on the client's threads.
 *
 * <p>An upload consists of a description, whose document id is the upload's key, and of the
 * compressed file in chunks with the ids {@code key-0, key-1, …}. Each upload has a new key, so a
 * document is never replaced by a different one. The manifests (entries of models in the cluster
 * state) contain the keys in use; documents with other keys can be deleted. {@link StoredChunks}
 * checks documents when they are read.
 */
public final class ModelStore {
  /**
   * Number of bytes of a chunk, the part of a model's file that one document contains. The last
   * chunk of a file may be shorter.
   */
  public static final int CHUNK_BYTES = 1 << 20;

  /** Maximum size of a description in bytes, because the parser holds all of it in memory. */
  private static final int MAX_DESCRIPTION_BYTES = 8 << 20;

  private static final int SWEEP_BATCH = 500;
  static final String KIND = "kind";
  static final String CREATED = "created";
  static final String METADATA = ModelDescription.METADATA;

  private final GuardedClient client;
  private final ModelIndex index;
  private final UploadDocuments documents;
  private final MetadataReader metadata;

  public ModelStore(GuardedClient client, ModelIndex index, ModelBreaker breaker) {
    this.client = client;
    this.index = index;
    this.documents = new UploadDocuments(client, index);
    this.metadata = new MetadataReader(client, index, breaker);
  }

  /**
   * Calls the listener as soon as the index can be read, or immediately if it does not exist. Fails
   * (503) after the time {@code max}.
   */
  public void whenReady(TimeValue max, ActionListener<Void> listener) {
    index.whenReady(max, listener);
  }

  public static int chunks(long storedBytes) {
    return Math.toIntExact((storedBytes + CHUNK_BYTES - 1) / CHUNK_BYTES);
  }

  /** Calls the listener as soon as the index can be used; creates the index if it is missing. */
  public void ensureIndex(ActionListener<Void> listener) {
    index.ensure(listener);
  }

  /**
   * Writes an upload to the existing index: its chunks one after the other, then the description.
   * Searches use the upload only after its manifest was added to the cluster state.
   *
   * @param file the uploaded file, compressed
   * @param listener receives a copy of {@code manifest} with the checksums of the documents; fails
   *     with 400 if the description is too large
   */
  public void write(
      ModelManifest manifest,
      ModelDescription description,
      BytesReference file,
      ActionListener<ModelManifest> listener) {
    BytesReference last;
    try {
      last = source(manifest, description);
    } catch (IOException | IllegalArgumentException e) {
      listener.onFailure(e);
      return;
    }
    StepListener<Void> filed = new StepListener<>();
    documents.write(manifest, file, filed);
    Guard.then(
        filed,
        written ->
            documents.put(
                manifest.upload(),
                last,
                ActionListener.map(
                    listener,
                    described ->
                        manifest.with(
                            new ModelManifest.Checksums(
                                StoredChunks.sha256(file), StoredChunks.sha256(last))))),
        listener::onFailure);
  }

  private static BytesReference source(ModelManifest manifest, ModelDescription description)
      throws IOException {
    try {
      return BoundedContent.cbor(
          MAX_DESCRIPTION_BYTES,
          source -> {
            UploadDocuments.begin(source, manifest, "model").field("name", manifest.id().name());
            description.toXContent(source, ToXContent.EMPTY_PARAMS);
            source.endObject();
          });
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "model [" + manifest.id().name() + "], feature set and metadata: " + e.getMessage(), e);
    }
  }

  /** Reads a model's description; fails (503) if it is unreadable or its checksum is wrong. */
  public void describe(ModelManifest manifest, ActionListener<ModelDescription> listener) {
    documents.get(
        manifest,
        manifest.upload(),
        ActionListener.map(listener, response -> StoredChunks.description(manifest, response)));
  }

  /** Reads a model's compressed file; fails (503) if it is unreadable or a checksum is wrong. */
  public void read(ModelManifest manifest, ActionListener<byte[]> listener) {
    ByteArrayOutputStream bytes =
        new ByteArrayOutputStream(Math.toIntExact(manifest.storedBytes()));
    documents.read(
        manifest, bytes::writeBytes, ActionListener.map(listener, read -> bytes.toByteArray()));
  }

  /** Checks the documents of a model; fails (503) if one is unreadable or a checksum is wrong. */
  public void verify(ModelManifest manifest, ActionListener<Void> listener) {
    describe(
        manifest,
        ActionListener.wrap(
            described -> documents.read(manifest, data -> {}, listener), listener::onFailure));
  }

  /**
   * Deletes the documents of an upload as soon as no model uses the upload. Some of the documents
   * may already be missing.
   */
  public void delete(ModelManifest manifest, ActionListener<Void> listener) {
    List<String> ids = new ArrayList<>(UploadDocuments.ids(manifest));
    ids.add(manifest.upload());
    index.whenUnused(
        manifest, ActionListener.wrap(unused -> delete(ids, listener), listener::onFailure));
  }

  private void delete(List<String> ids, ActionListener<Void> listener) {
    BulkRequest bulk = new BulkRequest();
    ids.forEach(id -> bulk.add(new DeleteRequest(ModelIndex.NAME, id)));
    client.bulk(
        bulk,
        ActionListener.wrap(
            (BulkResponse done) -> {
              if (done.hasFailures()) {
                throw new IOException(done.buildFailureMessage());
              }
              listener.onResponse(null);
            },
            listener::onFailure));
  }

  /**
   * Deletes up to {@link #SWEEP_BATCH} documents of unfinished or deleted uploads. Such documents
   * remain if a node stops during an upload or a deletion.
   *
   * @param live the keys of the uploads to keep
   * @param olderThan only uploads that began before this time are deleted, in milliseconds since
   *     the epoch; newer uploads may still be in progress
   * @param listener receives the number of deleted documents
   */
  public void sweep(Set<String> live, long olderThan, ActionListener<Integer> listener) {
    if (!index.exists()) {
      listener.onResponse(0);
      return;
    }
    SearchRequest request =
        new SearchRequest(ModelIndex.NAME)
            .indicesOptions(IndicesOptions.lenientExpandHidden())
            .source(
                new SearchSourceBuilder()
                    .fetchSource(false)
                    .size(SWEEP_BATCH)
                    .query(
                        QueryBuilders.boolQuery()
                            .filter(QueryBuilders.existsQuery(StoredChunks.UPLOAD))
                            .filter(QueryBuilders.rangeQuery(CREATED).lt(olderThan))
                            .mustNot(QueryBuilders.termsQuery(StoredChunks.UPLOAD, live))));
    client.search(
        request,
        ActionListener.wrap(
            found -> {
              List<String> ids = new ArrayList<>();
              for (SearchHit hit : found.getHits()) {
                ids.add(hit.getId());
              }
              if (ids.isEmpty()) {
                listener.onResponse(0);
              } else {
                delete(ids, ActionListener.map(listener, deleted -> ids.size()));
              }
            },
            listener::onFailure));
  }

  /**
   * Reads the metadata of several models, without their feature sets.
   *
   * @param listener receives the metadata by the model's name; models whose documents are missing
   *     or unreadable are left out; fails with 429 if memory is short
   */
  public void metadata(
      List<ModelManifest> manifests, ActionListener<Map<String, Map<String, Object>>> listener) {
    metadata.read(manifests, listener);
  }
}

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
 * Model files and their descriptions as documents of {@link ModelIndex}. Nothing blocks; listeners
 * are called on the client's threads.
 *
 * <p>An upload is one description document, whose id is the upload's key, and the file that was
 * uploaded, compressed, in chunks {@code key-0, key-1, …}. A key is never used twice and all
 * documents name theirs, so nothing here is ever replaced by something else and what no manifest
 * names can be deleted. What is read is checked, see {@link StoredChunks}.
 */
public final class ModelStore {
  /** Bytes of one chunk, the last one excepted. */
  public static final int CHUNK_BYTES = 1 << 20;

  /**
   * Maximum size of a description, which is parsed whole when the model is loaded or searched by.
   */
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
   * Waits until the index of models can be read, or is known not to be there; fails with 503 if
   * that takes too long.
   */
  public void whenReady(TimeValue max, ActionListener<Void> listener) {
    index.whenReady(max, listener);
  }

  public static int chunks(long storedBytes) {
    return Math.toIntExact((storedBytes + CHUNK_BYTES - 1) / CHUNK_BYTES);
  }

  /**
   * Writes an upload, chunk by chunk and the description last; it is invisible until published.
   *
   * @param file that was uploaded, compressed
   * @param listener gets the manifest with the checksums of what was written; fails with 400 if the
   *     description is too large
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
    StepListener<Void> ready = new StepListener<>();
    StepListener<Void> filed = new StepListener<>();
    index.ensure(ready);
    Guard.then(ready, created -> documents.write(manifest, file, filed), listener::onFailure);
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

  /** Reads a model's description; fails with 503 if it can't be read or is not what was written. */
  public void describe(ModelManifest manifest, ActionListener<ModelDescription> listener) {
    documents.get(
        manifest,
        manifest.upload(),
        ActionListener.map(listener, response -> StoredChunks.description(manifest, response)));
  }

  /**
   * Reads a model's file, compressed, as it is stored; fails with 503 if it can't be read or is not
   * what was written.
   */
  public void read(ModelManifest manifest, ActionListener<byte[]> listener) {
    ByteArrayOutputStream bytes =
        new ByteArrayOutputStream(Math.toIntExact(manifest.storedBytes()));
    documents.read(
        manifest, bytes::writeBytes, ActionListener.map(listener, read -> bytes.toByteArray()));
  }

  /** Reads all that is stored of a model without keeping it; fails as {@link #read} does. */
  public void verify(ModelManifest manifest, ActionListener<Void> listener) {
    describe(
        manifest,
        ActionListener.wrap(
            described -> documents.read(manifest, data -> {}, listener), listener::onFailure));
  }

  /** Deletes those documents of an upload that exist. */
  public void delete(ModelManifest manifest, ActionListener<Void> listener) {
    List<String> ids = new ArrayList<>(UploadDocuments.ids(manifest));
    ids.add(manifest.upload());
    delete(ids, listener);
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
   * Deletes documents of uploads that are in no manifest. They remain if a node stops during an
   * upload or a deletion.
   *
   * @param live keys of uploads that are not deleted
   * @param olderThan only uploads begun before, in milliseconds since the epoch: younger ones may
   *     be in progress
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
   * Reads the metadata of several models, by name, without their feature sets; models whose stored
   * form is missing or can't be read are left out.
   *
   * @param listener fails with 429 where there is no memory for all of them
   */
  public void metadata(
      List<ModelManifest> manifests, ActionListener<Map<String, Map<String, Object>>> listener) {
    metadata.read(manifests, listener);
  }
}

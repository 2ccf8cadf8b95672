package io.quickscorer.plugin.model;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.get.GetRequest;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.transport.client.Client;

/**
 * Model files and their descriptions as documents of {@link ModelIndex}. Nothing blocks; listeners
 * are called on the client's threads.
 *
 * <p>An upload is one description document, whose id is the upload's key, and the model in our
 * compact binary form, in chunks {@code key-0, key-1, …}. A key is never used twice, so nothing
 * here is ever overwritten and what no manifest names can be deleted.
 */
public final class ModelStore {
  /** Bytes of one chunk, the last one excepted. */
  static final int CHUNK_BYTES = 1 << 20;

  private static final TimeValue WRITE_TIMEOUT = TimeValue.timeValueSeconds(30);
  private static final int SWEEP_BATCH = 500;
  private static final String KIND = "kind";
  private static final String UPLOAD = "upload";
  private static final String CREATED = "created";
  private static final String DATA = "data";

  private final Client client;
  private final ModelIndex index;

  ModelStore(Client client, ModelIndex index) {
    this.client = client;
    this.index = index;
  }

  static int chunks(long storedBytes) {
    return Math.toIntExact((storedBytes + CHUNK_BYTES - 1) / CHUNK_BYTES);
  }

  private static String chunkId(String upload, int chunk) {
    return upload + "-" + chunk;
  }

  /** Writes an upload, chunk by chunk and the description last; it is invisible until published. */
  void write(
      ModelManifest manifest,
      ModelDescription description,
      BytesReference file,
      ActionListener<Void> listener) {
    index.ensure(
        ActionListener.wrap(
            ready -> writeChunk(manifest, description, file, 0, listener), listener::onFailure));
  }

  private void writeChunk(
      ModelManifest manifest,
      ModelDescription description,
      BytesReference file,
      int chunk,
      ActionListener<Void> listener)
      throws IOException {
    boolean last = chunk == manifest.chunks();
    String id = last ? manifest.upload() : chunkId(manifest.upload(), chunk);
    IndexRequest request =
        new IndexRequest(ModelIndex.NAME)
            .id(id)
            .opType(DocWriteRequest.OpType.CREATE)
            .timeout(WRITE_TIMEOUT)
            .waitForActiveShards(index.requiredCopies());
    try (XContentBuilder source = XContentFactory.cborBuilder()) {
      source.startObject();
      source.field(UPLOAD, manifest.upload()).field(CREATED, manifest.created());
      if (last) {
        source.field(KIND, "model").field("name", manifest.id().name());
        description.toXContent(source, ToXContent.EMPTY_PARAMS);
      } else {
        int from = chunk * CHUNK_BYTES;
        int length = Math.min(CHUNK_BYTES, file.length() - from);
        source.field(KIND, "chunk");
        source.field(DATA, BytesReference.toBytes(file.slice(from, length)));
      }
      request.source(source.endObject());
    }
    client.index(
        request,
        ActionListener.wrap(
            written -> {
              if (last) {
                listener.onResponse(null);
              } else {
                writeChunk(manifest, description, file, chunk + 1, listener);
              }
            },
            listener::onFailure));
  }

  /** Reads a model's description; fails with 503 if it can't be read. */
  void describe(ModelManifest manifest, ActionListener<ModelDescription> listener) {
    get(
        manifest,
        manifest.upload(),
        source -> ModelDescription.parse(source, XContentType.CBOR),
        listener);
  }

  /** Reads a model's stored form. */
  void read(ModelManifest manifest, ActionListener<byte[]> listener) {
    ByteArrayOutputStream file = new ByteArrayOutputStream(Math.toIntExact(manifest.storedBytes()));
    readChunk(manifest, 0, file, listener);
  }

  private void readChunk(
      ModelManifest manifest, int chunk, ByteArrayOutputStream file, ActionListener<byte[]> done) {
    if (chunk == manifest.chunks()) {
      done.onResponse(file.toByteArray());
      return;
    }
    get(
        manifest,
        chunkId(manifest.upload(), chunk),
        source -> {
          file.write(
              (byte[])
                  XContentHelper.convertToMap(source, false, XContentType.CBOR).v2().get(DATA));
          return chunk + 1;
        },
        ActionListener.wrap(next -> readChunk(manifest, next, file, done), done::onFailure));
  }

  private interface Reader<T> {
    T read(BytesReference source) throws IOException;
  }

  private <T> void get(
      ModelManifest manifest, String id, Reader<T> reader, ActionListener<T> listener) {
    GetRequest request = new GetRequest(ModelIndex.NAME, id).preference("_local");
    client.get(
        request,
        ActionListener.wrap(
            (GetResponse got) -> {
              if (!got.isExists()) {
                throw unavailable(manifest, null);
              }
              listener.onResponse(reader.read(got.getSourceAsBytesRef()));
            },
            failure ->
                listener.onFailure(
                    failure instanceof IndexNotFoundException
                        ? unavailable(manifest, failure)
                        : failure)));
  }

  private static OpenSearchStatusException unavailable(
      ModelManifest manifest, @Nullable Exception cause) {
    return new OpenSearchStatusException(
        "model [{}]: its stored form is missing; upload it again",
        RestStatus.SERVICE_UNAVAILABLE,
        cause,
        manifest.id());
  }

  /** Deletes an upload's documents, those of them that exist. */
  void delete(ModelManifest manifest, ActionListener<Void> listener) {
    List<String> ids = new ArrayList<>();
    ids.add(manifest.upload());
    for (int chunk = 0; chunk < manifest.chunks(); chunk++) {
      ids.add(chunkId(manifest.upload(), chunk));
    }
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
   * Deletes documents of uploads that no manifest names: what a node left behind that died in the
   * middle of an upload or a deletion.
   *
   * @param olderThan only uploads begun before, in milliseconds since the epoch: younger ones may
   *     be under way
   * @param listener told how many documents were deleted
   */
  public void sweep(ModelsMetadata live, long olderThan, ActionListener<Integer> listener) {
    if (!index.exists()) {
      listener.onResponse(0);
      return;
    }
    List<String> uploads = live.models().values().stream().map(ModelManifest::upload).toList();
    SearchRequest request =
        new SearchRequest(ModelIndex.NAME)
            .indicesOptions(IndicesOptions.lenientExpandHidden())
            .source(
                new SearchSourceBuilder()
                    .fetchSource(false)
                    .size(SWEEP_BATCH)
                    .query(
                        QueryBuilders.boolQuery()
                            .filter(QueryBuilders.existsQuery(UPLOAD))
                            .filter(QueryBuilders.rangeQuery(CREATED).lt(olderThan))
                            .mustNot(QueryBuilders.termsQuery(UPLOAD, uploads))));
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
   * form is missing are left out.
   */
  public void metadata(
      List<ModelManifest> manifests, ActionListener<Map<String, Map<String, Object>>> listener) {
    if (manifests.isEmpty() || !index.exists()) {
      listener.onResponse(Map.of());
      return;
    }
    MultiGetRequest request = new MultiGetRequest();
    for (ModelManifest manifest : manifests) {
      request.add(
          new MultiGetRequest.Item(ModelIndex.NAME, manifest.upload())
              .fetchSourceContext(
                  new FetchSourceContext(
                      true, new String[] {ModelDescription.METADATA}, new String[0])));
    }
    client.multiGet(
        request,
        ActionListener.map(
            listener,
            got -> {
              Map<String, Map<String, Object>> metadata = new TreeMap<>();
              for (int i = 0; i < manifests.size(); i++) {
                GetResponse response = got.getResponses()[i].getResponse();
                if (response != null && response.isExists()) {
                  metadata.put(
                      manifests.get(i).id().name(), metadata(response.getSourceAsBytesRef()));
                }
              }
              return metadata;
            }));
  }

  @SuppressWarnings("unchecked") // the source's keys are strings, as in all JSON
  private static Map<String, Object> metadata(BytesReference source) {
    Map<String, Object> fields = XContentHelper.convertToMap(source, true, XContentType.CBOR).v2();
    return fields.get(ModelDescription.METADATA) instanceof Map<?, ?> map
        ? (Map<String, Object>) map
        : Map.of();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.store;

import static org.hamcrest.Matchers.containsString;

import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.get.GetResponse;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.get.GetResult;
import org.opensearch.test.OpenSearchTestCase;

public class StoredChunksTests extends OpenSearchTestCase {
  private static final String UPLOAD = "key";
  private static final int CHUNKS = 3;

  private final byte[] file = randomByteArrayOfLength(2 * ModelStore.CHUNK_BYTES + 17);

  private ModelManifest manifest() {
    return new ModelManifest(
        new ModelId("m", "v"),
        UPLOAD,
        "",
        1,
        file.length,
        CHUNKS,
        1,
        1,
        new ModelManifest.Checksums(StoredChunks.sha256(new BytesArray(file)), "unread"));
  }

  private static GetResponse document(int chunk, Map<String, Object> fields, XContentType type) {
    try (XContentBuilder source = XContentBuilder.builder(type.xContent())) {
      return got(chunk, BytesReference.bytes(source.map(fields)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static GetResponse got(int chunk, BytesReference source) {
    return new GetResponse(
        new GetResult(
            ModelIndex.NAME,
            UPLOAD + "-" + chunk,
            source == null ? -2 : 1,
            source == null ? 0 : 1,
            1,
            source != null,
            source,
            Map.of(),
            Map.of()));
  }

  private byte[] data(int chunk) {
    int from = chunk * ModelStore.CHUNK_BYTES;
    return Arrays.copyOfRange(file, from, Math.min(file.length, from + ModelStore.CHUNK_BYTES));
  }

  private static Map<String, Object> fields(int chunk, String upload, byte[] data) {
    return Map.of(
        StoredChunks.UPLOAD,
        upload,
        StoredChunks.DATA,
        data,
        StoredChunks.SHA256,
        StoredChunks.sha256(UPLOAD + "-" + chunk, data));
  }

  private List<GetResponse> whole() {
    List<GetResponse> documents = new ArrayList<>();
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
      documents.add(document(chunk, fields(chunk, UPLOAD, data(chunk)), XContentType.CBOR));
    }
    return documents;
  }

  private static void read(ModelManifest manifest, List<GetResponse> documents) {
    StoredChunks chunks = new StoredChunks(manifest);
    documents.forEach(chunks::take);
    chunks.end();
  }

  private void assertBroken(List<GetResponse> documents, String why) {
    OpenSearchStatusException failure =
        expectThrows(OpenSearchStatusException.class, () -> read(manifest(), documents));
    assertEquals(RestStatus.SERVICE_UNAVAILABLE, ExceptionsHelper.status(failure));
    assertThat(failure.getMessage(), containsString("model [m@v]: " + why));
  }

  private List<GetResponse> with(int chunk, GetResponse document) {
    List<GetResponse> documents = whole();
    documents.set(chunk, document);
    return documents;
  }

  public void testWhatWasWrittenIsRead() {
    read(manifest(), whole());
  }

  public void testEachWayToBeBroken() {
    int at = randomIntBetween(0, CHUNKS - 1);
    String chunk = "stored chunk " + (at + 1) + " of 3: ";
    byte[] other = data(at);
    other[randomIntBetween(0, other.length - 1)] ^= 1;
    assertBroken(with(at, got(at, null)), chunk + "the document is missing");
    assertBroken(
        with(at, document(at, fields(at, "another", data(at)), XContentType.CBOR)),
        chunk + "the document belongs to another upload");
    assertBroken(
        with(at, document(at, fields(at, UPLOAD, data(at)), XContentType.JSON)),
        chunk + "the document cannot be decoded");
    assertBroken(
        with(at, document(at, Map.of(StoredChunks.UPLOAD, UPLOAD), XContentType.CBOR)),
        chunk + "the document cannot be decoded");
    assertBroken(
        with(at, document(at, fields(at, UPLOAD, new byte[5]), XContentType.CBOR)),
        chunk + "found 5 bytes, expected " + data(at).length);
    assertBroken(
        with(
            at,
            document(
                at,
                Map.of(
                    StoredChunks.UPLOAD,
                    UPLOAD,
                    StoredChunks.DATA,
                    other,
                    StoredChunks.SHA256,
                    StoredChunks.sha256(UPLOAD + "-" + at, data(at))),
                XContentType.CBOR)),
        chunk + "the bytes do not match their checksum");
    assertBroken(
        with(at, document(at, fields(at, UPLOAD, other), XContentType.CBOR)),
        "the model's stored file differs from the uploaded file");
  }

  public void testChunksInAnotherOrder() {
    List<GetResponse> documents = new ArrayList<>();
    for (GetResponse document : whole()) {
      documents.add(document);
    }
    Collections.swap(documents, 0, 1);
    // By id the first place has the second chunk's bytes.
    documents.set(0, got(0, documents.get(0).getSourceAsBytesRef()));
    assertBroken(documents, "stored chunk 1 of 3: the bytes do not match their checksum");
  }
}

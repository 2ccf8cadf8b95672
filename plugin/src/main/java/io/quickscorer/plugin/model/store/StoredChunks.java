// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.store;

import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.model.ModelDescription;
import io.quickscorer.plugin.model.ModelFile;
import io.quickscorer.plugin.model.ModelManifest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.get.GetResponse;
import org.opensearch.common.hash.MessageDigests;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;

/**
 * Checks the documents of a stored model, one by one and as a whole. The checksums are in the
 * model's manifest, its entry in the cluster state. An instance checks one model, once. Not safe
 * for use by several threads.
 */
public final class StoredChunks {
  /** Name of the document field that contains the bytes of a chunk (a part of the model's file). */
  static final String DATA = "data";

  /** Name of the document field that contains the key of the upload. */
  static final String UPLOAD = "upload";

  /** Name of the document field with the checksum of a chunk together with its document id. */
  static final String SHA256 = "sha256";

  private static final String MARK = "opensearch.quickscorer.broken_upload";

  private final ModelManifest manifest;
  private final MessageDigest whole = newDigest();
  private int next;

  StoredChunks(ModelManifest manifest) {
    this.manifest = manifest;
  }

  /**
   * Returns a new SHA-256 digest. OpenSearch's {@link MessageDigests} cannot be used, because all
   * its callers on a thread share one digest.
   */
  private static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns the SHA-256, in hexadecimal, of a chunk together with its document id, so that the
   * check also fails if two chunks were swapped.
   */
  static String sha256(String id, byte[] data) {
    MessageDigest digest = MessageDigests.sha256();
    digest.update(id.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
    return HexFormat.of().formatHex(digest.digest(data));
  }

  static String sha256(BytesReference bytes) {
    return ModelFile.sha256(BytesReference.toBytes(bytes));
  }

  /**
   * Checks the document of the next chunk (part of the file), and returns the chunk's bytes.
   *
   * @throws OpenSearchStatusException (503) if the document is missing or damaged
   */
  byte[] take(GetResponse response) {
    int chunk = next++;
    if (!response.isExists()) {
      throw wrong(chunk, "the document is missing");
    }
    Map<String, Object> fields;
    try {
      fields = Door.ownMap(XContentType.CBOR, response.getSourceAsBytesRef());
    } catch (RuntimeException e) {
      // The cause is left out: the stored document is wrong, and not the uploaded model.
      throw wrong(chunk, "the document cannot be decoded");
    }
    if (!(fields.get(DATA) instanceof byte[] data)) {
      throw wrong(chunk, "the document cannot be decoded");
    }
    if (!manifest.upload().equals(fields.get(UPLOAD))) {
      throw wrong(chunk, "the document belongs to another upload");
    }
    if (data.length != length(chunk)) {
      throw wrong(chunk, "found " + data.length + " bytes, expected " + length(chunk));
    }
    if (!sha256(response.getId(), data).equals(fields.get(SHA256))) {
      throw wrong(chunk, "the bytes do not match their checksum");
    }
    whole.update(data);
    return data;
  }

  private long length(int chunk) {
    return Math.min(
        ModelStore.CHUNK_BYTES, manifest.storedBytes() - (long) chunk * ModelStore.CHUNK_BYTES);
  }

  /**
   * Checks the whole file after its last chunk.
   *
   * @throws OpenSearchStatusException (503) if the file's checksum is wrong
   */
  void end() {
    String sha256 = HexFormat.of().formatHex(whole.digest());
    if (!sha256.equals(manifest.checksums().model())) {
      throw broken(manifest, "the model's stored file differs from the uploaded file", null);
    }
  }

  /**
   * Reads a model's description from its document.
   *
   * @throws OpenSearchStatusException (503) if the document is missing or its checksum is wrong
   */
  static ModelDescription description(ModelManifest manifest, GetResponse response) {
    if (!response.isExists()) {
      throw broken(manifest, "the model's stored description is missing", null);
    }
    BytesReference source = response.getSourceAsBytesRef();
    if (!sha256(source).equals(manifest.checksums().description())) {
      throw broken(
          manifest, "the model's stored description differs from the uploaded description", null);
    }
    try {
      return ModelDescription.parse(source, XContentType.CBOR);
    } catch (RuntimeException e) {
      throw broken(manifest, "the model's stored description cannot be read", e);
    }
  }

  private OpenSearchStatusException wrong(int chunk, String what) {
    return broken(
        manifest, "stored chunk " + (chunk + 1) + " of " + manifest.chunks() + ": " + what, null);
  }

  /**
   * Returns the exception (503) for a model with missing or damaged documents.
   *
   * @param what describes the wrong document
   */
  public static OpenSearchStatusException broken(
      ModelManifest manifest, String what, @Nullable Exception cause) {
    OpenSearchStatusException failure =
        new OpenSearchStatusException(
            "model [{}]: {}; upload the same file again",
            RestStatus.SERVICE_UNAVAILABLE,
            cause,
            manifest.id(),
            what);
    failure.addMetadata(MARK, manifest.upload());
    return failure;
  }

  /** Returns whether {@link #broken} created a failure: documents are missing or damaged. */
  public static boolean isBroken(Exception failure) {
    return ExceptionsHelper.unwrapCause(failure) instanceof OpenSearchException ours
        && ours.getMetadata(MARK) != null;
  }
}

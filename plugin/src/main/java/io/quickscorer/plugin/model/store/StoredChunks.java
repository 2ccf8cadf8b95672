// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.store;

import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.model.ModelDescription;
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
 * Checks what is read of a stored model, document by document and as a whole, against what its
 * manifest says was written. For one pass over one model; not safe for use by several threads.
 */
public final class StoredChunks {
  /** Field of a chunk that has its bytes. */
  static final String DATA = "data";

  /** Field of a document that has the key of its upload. */
  static final String UPLOAD = "upload";

  /** Field of a chunk that has its {@link #sha256(String, byte[])}. */
  static final String SHA256 = "sha256";

  private static final String MARK = "opensearch.quickscorer.broken_upload";

  private final ModelManifest manifest;
  private final MessageDigest whole = newDigest();
  private int next;

  StoredChunks(ModelManifest manifest) {
    this.manifest = manifest;
  }

  /** Returns a digest of its own: {@link MessageDigests} has only one per thread. */
  private static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns a chunk's checksum. It includes the document's id, so that another chunk can't replace
   * it.
   */
  static String sha256(String id, byte[] data) {
    MessageDigest digest = MessageDigests.sha256();
    digest.update(id.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
    return HexFormat.of().formatHex(digest.digest(data));
  }

  static String sha256(BytesReference bytes) {
    MessageDigest digest = MessageDigests.sha256();
    digest.update(BytesReference.toBytes(bytes));
    return HexFormat.of().formatHex(digest.digest());
  }

  /**
   * Adds the next chunk.
   *
   * @return its bytes
   * @throws OpenSearchStatusException (503) saying which chunk is wrong and how
   */
  byte[] take(GetResponse response) {
    int chunk = next++;
    if (!response.isExists()) {
      throw wrong(chunk, "is missing", null);
    }
    Map<String, Object> fields;
    try {
      fields = Door.ownMap(XContentType.CBOR, response.getSourceAsBytesRef());
    } catch (RuntimeException e) {
      // Without its cause: the document is at fault, not the model, which an upload can write
      // again.
      throw wrong(chunk, "cannot be decoded", null);
    }
    if (!(fields.get(DATA) instanceof byte[] data)) {
      throw wrong(chunk, "cannot be decoded", null);
    }
    if (!manifest.upload().equals(fields.get(UPLOAD))) {
      throw wrong(chunk, "belongs to another upload", null);
    }
    if (data.length != length(chunk)) {
      throw wrong(chunk, "has " + data.length + " bytes, expected " + length(chunk), null);
    }
    if (!sha256(response.getId(), data).equals(fields.get(SHA256))) {
      throw wrong(chunk, "does not match its checksum", null);
    }
    whole.update(data);
    return data;
  }

  private long length(int chunk) {
    return Math.min(
        ModelStore.CHUNK_BYTES, manifest.storedBytes() - (long) chunk * ModelStore.CHUNK_BYTES);
  }

  /**
   * Checks the whole file; called after the last chunk.
   *
   * @throws OpenSearchStatusException (503) if the chunks together are not the written file
   */
  void end() {
    String sha256 = HexFormat.of().formatHex(whole.digest());
    if (!sha256.equals(manifest.checksums().model())) {
      throw broken(manifest, "its stored chunks differ from the written ones", null);
    }
  }

  /**
   * Reads the description.
   *
   * @throws OpenSearchStatusException (503) if it is not what was written
   */
  static ModelDescription description(ModelManifest manifest, GetResponse response) {
    if (!response.isExists()) {
      throw broken(manifest, "its stored description is missing", null);
    }
    BytesReference source = response.getSourceAsBytesRef();
    if (!sha256(source).equals(manifest.checksums().description())) {
      throw broken(manifest, "its stored description differs from the written one", null);
    }
    try {
      return ModelDescription.parse(source, XContentType.CBOR);
    } catch (RuntimeException e) {
      throw broken(manifest, "its stored description cannot be read", e);
    }
  }

  private OpenSearchStatusException wrong(int chunk, String what, @Nullable Exception cause) {
    return broken(
        manifest, "stored chunk " + (chunk + 1) + " of " + manifest.chunks() + " " + what, cause);
  }

  /** Returns the exception for a model whose stored form is broken. */
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

  /** Returns whether the stored form is broken, not only temporarily unavailable. */
  public static boolean isBroken(Exception failure) {
    return ExceptionsHelper.unwrapCause(failure) instanceof OpenSearchException ours
        && ours.getMetadata(MARK) != null;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.store;

import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.UploadedFile;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Bytes of an upload that are stored in chunks.
 *
 * @param prefix of the chunks' ids
 * @param kind of the chunks' documents
 * @param of what they are chunks of, for messages; empty for the model itself
 * @param length all chunks together
 * @param sha256 of all chunks together; empty if that is not known
 */
record StoredBytes(String prefix, String kind, String of, long length, String sha256) {
  /** The model in our compact form. */
  static StoredBytes model(ModelManifest manifest) {
    return new StoredBytes(
        manifest.upload() + "-", "chunk", "", manifest.storedBytes(), manifest.checksums().model());
  }

  /** The file that was uploaded, compressed. */
  static StoredBytes file(ModelManifest manifest, UploadedFile file) {
    return new StoredBytes(
        manifest.upload() + "-file-", "file", " of the uploaded file", file.storedBytes(), "");
  }

  int chunks() {
    return ModelStore.chunks(length);
  }

  /** The id of a chunk's document. */
  String id(int chunk) {
    return prefix + chunk;
  }

  /** The ids of all chunks. */
  List<String> ids() {
    return IntStream.range(0, chunks()).mapToObj(this::id).toList();
  }
}

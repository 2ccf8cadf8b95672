// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a model's description says of the file that was uploaded, where that is kept. Builds that do
 * not know it pass it on with the rest of the metadata.
 *
 * @param name under which it is given back
 * @param contentType of its bytes, whatever type the upload had to claim
 * @param bytes of the file as it was uploaded
 * @param sha256 of these bytes, in hexadecimal
 * @param storedBytes of its compressed form, all chunks together
 */
public record UploadedFile(
    String name, String contentType, long bytes, String sha256, long storedBytes) {
  /** Where it stands in a model's metadata. */
  static final String FIELD = "uploaded_file";

  private static final String NAME = "name";
  private static final String CONTENT_TYPE = "content_type";
  private static final String BYTES = "bytes";
  private static final String SHA256 = "sha256";
  private static final String STORED_BYTES = "stored_bytes";

  /** What a description says; null for a model that is stored without its file. */
  public static @Nullable UploadedFile of(ModelDescription model) {
    return model.metadata().get(FIELD) instanceof Map<?, ?> file
            && file.get(NAME) instanceof String name
            && file.get(CONTENT_TYPE) instanceof String contentType
            && file.get(BYTES) instanceof Number bytes
            && file.get(SHA256) instanceof String sha256
            && file.get(STORED_BYTES) instanceof Number storedBytes
        ? new UploadedFile(name, contentType, bytes.longValue(), sha256, storedBytes.longValue())
        : null;
  }

  Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(NAME, name);
    map.put(CONTENT_TYPE, contentType);
    map.put(BYTES, bytes);
    map.put(SHA256, sha256);
    map.put(STORED_BYTES, storedBytes);
    return map;
  }
}

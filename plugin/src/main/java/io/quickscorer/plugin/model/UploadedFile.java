// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The properties of an uploaded file, from the model's description.
 *
 * @param name the file name for a download
 * @param contentType the media type of the file's bytes; it may differ from the type of the upload
 * @param bytes the size of the file as it was uploaded
 * @param sha256 the SHA-256 of the file as it was uploaded, in hexadecimal
 */
public record UploadedFile(String name, String contentType, long bytes, String sha256) {
  /** The name of the metadata field that contains this object. */
  static final String FIELD = "uploaded_file";

  private static final String NAME = "name";
  private static final String CONTENT_TYPE = "content_type";
  private static final String BYTES = "bytes";
  private static final String SHA256 = "sha256";

  /** Returns the file that a model's metadata describe, or throws if they do not. */
  static UploadedFile of(Map<String, Object> metadata) {
    if (metadata.get(FIELD) instanceof Map<?, ?> file
        && file.get(NAME) instanceof String name
        && file.get(CONTENT_TYPE) instanceof String contentType
        && file.get(BYTES) instanceof Number bytes
        && file.get(SHA256) instanceof String sha256) {
      return new UploadedFile(name, contentType, bytes.longValue(), sha256);
    }
    throw new IllegalArgumentException("metadata: expected an object [" + FIELD + "]");
  }

  Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(NAME, name);
    map.put(CONTENT_TYPE, contentType);
    map.put(BYTES, bytes);
    map.put(SHA256, sha256);
    return map;
  }
}

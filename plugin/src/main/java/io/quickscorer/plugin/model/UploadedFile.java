// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The uploaded file according to a model's description.
 *
 * @param name for the download
 * @param contentType of its bytes, which the type of the upload may not show
 * @param bytes of the file as it was uploaded
 * @param sha256 of these bytes, in hexadecimal
 */
public record UploadedFile(String name, String contentType, long bytes, String sha256) {
  /** Its field in a model's metadata. */
  static final String FIELD = "uploaded_file";

  private static final String NAME = "name";
  private static final String CONTENT_TYPE = "content_type";
  private static final String BYTES = "bytes";
  private static final String SHA256 = "sha256";

  /**
   * Reads the description from metadata.
   *
   * @throws IllegalArgumentException if they do not
   */
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

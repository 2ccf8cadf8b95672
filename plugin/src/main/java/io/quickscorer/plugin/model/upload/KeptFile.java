// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.upload;

import io.quickscorer.plugin.model.Gzip;
import io.quickscorer.plugin.model.ModelDescription.UploadedFile;
import io.quickscorer.plugin.model.ModelFile;
import java.util.Arrays;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;

/**
 * An uploaded file in the form in which it is stored: compressed with gzip. Its name and media type
 * for a download are determined from its bytes. The media type of the upload cannot be used,
 * because the server accepts only a few.
 */
record KeptFile(UploadedFile file, BytesReference stored) {
  private static final int START_BYTES = 4096;

  /** The byte order mark: three bytes with which some programs start a text in UTF-8. */
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private enum Type {
    JSON(".json", "application/json"),
    XML(".xml", "application/xml"),
    TEXT(".txt", "text/plain; charset=UTF-8"),
    BINARY(".bin", "application/octet-stream");

    private final String suffix;
    private final String contentType;

    Type(String suffix, String contentType) {
      this.suffix = suffix;
      this.contentType = contentType;
    }
  }

  /**
   * Creates the stored form of an uploaded file.
   *
   * @param model the model's name
   * @param uploaded the uploaded bytes
   * @param plain the file, decompressed if the upload was gzip
   * @param stored the uploaded file, compressed
   */
  static KeptFile of(String model, byte[] uploaded, byte[] plain, byte[] stored) {
    Type type = typeOf(plain);
    boolean packed = Gzip.isGzip(uploaded);
    return new KeptFile(
        new UploadedFile(
            model + type.suffix + (packed ? ".gz" : ""),
            packed ? "application/gzip" : type.contentType,
            uploaded.length,
            ModelFile.sha256(uploaded)),
        new BytesArray(stored));
  }

  private static Type typeOf(byte[] plain) {
    int mark = BYTE_ORDER_MARK.length;
    boolean marked = plain.length > mark && Arrays.equals(plain, 0, mark, BYTE_ORDER_MARK, 0, mark);
    byte first = ' ';
    for (int i = marked ? mark : 0; i < Math.min(plain.length, START_BYTES); i++) {
      byte b = plain[i];
      boolean space = b == ' ' || b == '\t' || b == '\n' || b == '\f' || b == '\r';
      if (b >= 0 && b < ' ' && !space) {
        return Type.BINARY;
      }
      first = first == ' ' && !space ? b : first;
    }
    return switch (first) {
      case '{', '[' -> Type.JSON;
      case '<' -> Type.XML;
      default -> Type.TEXT;
    };
  }
}

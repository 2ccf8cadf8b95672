// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.memory;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;

/** About what a body takes when it is parsed to maps, lists, strings and numbers. */
public final class ParsedSize {
  /** A map with its table, or an entry of one with a boxed number. */
  private static final int VALUE_BYTES = 64;

  /** The parser's characters and the string made of them. */
  private static final int CHARACTER_BYTES = 3;

  /** For formats whose values are not told from their first bytes. */
  private static final int UNKNOWN_FACTOR = 20;

  private ParsedSize() {}

  /**
   * @param type the body's media type, or null where there is none
   */
  public static long bytes(@Nullable MediaType type, BytesReference body) {
    if (type != XContentType.JSON) {
      return (long) UNKNOWN_FACTOR * body.length();
    }
    return (long) CHARACTER_BYTES * body.length() + VALUE_BYTES * values(body);
  }

  private static long values(BytesReference body) {
    long values = 0;
    boolean string = false;
    boolean escaped = false;
    byte[] buffer = new byte[1 << 13];
    try (InputStream in = body.streamInput()) {
      for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
        for (int i = 0; i < read; i++) {
          byte b = buffer[i];
          if (escaped) {
            escaped = false;
          } else if (string) {
            escaped = b == '\\';
            string = b != '"';
          } else if (b == '"') {
            string = true;
          } else if (b == ',' || b == '{' || b == '[') {
            values++;
          }
        }
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("the body can't be read", e);
    }
    return values;
  }
}

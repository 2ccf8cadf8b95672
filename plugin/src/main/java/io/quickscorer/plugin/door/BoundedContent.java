// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.door;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * Writes structures from outside as bytes, bounded while they are written: a structure that is too
 * large is refused before its bytes take more memory than the bound.
 */
public final class BoundedContent {
  private BoundedContent() {}

  /** Writes one value. */
  @FunctionalInterface
  public interface Writing {
    void to(XContentBuilder builder) throws IOException;
  }

  /**
   * Writes JSON.
   *
   * @param max bytes
   * @throws IllegalArgumentException (400) if it would have more bytes
   */
  public static BytesReference json(int max, Writing writing) {
    return write(XContentType.JSON, max, writing);
  }

  /**
   * Writes CBOR.
   *
   * @param max bytes
   * @throws IllegalArgumentException (400) if it would have more bytes
   */
  public static BytesReference cbor(int max, Writing writing) {
    return write(XContentType.CBOR, max, writing);
  }

  private static BytesReference write(XContentType type, int max, Writing writing) {
    BoundedBytes bytes = new BoundedBytes(max);
    try (XContentBuilder builder = new XContentBuilder(type.xContent(), bytes)) {
      writing.to(builder);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // written to memory
    }
    return bytes.bytes();
  }

  private static final class BoundedBytes extends BytesStreamOutput {
    private final int max;

    BoundedBytes(int max) {
      this.max = max;
    }

    private void check(int more) {
      if (size() + (long) more > max) {
        throw new IllegalArgumentException("more than " + max + " bytes");
      }
    }

    @Override
    public void writeByte(byte b) {
      check(1);
      super.writeByte(b);
    }

    @Override
    public void writeBytes(byte[] from, int offset, int length) {
      check(length);
      super.writeBytes(from, offset, length);
    }
  }
}

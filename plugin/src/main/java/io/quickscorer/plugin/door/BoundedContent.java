// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.door;

import io.quickscorer.plugin.memory.MemoryCharge;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * Writes JSON and CBOR (binary JSON) with a maximum size, and throws an exception as soon as this
 * size is exceeded. All JSON and CBOR of the plugin is written by this class, except responses,
 * because the server creates their writers.
 */
public final class BoundedContent {
  /**
   * Maximum size, in bytes, of data that a node writes for itself. Such data is normally much
   * smaller.
   */
  public static final int MAX_OWN = 256 << 20;

  /** Size in bytes up to which memory is not counted. Most data is smaller. */
  private static final int FREE_BYTES = 16 << 10;

  private BoundedContent() {}

  /** Writes the content of one JSON object or array to a builder. */
  @FunctionalInterface
  public interface Writing {
    void to(XContentBuilder builder) throws IOException;
  }

  /**
   * Returns the JSON that {@code writing} produces.
   *
   * @param max the maximum size in bytes
   * @throws IllegalArgumentException (400) if the size exceeds the maximum
   */
  public static BytesReference json(int max, Writing writing) {
    return write(XContentType.JSON, new BoundedBytes(max, null), writing);
  }

  /**
   * Returns the JSON that {@code writing} produces, and reserves its memory while it grows.
   *
   * @param memory the reserved memory: twice the size of the JSON, because a growing buffer is
   *     copied; up to {@link #FREE_BYTES}, nothing is reserved. The caller closes it after the last
   *     use
   * @throws org.opensearch.core.common.breaker.CircuitBreakingException (429) if memory is short
   */
  public static BytesReference json(MemoryCharge memory, Writing writing) {
    return write(XContentType.JSON, new BoundedBytes(Integer.MAX_VALUE, memory), writing);
  }

  /**
   * Returns the CBOR that {@code writing} produces.
   *
   * @param max the maximum size in bytes
   * @throws IllegalArgumentException (400) if the size exceeds the maximum
   */
  public static BytesReference cbor(int max, Writing writing) {
    return write(XContentType.CBOR, new BoundedBytes(max, null), writing);
  }

  private static BytesReference write(XContentType type, BoundedBytes bytes, Writing writing) {
    try (XContentBuilder builder = new XContentBuilder(type.xContent(), bytes)) {
      writing.to(builder);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cannot happen: the bytes are in memory
    }
    return bytes.bytes();
  }

  private static final class BoundedBytes extends BytesStreamOutput {
    private final int max;
    private final @Nullable MemoryCharge memory;
    private long charged = FREE_BYTES;

    BoundedBytes(int max, @Nullable MemoryCharge memory) {
      this.max = max;
      this.memory = memory;
    }

    private void check(int more) {
      long size = size() + (long) more;
      if (size > max) {
        throw new IllegalArgumentException(
            "the encoded content has more than " + max + " bytes; make it smaller");
      }
      if (memory != null && size > charged) {
        memory.grow(2 * size - charged);
        charged = 2 * size;
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

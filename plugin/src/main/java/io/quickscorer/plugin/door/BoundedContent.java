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
 * Writes JSON and CBOR (binary JSON) of a limited size; larger content fails while it is written.
 * The plugin writes all JSON and CBOR by this class, except responses, whose writers the server
 * creates.
 */
public final class BoundedContent {
  /**
   * Maximum size, in bytes, of data that a node writes for itself; such data is normally much
   * smaller.
   */
  public static final int MAX_OWN = 256 << 20;

  /** Maximum size, in bytes, of content whose memory is not charged. Most content is smaller. */
  private static final int FREE_BYTES = 16 << 10;

  private BoundedContent() {}

  /** Writes the fields of one JSON object, or the items of one array, to a builder. */
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
   * Returns the JSON that {@code writing} produces, and charges its memory while it is written.
   *
   * @param memory receives the charge: nothing up to {@link #FREE_BYTES}, otherwise twice the size
   *     of the JSON, because a growing buffer is copied. The caller closes it after the last use
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
            "this JSON value takes more than "
                + max
                + " bytes as JSON or CBOR (binary JSON); make it smaller");
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

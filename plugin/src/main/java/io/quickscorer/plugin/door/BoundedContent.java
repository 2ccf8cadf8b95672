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
 * Writes JSON and CBOR, and refuses a structure as soon as it exceeds a maximum size. All JSON and
 * CBOR of the plugin is written here, except responses, whose writers the server creates.
 */
public final class BoundedContent {
  /** Maximum size, in bytes, of data that a node writes for itself; real data is much smaller. */
  public static final int MAX_OWN = 256 << 20;

  /** Structures up to this size, in bytes, are not charged. Most structures are smaller. */
  private static final int FREE_BYTES = 16 << 10;

  private BoundedContent() {}

  /** Writes the content of one structure to a JSON or CBOR builder. */
  @FunctionalInterface
  public interface Writing {
    void to(XContentBuilder builder) throws IOException;
  }

  /**
   * Writes a structure and returns it as JSON.
   *
   * @param max the maximum size in bytes
   * @throws IllegalArgumentException (400) if the size exceeds the maximum
   */
  public static BytesReference json(int max, Writing writing) {
    return write(XContentType.JSON, new BoundedBytes(max, null), writing);
  }

  /**
   * Returns a structure as JSON, and charges its memory while it grows.
   *
   * @param memory charged for twice the structure's size, because a growing buffer is copied; sizes
   *     up to {@link #FREE_BYTES} are free. The caller closes it after the last use
   * @throws org.opensearch.core.common.breaker.CircuitBreakingException (429) if memory is short
   */
  public static BytesReference json(MemoryCharge memory, Writing writing) {
    return write(XContentType.JSON, new BoundedBytes(Integer.MAX_VALUE, memory), writing);
  }

  /** Returns a structure as CBOR, with a maximum size like {@link #json(int, Writing)}. */
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

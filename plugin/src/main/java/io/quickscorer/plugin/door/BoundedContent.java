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
 * Writes structures as bytes, bounded while they are written: a structure that is too large is
 * refused before its bytes take more memory than the bound. Only this class opens writers of
 * structures; those of responses are opened by the server.
 */
public final class BoundedContent {
  /** Bytes of a structure that a node writes for itself: far above any honest one. */
  public static final int MAX_OWN = 256 << 20;

  /** Bytes that are not charged, as most structures are smaller. */
  private static final int FREE_BYTES = 16 << 10;

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
    return write(XContentType.JSON, new BoundedBytes(max, null), writing);
  }

  /**
   * Writes JSON and charges for its bytes while they are written.
   *
   * @param memory takes what is above a page, twice, as the bytes may be copied while they grow;
   *     the caller closes it if the bytes are no longer used
   * @throws org.opensearch.core.common.breaker.CircuitBreakingException (429) if it is refused
   */
  public static BytesReference json(MemoryCharge memory, Writing writing) {
    return write(XContentType.JSON, new BoundedBytes(Integer.MAX_VALUE, memory), writing);
  }

  /**
   * Writes CBOR.
   *
   * @param max bytes
   * @throws IllegalArgumentException (400) if it would have more bytes
   */
  public static BytesReference cbor(int max, Writing writing) {
    return write(XContentType.CBOR, new BoundedBytes(max, null), writing);
  }

  private static BytesReference write(XContentType type, BoundedBytes bytes, Writing writing) {
    try (XContentBuilder builder = new XContentBuilder(type.xContent(), bytes)) {
      writing.to(builder);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // written to memory
    }
    return bytes.bytes();
  }

  private static final class BoundedBytes extends BytesStreamOutput {
    private final int max;
    private final @Nullable MemoryCharge memory;
    private long paid = FREE_BYTES;

    BoundedBytes(int max, @Nullable MemoryCharge memory) {
      this.max = max;
      this.memory = memory;
    }

    private void check(int more) {
      long size = size() + (long) more;
      if (size > max) {
        throw new IllegalArgumentException(
            "the stored form has more than " + max + " bytes; make it smaller");
      }
      if (memory != null && size > paid) {
        memory.grow(2 * size - paid);
        paid = 2 * size;
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

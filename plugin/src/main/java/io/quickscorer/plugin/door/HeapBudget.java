// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.door;

import io.quickscorer.plugin.memory.MemoryCharge;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.rest.RestStatus;

/**
 * Counts the heap bytes of data before they are allocated, while the data is read. The bytes are
 * charged in blocks to a {@link MemoryCharge}, or limited, or both. Used by one thread.
 */
public final class HeapBudget {
  // The next constants are upper bounds of heap bytes on a 64-bit JVM, including growth.
  static final int LIST_BYTES = 96;
  static final int ITEM_BYTES = 16;
  static final int MAP_BYTES = 192;

  /**
   * Estimated heap bytes of a map entry, including the parser's record of the entry's name, with
   * which the parser detects duplicate names.
   */
  static final int ENTRY_BYTES = 128;

  static final int TEXT_BYTES = 56;
  static final int NUMBER_BYTES = 24;

  private static final long MIN_BLOCK = 1 << 12;
  private static final long MAX_BLOCK = 1 << 18;

  private final @Nullable MemoryCharge charge;
  private final long limit;
  private long spent;
  private long charged;

  private HeapBudget(@Nullable MemoryCharge charge, long limit) {
    this.charge = charge;
    this.limit = limit;
  }

  /**
   * Returns a budget without a limit, which charges all bytes. The caller must close {@code
   * charge}.
   */
  public static HeapBudget of(MemoryCharge charge) {
    return new HeapBudget(charge, Long.MAX_VALUE);
  }

  /** Returns a budget with a limit, which charges only the bytes after the first 4 KiB. */
  static HeapBudget abovePage(MemoryCharge charge, long limit) {
    HeapBudget budget = new HeapBudget(charge, limit);
    budget.charged = MIN_BLOCK;
    return budget;
  }

  /**
   * Returns a budget that has a limit but charges nothing, for data that is soon released and for
   * data that this node wrote.
   */
  public static HeapBudget limited(long limit) {
    return new HeapBudget(null, limit);
  }

  /**
   * Counts heap bytes before they are allocated. Fails if the limit is exceeded (413) or memory is
   * short (429).
   */
  void take(long bytes) {
    long sum = Math.addExact(spent, bytes);
    if (sum > limit) {
      throw new OpenSearchStatusException(
          String.format(
              Locale.ROOT, "the input needs more than %d bytes of memory; make it smaller", limit),
          RestStatus.REQUEST_ENTITY_TOO_LARGE);
    }
    if (charge != null && sum > charged) {
      long block = Math.clamp(sum / 8, MIN_BLOCK, MAX_BLOCK);
      long more = Math.max(sum - charged, block);
      charge.grow(more);
      charged += more;
    }
    spent = sum;
  }

  /** Stops counting bytes of data that is no longer needed. The charge remains, for later data. */
  void give(long bytes) {
    spent -= bytes;
  }

  /** Reduces the charge, which grows in blocks, to the counted bytes. */
  void settle() {
    if (charge != null) {
      charge.shrinkTo(charge.bytes() - (charged - spent));
      charged = spent;
    }
  }

  /** Returns the number of heap bytes counted so far. */
  public long spent() {
    return spent;
  }

  /**
   * Returns an upper bound of the heap bytes of a string, whose characters take one or two bytes
   * each.
   */
  static long textBytes(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0xFF) {
        return TEXT_BYTES + (long) Character.BYTES * text.length();
      }
    }
    return TEXT_BYTES + text.length();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.door;

import io.quickscorer.plugin.memory.MemoryCharge;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.rest.RestStatus;

/**
 * The bytes in the heap that structures may take as they are read, charged before they are
 * allocated: to a {@link MemoryCharge}, in blocks, or against a limit. Not for several threads.
 */
public final class HeapBudget {
  // Bytes in the heap, never less than a 64-bit JVM takes while a collection grows.
  static final int LIST_BYTES = 96;
  static final int ITEM_BYTES = 16;
  static final int MAP_BYTES = 192;

  /** An entry with its share of the table, and in the parser's set that finds duplicates. */
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
   * Returns a budget that charges {@code charge}; the caller closes the charge at the end of the
   * request.
   */
  public static HeapBudget of(MemoryCharge charge) {
    return new HeapBudget(charge, Long.MAX_VALUE);
  }

  /**
   * Returns a budget for bytes in addition to a page, charged in blocks as small as the server's
   * own, with a limit.
   */
  static HeapBudget abovePage(MemoryCharge charge, long limit) {
    HeapBudget budget = new HeapBudget(charge, limit);
    budget.charged = MIN_BLOCK;
    return budget;
  }

  /**
   * Returns a budget without a charge, for data that lives as long as its search, and for data that
   * this node wrote itself.
   */
  public static HeapBudget limited(long limit) {
    return new HeapBudget(null, limit);
  }

  /**
   * @throws OpenSearchStatusException (413) above the limit
   * @throws org.opensearch.core.common.breaker.CircuitBreakingException (429) if there is no memory
   */
  void take(long bytes) {
    long sum = Math.addExact(spent, bytes);
    if (sum > limit) {
      throw new OpenSearchStatusException(
          String.format(Locale.ROOT, "takes more than %d bytes of memory", limit),
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

  /** Returns bytes that were allocated for a moment; later charges use them first. */
  void give(long bytes) {
    spent -= bytes;
  }

  /** Releases the bytes that are charged but not spent. */
  void settle() {
    if (charge != null) {
      charge.shrinkTo(charge.bytes() - (charged - spent));
      charged = spent;
    }
  }

  /** Returns the bytes spent so far. */
  public long spent() {
    return spent;
  }

  /** Returns an upper bound for the bytes of a text, whose characters take one or two each. */
  static long textBytes(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0xFF) {
        return TEXT_BYTES + (long) Character.BYTES * text.length();
      }
    }
    return TEXT_BYTES + text.length();
  }
}

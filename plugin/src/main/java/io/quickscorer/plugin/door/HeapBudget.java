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
  private static final long LEAST_BLOCK = 1 << 12;
  private static final long LARGEST_BLOCK = 1 << 18;

  private final @Nullable MemoryCharge charge;
  private final long most;
  private long spent;
  private long charged;

  private HeapBudget(@Nullable MemoryCharge charge, long most) {
    this.charge = charge;
    this.most = most;
  }

  /** Charges to what the caller closes at the end of the request. */
  public static HeapBudget of(MemoryCharge charge) {
    return new HeapBudget(charge, Long.MAX_VALUE);
  }

  /** For what lives as long as its search, and for what this node wrote itself. */
  public static HeapBudget limited(long most) {
    return new HeapBudget(null, most);
  }

  /**
   * @throws OpenSearchStatusException (413) above the limit
   * @throws org.opensearch.core.common.breaker.CircuitBreakingException (429) if there is no memory
   */
  void take(long bytes) {
    long sum = Math.addExact(spent, bytes);
    if (sum > most) {
      throw new OpenSearchStatusException(
          String.format(Locale.ROOT, "takes more than %d bytes of memory", most),
          RestStatus.REQUEST_ENTITY_TOO_LARGE);
    }
    if (charge != null && sum > charged) {
      long block = Math.clamp(sum / 8, LEAST_BLOCK, LARGEST_BLOCK);
      long more = Math.max(sum - charged, block);
      charge.grow(more);
      charged += more;
    }
    spent = sum;
  }

  /** What was allocated for a moment; later takings use it up. */
  void give(long bytes) {
    spent -= bytes;
  }

  /** Gives back what is charged and not spent. */
  void settle() {
    if (charge != null) {
      charge.shrinkTo(charge.bytes() - (charged - spent));
      charged = spent;
    }
  }

  /** Bytes spent so far. */
  public long spent() {
    return spent;
  }
}

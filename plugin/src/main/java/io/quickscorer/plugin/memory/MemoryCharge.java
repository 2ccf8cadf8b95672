// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.memory;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.common.lease.Releasable;
import org.opensearch.core.common.breaker.CircuitBreaker;

/**
 * Bytes of memory that are charged to a circuit breaker (the server's limit on memory) until this
 * object is closed. If it is garbage-collected before that, the next charge of any request releases
 * the bytes, and logs this, except for a charge that is {@link #owned}. Safe for use by several
 * threads.
 */
public final class MemoryCharge implements Releasable {
  private static final Logger LOG = LogManager.getLogger(MemoryCharge.class);
  private static final ReferenceQueue<MemoryCharge> GONE = new ReferenceQueue<>();
  private static final Set<Taken> OPEN = ConcurrentHashMap.newKeySet();

  private final Held held;
  private final Taken taken;

  /** Refers to a charge, and enters a queue after the charge was garbage-collected. */
  private static final class Taken extends PhantomReference<MemoryCharge> {
    private final Held held;

    Taken(MemoryCharge charge) {
      super(charge, GONE);
      this.held = charge.held;
    }
  }

  /**
   * The charged bytes of a {@link MemoryCharge}. This object does not refer to the {@link
   * MemoryCharge}, which can therefore be garbage-collected.
   */
  private static final class Held {
    private final CircuitBreaker breaker;
    private final String label;
    private long bytes;
    private boolean closed;
    private volatile boolean owned;

    Held(CircuitBreaker breaker, String label) {
      this.breaker = breaker;
      this.label = label;
    }

    synchronized void add(long more, String what) {
      if (closed) {
        throw new IllegalStateException(
            "internal error: memory for "
                + what
                + " was charged after the request had ended; report this as a bug");
      }
      breaker.addEstimateBytesAndMaybeBreak(more, what);
      bytes += more;
    }

    synchronized void addTaken(long more) {
      if (!closed) {
        breaker.addWithoutBreaking(more);
        bytes += more;
      }
    }

    synchronized void shrinkTo(long kept) {
      if (kept < bytes) {
        breaker.addWithoutBreaking(kept - bytes);
        bytes = kept;
      }
    }

    synchronized long close() {
      long given = bytes;
      shrinkTo(0);
      closed = true;
      return given;
    }

    synchronized long bytes() {
      return bytes;
    }
  }

  private MemoryCharge(CircuitBreaker breaker, String label) {
    held = new Held(breaker, label);
    taken = new Taken(this);
    OPEN.add(taken);
  }

  /**
   * Returns a charge of 0 bytes.
   *
   * @param label the purpose of the memory, for messages
   */
  public static MemoryCharge none(CircuitBreaker breaker, String label) {
    return new MemoryCharge(breaker, label);
  }

  /**
   * Charges bytes before they are allocated.
   *
   * @param label the purpose of the memory, for messages
   * @throws org.opensearch.core.common.breaker.CircuitBreakingException (429) if the limit would be
   *     exceeded
   */
  public static MemoryCharge take(CircuitBreaker breaker, long bytes, String label) {
    MemoryCharge charge = new MemoryCharge(breaker, label);
    try {
      charge.add(bytes, label);
      return charge;
    } catch (RuntimeException e) {
      charge.close();
      throw e;
    }
  }

  /** Charges bytes even if the limit is exceeded, for memory that must be allocated. */
  public static MemoryCharge takeAnyway(CircuitBreaker breaker, long bytes, String label) {
    MemoryCharge charge = new MemoryCharge(breaker, label);
    charge.addTaken(bytes);
    return charge;
  }

  /**
   * Charges more bytes.
   *
   * @param what the purpose of the memory, for messages
   * @throws org.opensearch.core.common.breaker.CircuitBreakingException (429) if the limit would be
   *     exceeded; then nothing changes
   * @throws IllegalStateException if this object is closed
   */
  void add(long more, String what) {
    releaseCollected();
    held.add(more, what);
  }

  /**
   * Returns this charge, and does not log if it is garbage-collected before it is closed. Used for
   * a part of a request that the server may drop without calling the plugin. The part refers to the
   * charge of its memory, so that both are garbage-collected together.
   */
  public MemoryCharge owned() {
    held.owned = true;
    return this;
  }

  private static void releaseCollected() {
    for (Reference<?> gone = GONE.poll(); gone != null; gone = GONE.poll()) {
      OPEN.remove(gone);
      Held held = ((Taken) gone).held;
      long given = held.close();
      if (!held.owned && given > 0) {
        LOG.warn(
            "{} bytes charged for {} were not released when the request ended; released now",
            given,
            held.label);
      }
    }
  }

  /**
   * Charges more bytes, for the same purpose as before.
   *
   * @throws org.opensearch.core.common.breaker.CircuitBreakingException (429) if the limit would be
   *     exceeded; then nothing changes
   */
  public void grow(long more) {
    add(more, held.label);
  }

  /**
   * Charges bytes that are already allocated, even above the limit; ignored after {@link #close}.
   */
  void addTaken(long more) {
    held.addTaken(more);
  }

  /**
   * Sets the number of charged bytes.
   *
   * @throws org.opensearch.core.common.breaker.CircuitBreakingException (429) if the limit would be
   *     exceeded
   */
  public synchronized void resize(long newBytes) {
    long more = newBytes - bytes();
    if (more > 0) {
      add(more, held.label);
    } else {
      shrinkTo(newBytes);
    }
  }

  /** Reduces the charged bytes to {@code remaining}; does nothing if fewer bytes are charged. */
  public void shrinkTo(long remaining) {
    held.shrinkTo(Math.max(0, remaining));
  }

  public long bytes() {
    return held.bytes();
  }

  @Override
  public synchronized void close() {
    held.close();
    OPEN.remove(taken);
  }
}

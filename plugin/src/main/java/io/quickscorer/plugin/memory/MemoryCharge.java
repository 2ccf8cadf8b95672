// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.memory;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lease.Releasable;
import org.opensearch.core.common.breaker.CircuitBreaker;

/**
 * Bytes of memory that are charged to a circuit breaker (the server's limit on memory) until this
 * object is closed. If it is garbage-collected before that, the next charge of any request releases
 * the bytes, and logs this. Safe for use by several threads.
 */
public final class MemoryCharge implements Releasable {
  private static final Logger LOG = LogManager.getLogger(MemoryCharge.class);
  private static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();
  private static final Set<Owner> OWNERS = ConcurrentHashMap.newKeySet();

  private final Held held;
  private final Owner self;
  private @Nullable Owner owner;

  /** Refers to the owner of a charge, and enters a queue after the owner was garbage-collected. */
  private static final class Owner extends PhantomReference<Object> {
    private final Held held;
    private final boolean forgets;

    Owner(Object owner, Held held, boolean forgets) {
      super(owner, GONE);
      this.held = held;
      this.forgets = forgets;
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
    self = new Owner(this, held, true);
    OWNERS.add(self);
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
   * Releases the bytes after {@code newOwner} was garbage-collected, at the next charge of any
   * request. Used for requests that the server may drop without calling the plugin.
   */
  public void closeAfter(Holder newOwner) {
    newOwner.hold(this);
    synchronized (this) {
      owner = new Owner(newOwner, held, false);
      OWNERS.add(owner);
      OWNERS.remove(self);
    }
  }

  /** A part of a request that stores the charge of its memory until the search's end. */
  public interface Holder {
    void hold(MemoryCharge charge);
  }

  private static void releaseCollected() {
    for (Reference<?> gone = GONE.poll(); gone != null; gone = GONE.poll()) {
      Owner owner = (Owner) gone;
      OWNERS.remove(owner);
      long given = owner.held.close();
      if (owner.forgets && given > 0) {
        LOG.warn(
            "{} bytes charged for {} were not released when the request ended; released now",
            given,
            owner.held.label);
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
    OWNERS.remove(self);
    if (owner != null) {
      OWNERS.remove(owner);
    }
  }
}

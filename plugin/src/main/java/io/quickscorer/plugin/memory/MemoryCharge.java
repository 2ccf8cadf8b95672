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
 * Bytes taken from a circuit breaker until they are given back, once. Bytes that are not given back
 * any more, because nothing refers to the charge, are given back when memory is taken next, and
 * logged. Safe for use by several threads.
 */
public final class MemoryCharge implements Releasable {
  private static final Logger LOG = LogManager.getLogger(MemoryCharge.class);
  private static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();
  private static final Set<Owner> OWNERS = ConcurrentHashMap.newKeySet();

  private final Held held;
  private final Owner self;
  private @Nullable Owner owner;

  /** An object for which memory was taken, as long as it is referred to. */
  private static final class Owner extends PhantomReference<Object> {
    private final Held held;
    private final boolean forgets;

    Owner(Object owner, Held held, boolean forgets) {
      super(owner, GONE);
      this.held = held;
      this.forgets = forgets;
    }
  }

  /** The taken bytes. Does not refer to the charge, so that a lost charge is detected. */
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
        throw new IllegalStateException(what + ": the request has already ended");
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

  /** Holds nothing yet. */
  public static MemoryCharge none(CircuitBreaker breaker, String label) {
    return new MemoryCharge(breaker, label);
  }

  /**
   * Takes bytes before they are allocated.
   *
   * @param label the purpose, which messages of a failure contain
   * @throws org.opensearch.core.common.breaker.CircuitBreakingException (429) if the memory is not
   *     available
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

  /** Charges bytes without a check of the limit, for memory that is needed in any case. */
  public static MemoryCharge takeAnyway(CircuitBreaker breaker, long bytes, String label) {
    MemoryCharge charge = new MemoryCharge(breaker, label);
    charge.addTaken(bytes);
    return charge;
  }

  /**
   * Takes more.
   *
   * @throws org.opensearch.core.common.breaker.CircuitBreakingException (429) if they are not to be
   *     had; then nothing changes
   * @throws IllegalStateException if it is closed: what it was for is over
   */
  void add(long more, String what) {
    closeThoseOfGoneOwners();
    held.add(more, what);
  }

  /**
   * Gives it back when nothing refers to its owner any more: a request that the server drops before
   * any of our code is notified of its end. That is seen when memory is taken next.
   */
  public synchronized void closeAfter(Object newOwner) {
    owner = new Owner(newOwner, held, false);
    OWNERS.add(owner);
    OWNERS.remove(self);
  }

  private static void closeThoseOfGoneOwners() {
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

  /** Adds bytes like {@link #add}, under the charge's own label. */
  public void grow(long more) {
    add(more, held.label);
  }

  /**
   * Charges memory that is already allocated, so that this can't fail; does nothing if the charge
   * is closed.
   */
  void addTaken(long more) {
    held.addTaken(more);
  }

  /**
   * Changes the charge to this number of bytes. Only an increase can fail, and then nothing
   * changes.
   *
   * @throws org.opensearch.core.common.breaker.CircuitBreakingException (429) if it fails
   */
  public synchronized void resize(long newBytes) {
    long more = newBytes - bytes();
    if (more > 0) {
      add(more, held.label);
    } else {
      shrinkTo(newBytes);
    }
  }

  /** Releases all but this many bytes. */
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

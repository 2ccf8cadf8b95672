// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.memory;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lease.Releasable;
import org.opensearch.core.common.breaker.CircuitBreaker;

/**
 * Bytes taken from a circuit breaker until they are given back, once. Safe for use by several
 * threads.
 */
public final class MemoryCharge implements Releasable {
  private static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();
  private static final Set<Owner> OWNERS = ConcurrentHashMap.newKeySet();

  private final CircuitBreaker breaker;
  private final String label;
  private @Nullable Owner owner;
  private long bytes;
  private boolean closed;

  /** An object for which memory was taken, as long as it is referred to. */
  private static final class Owner extends PhantomReference<Object> {
    private final MemoryCharge charge;

    Owner(Object owner, MemoryCharge charge) {
      super(owner, GONE);
      this.charge = charge;
    }
  }

  private MemoryCharge(CircuitBreaker breaker, String label) {
    this.breaker = breaker;
    this.label = label;
  }

  /** Holds nothing yet. */
  public static MemoryCharge none(CircuitBreaker breaker, String label) {
    return new MemoryCharge(breaker, label);
  }

  /**
   * Takes bytes before they are allocated.
   *
   * @param label what they are for; stands in the message of a refusal
   * @throws org.opensearch.core.common.breaker.CircuitBreakingException (429) if they are not to be
   *     had
   */
  public static MemoryCharge take(CircuitBreaker breaker, long bytes, String label) {
    MemoryCharge charge = new MemoryCharge(breaker, label);
    charge.add(bytes, label);
    return charge;
  }

  /** The same without asking: for what must be had. */
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
    synchronized (this) {
      if (closed) {
        throw new IllegalStateException(what + ": the request is over");
      }
      breaker.addEstimateBytesAndMaybeBreak(more, what);
      bytes += more;
    }
  }

  /**
   * Gives it back when nothing refers to its owner any more: a request that the server drops before
   * any of our code hears of its end. That is seen when memory is taken next.
   */
  public synchronized void closeAfter(Object newOwner) {
    owner = new Owner(newOwner, this);
    OWNERS.add(owner);
  }

  private static void closeThoseOfGoneOwners() {
    for (Reference<?> gone = GONE.poll(); gone != null; gone = GONE.poll()) {
      ((Owner) gone).charge.close();
    }
  }

  /** As {@link #add}, for what the charge is for. */
  public void grow(long more) {
    add(more, label);
  }

  /** Takes what is allocated already, and so can't be refused; nothing if it is closed. */
  synchronized void addTaken(long more) {
    if (!closed) {
      breaker.addWithoutBreaking(more);
      bytes += more;
    }
  }

  /**
   * Makes it that many bytes; only growing can be refused, and then nothing changes.
   *
   * @throws org.opensearch.core.common.breaker.CircuitBreakingException (429) if it is refused
   */
  public synchronized void resize(long newBytes) {
    if (newBytes > bytes) {
      add(newBytes - bytes, label);
    } else {
      shrinkTo(newBytes);
    }
  }

  /** Gives back all but this many bytes. */
  public synchronized void shrinkTo(long remaining) {
    long kept = Math.max(0, remaining);
    if (kept < bytes) {
      breaker.addWithoutBreaking(kept - bytes);
      bytes = kept;
    }
  }

  public synchronized long bytes() {
    return bytes;
  }

  @Override
  public synchronized void close() {
    shrinkTo(0);
    closed = true;
    if (owner != null) {
      OWNERS.remove(owner);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.plugin.memory.MemoryCharge;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.opensearch.common.util.concurrent.AbstractRefCounted;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;

/**
 * Caches values that are computed from models, such as importances of features. The memory of a
 * value is charged at the circuit breaker for models, from before its creation until its last use
 * ends. All values together take at most {@link #SHARE} of the breaker's limit, and are removed if
 * models need the memory. Safe for use by several threads; two threads may create the same value at
 * the same time.
 */
public final class DerivedCache<K, V> {
  private static final int MAX_ENTRIES = 8;

  /** The maximum fraction of the circuit breaker's limit that one cache may use. */
  private static final double SHARE = 0.25;

  private final Supplier<ModelBreaker> breaker;
  private final Predicate<K> live;
  private final ToLongFunction<V> bytes;
  private final Consumer<V> closer;
  private final Map<K, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * Creates an empty cache.
   *
   * @param breaker returns the circuit breaker that limits the models' memory
   * @param live returns whether the model of a key still exists; if not, {@link #purge} removes the
   *     key's value
   * @param bytes returns the size of a value in bytes
   * @param closer closes a value after its last use
   */
  public DerivedCache(
      Supplier<ModelBreaker> breaker,
      Predicate<K> live,
      ToLongFunction<V> bytes,
      Consumer<V> closer) {
    this.breaker = breaker;
    this.live = live;
    this.bytes = bytes;
    this.closer = closer;
  }

  private final class Entry extends AbstractRefCounted {
    private final V value;
    private final MemoryCharge memory;

    Entry(V value, MemoryCharge memory) {
      super("derived from a model");
      this.value = value;
      this.memory = memory;
    }

    @Override
    protected void closeInternal() {
      closer.accept(value);
      memory.close();
    }
  }

  /**
   * Calls a function with the value for a key. If the value is not cached, creates it first.
   *
   * @param estimate the number of bytes to charge before the value is created
   * @param make creates the value
   * @param body the function to call
   * @throws CircuitBreakingException (429) if memory is short
   */
  public <R> R use(K key, long estimate, Supplier<V> make, Function<V, R> body) {
    Entry entry = acquire(key, estimate, make);
    try {
      return body.apply(entry.value);
    } finally {
      entry.decRef();
    }
  }

  private Entry acquire(K key, long estimate, Supplier<V> make) {
    synchronized (entries) {
      Entry known = entries.get(key);
      if (known != null) {
        known.incRef();
        return known;
      }
    }
    Entry made = make(estimate, make);
    made.incRef();
    List<Entry> dropped = new ArrayList<>();
    synchronized (entries) {
      dropStale(dropped);
      Entry former = entries.put(key, made);
      if (former != null) {
        dropped.add(former);
      }
      if (entries.size() > MAX_ENTRIES) {
        Iterator<Entry> eldest = entries.values().iterator();
        dropped.add(eldest.next());
        eldest.remove();
      }
    }
    dropped.forEach(Entry::decRef);
    if (!live.test(key)) {
      // The model was removed while the value was created, after the last purge.
      purge();
    }
    return made;
  }

  private Entry make(long estimate, Supplier<V> make) {
    MemoryCharge memory = reserve(estimate);
    V made = null;
    try {
      made = make.get();
      memory.resize(bytes.applyAsLong(made));
      return new Entry(made, memory);
    } catch (RuntimeException e) {
      if (made != null) {
        closer.accept(made);
      }
      memory.close();
      throw e;
    }
  }

  /**
   * Charges the memory of a new value. If the cache would be too large, removes the values that
   * were not used for the longest time.
   */
  private MemoryCharge reserve(long estimate) {
    CircuitBreaker of = breaker.get().breaker();
    long max = of.getLimit() < 0 ? Long.MAX_VALUE : (long) (of.getLimit() * SHARE);
    if (estimate > max) {
      throw new CircuitBreakingException(
          "["
              + of.getName()
              + "] the cached data of a model would need ["
              + estimate
              + "] bytes, but the limit of the cache is ["
              + max
              + "] bytes",
          estimate,
          max,
          CircuitBreaker.Durability.PERMANENT);
    }
    dropDownTo(max - estimate);
    return breaker.get().reserve(estimate, "<derived from a model>");
  }

  private void dropDownTo(long max) {
    List<Entry> dropped = new ArrayList<>();
    synchronized (entries) {
      long kept = entries.values().stream().mapToLong(entry -> entry.memory.bytes()).sum();
      Iterator<Entry> eldest = entries.values().iterator();
      while (kept > max && eldest.hasNext()) {
        Entry entry = eldest.next();
        kept -= entry.memory.bytes();
        dropped.add(entry);
        eldest.remove();
      }
    }
    dropped.forEach(Entry::decRef);
  }

  /** Removes the values whose models no longer exist; closes each value after its last use. */
  public void purge() {
    List<Entry> dropped = new ArrayList<>();
    synchronized (entries) {
      dropStale(dropped);
    }
    dropped.forEach(Entry::decRef);
  }

  /** Returns whether a value is in the cache. A removed value may still be in use. */
  public boolean keeps(V value) {
    synchronized (entries) {
      return entries.values().stream().anyMatch(entry -> entry.value.equals(value));
    }
  }

  private void dropStale(List<Entry> dropped) {
    entries.entrySet().removeIf(old -> !live.test(old.getKey()) && dropped.add(old.getValue()));
  }

  /** Removes all values. A value that is in use is closed after its last use. */
  public void clear() {
    List<Entry> dropped;
    synchronized (entries) {
      dropped = List.copyOf(entries.values());
      entries.clear();
    }
    dropped.forEach(Entry::decRef);
  }
}

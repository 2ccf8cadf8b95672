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
 * The last few things of one kind that were derived from models on this node, charged to the
 * models' breaker from before they are made until their last use is over. They take no more than a
 * share of it, and go when models need the memory. Safe for use by several threads, which may make
 * the same thing twice.
 */
public final class DerivedCache<K, V> {
  private static final int MAX_ENTRIES = 8;

  /** The share of the models' memory that one cache may keep or make. */
  private static final double SHARE = 0.25;

  private final Supplier<ModelBreaker> breaker;
  private final Predicate<K> live;
  private final ToLongFunction<V> bytes;
  private final Consumer<V> closer;
  private final Map<K, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param live whether a key's model is still there; others are dropped by the next purge or when
   *     something is made
   * @param bytes what a made thing takes
   * @param closer called after the last use
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
   * Uses what is derived under a key, which is made if it is not there.
   *
   * @param estimate bytes to reserve before it is made
   * @throws CircuitBreakingException (429) if there is no memory
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
      // It went while this was made: the purge that came with that has not seen it.
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

  /** Reserves memory for a new value. The eldest values are dropped if the cache is full. */
  private MemoryCharge reserve(long estimate) {
    CircuitBreaker of = breaker.get().breaker();
    long max = of.getLimit() < 0 ? Long.MAX_VALUE : (long) (of.getLimit() * SHARE);
    if (estimate > max) {
      throw new CircuitBreakingException(
          "["
              + of.getName()
              + "] data derived from a model would take ["
              + estimate
              + "] bytes, more than its share of ["
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

  /** Drops what is not live; what is in use stays until that is over. */
  public void purge() {
    List<Entry> dropped = new ArrayList<>();
    synchronized (entries) {
      dropStale(dropped);
    }
    dropped.forEach(Entry::decRef);
  }

  /** Returns whether a value is in the cache. A dropped value may still be in use. */
  public boolean keeps(V value) {
    synchronized (entries) {
      return entries.values().stream().anyMatch(entry -> entry.value.equals(value));
    }
  }

  private void dropStale(List<Entry> dropped) {
    entries.entrySet().removeIf(old -> !live.test(old.getKey()) && dropped.add(old.getValue()));
  }

  /** Drops everything; what is in use stays until that is over. */
  public void clear() {
    List<Entry> dropped;
    synchronized (entries) {
      dropped = List.copyOf(entries.values());
      entries.clear();
    }
    dropped.forEach(Entry::decRef);
  }
}

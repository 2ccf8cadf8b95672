// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Engines' buffers that wait for the next window of their model, the last few of this node: a
 * window would allocate more for them than for its values. Charged to the models' breaker while
 * they wait. Safe for use by several threads.
 */
final class IdleScratches {
  /** As many as windows that are likely to be scored at once. */
  private static final int MAX_KEPT = Math.max(4, Runtime.getRuntime().availableProcessors());

  /** Larger ones are cheap beside what is done with them. */
  private static final long MAX_BYTES = 1 << 20;

  private final Supplier<ModelBreaker> breaker;
  private final Predicate<ModelId> live;

  /** The one that was used last comes first. */
  private final Deque<Idle> kept = new ArrayDeque<>();

  private record Idle(ModelId model, EnsembleScorer scorer, Scratch scratch, MemoryCharge charge) {}

  /**
   * @param live whether a version is still on this node
   */
  IdleScratches(Supplier<ModelBreaker> breaker, Predicate<ModelId> live) {
    this.breaker = breaker;
    this.live = live;
  }

  /** Buffers for one window, for the caller alone. */
  @SuppressWarnings("ReferenceEquality") // buffers belong to that very scorer
  Scratch take(EnsembleScorer scorer) {
    synchronized (kept) {
      for (Iterator<Idle> each = kept.iterator(); each.hasNext(); ) {
        Idle idle = each.next();
        if (idle.scorer == scorer) {
          each.remove();
          idle.charge.close();
          return idle.scratch;
        }
      }
    }
    return scorer.newScratch();
  }

  /** Keeps buffers with which a window was scored to its end; others may hold anything. */
  void keep(ModelId model, EnsembleScorer scorer, Scratch scratch) {
    long bytes = scratch.bytes();
    if (bytes > MAX_BYTES) {
      return;
    }
    // It is allocated already, and there are few: it makes way once a model needs the memory.
    MemoryCharge charge =
        MemoryCharge.takeAnyway(breaker.get().breaker(), bytes, "<idle buffers of an engine>");
    synchronized (kept) {
      kept.addFirst(new Idle(model, scorer, scratch, charge));
      if (kept.size() > MAX_KEPT) {
        kept.removeLast().charge.close();
      }
    }
    if (!live.test(model)) {
      purge();
    }
  }

  /** Drops those of versions that are gone. */
  void purge() {
    drop(idle -> !live.test(idle.model));
  }

  /** Drops all. */
  void clear() {
    drop(idle -> true);
  }

  private void drop(Predicate<Idle> which) {
    synchronized (kept) {
      kept.removeIf(
          idle -> {
            boolean dropped = which.test(idle);
            if (dropped) {
              idle.charge.close();
            }
            return dropped;
          });
    }
  }
}

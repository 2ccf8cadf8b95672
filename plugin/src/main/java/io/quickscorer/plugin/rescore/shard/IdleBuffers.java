// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A pool of buffers that searches use one after the other: temporary arrays of engines (scoring
 * algorithms), by model, and matrices of feature values, by number of features. The last few of
 * each kind stay in the pool, and their bytes are charged to the circuit breaker for models. Safe
 * for use by several threads.
 */
final class IdleBuffers {
  /**
   * Maximum number of pooled buffers of one kind, about one per search that scores at the same
   * time.
   */
  private static final int MAX_KEPT = Math.max(4, Runtime.getRuntime().availableProcessors());

  /**
   * Maximum bytes of a pooled buffer. Larger buffers are not pooled, because their allocation takes
   * little time compared to their use.
   */
  private static final long MAX_BYTES = 1 << 20;

  private final Supplier<ModelBreaker> breaker;
  private final Kept<OfEngine> scratches;
  private final Kept<FeatureMatrix> matrices;

  private record OfEngine(EnsembleScorer scorer, Scratch scratch) {}

  private record Idle<T>(ModelId model, T buffer, MemoryCharge charge) {}

  /**
   * Creates an empty pool.
   *
   * @param isLoaded returns whether a version of a model is on this node
   * @param scores returns whether a version of a model is still scored by this engine; if not, the
   *     engine's buffers are removed
   */
  IdleBuffers(
      Supplier<ModelBreaker> breaker,
      Predicate<ModelId> isLoaded,
      BiPredicate<ModelId, EnsembleScorer> scores) {
    this.breaker = breaker;
    this.scratches =
        new Kept<>("<idle buffers of an engine>", (model, of) -> scores.test(model, of.scorer));
    this.matrices = new Kept<>("<idle matrix of a window>", (model, of) -> isLoaded.test(model));
  }

  private final class Kept<T> {
    private final String label;
    private final BiPredicate<ModelId, T> live;

    /** The buffers in the pool, the last used one first. */
    private final Deque<Idle<T>> kept = new ArrayDeque<>();

    Kept(String label, BiPredicate<ModelId, T> live) {
      this.label = label;
      this.live = live;
    }

    synchronized @Nullable T take(Predicate<T> fits) {
      for (Iterator<Idle<T>> each = kept.iterator(); each.hasNext(); ) {
        Idle<T> idle = each.next();
        if (fits.test(idle.buffer)) {
          each.remove();
          idle.charge.close();
          return idle.buffer;
        }
      }
      return null;
    }

    void keep(ModelId model, T buffer, long bytes) {
      // An empty buffer, which a stage without features of its own has, would replace a useful one.
      if (bytes == 0 || bytes > MAX_BYTES) {
        return;
      }
      // The memory is already allocated, so it is counted even above the limit. If a model needs
      // the memory, these buffers are removed.
      add(
          new Idle<>(
              model, buffer, MemoryCharge.takeAnyway(breaker.get().breaker(), bytes, label)));
      if (!live.test(model, buffer)) {
        purge();
      }
    }

    private synchronized void add(Idle<T> idle) {
      kept.addFirst(idle);
      if (kept.size() > MAX_KEPT) {
        kept.removeLast().charge.close();
      }
    }

    void purge() {
      drop(idle -> !live.test(idle.model, idle.buffer));
    }

    synchronized void drop(Predicate<Idle<T>> which) {
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

  /** Returns temporary arrays of an engine, for one search: those in the pool, or new ones. */
  @SuppressWarnings("ReferenceEquality") // buffers belong to one scorer object
  Scratch takeScratch(EnsembleScorer scorer) {
    OfEngine idle = scratches.take(of -> of.scorer == scorer);
    return idle == null ? scorer.newScratch() : idle.scratch;
  }

  /**
   * Puts temporary arrays into the pool. Called only after all scores were computed, because an
   * interruption may leave the arrays in any state.
   */
  void keep(ModelId model, EnsembleScorer scorer, Scratch scratch) {
    scratches.keep(model, new OfEngine(scorer, scratch), scratch.bytes());
  }

  /** Returns a matrix filled with zeros, for one search: one from the pool, or a new one. */
  FeatureMatrix takeMatrix(int features, int documents) {
    long cells = FeatureMatrix.cells(features, documents);
    FeatureMatrix idle =
        matrices.take(of -> of.features() == features && of.values().length >= cells);
    if (idle == null) {
      return new FeatureMatrix(features, documents);
    }
    idle.reset(documents);
    Arrays.fill(idle.values(), 0, (int) cells, 0);
    return idle;
  }

  /** Puts a matrix, which a model has scored, into the pool. */
  void keep(ModelId model, FeatureMatrix matrix) {
    matrices.keep(model, matrix, (long) matrix.values().length * Float.BYTES);
  }

  /** Removes the buffers of models that are not on this node, and of engines no longer in use. */
  void purge() {
    scratches.purge();
    matrices.purge();
  }

  void clear() {
    scratches.drop(idle -> true);
    matrices.drop(idle -> true);
  }
}

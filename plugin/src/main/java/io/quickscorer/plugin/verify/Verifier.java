// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.verify;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.plugin.stats.Measure.Verify;
import io.quickscorer.plugin.stats.VerifyStats;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.io.Closeable;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.threadpool.ExecutorBuilder;
import org.opensearch.threadpool.FixedExecutorBuilder;

/**
 * Verifies scores: for a fraction of the searches, the reference engine (the simplest scoring
 * algorithm) computes the scores again. If an engine computed wrong scores for a model, it is no
 * longer used for this model. A search thread only copies the scored hits, and never waits. If the
 * verification fails, the search does not fail. There is one verifier per node. Safe for use by
 * several threads.
 *
 * <p>The first hit lists (windows) of each version and engine are always verified, unless the
 * fraction is 0. A window whose documents are scored in several blocks counts as several windows.
 *
 * <p>If the scores differ, the reference engine runs again, and so does an independent engine
 * without common code. An engine is no longer used if its scores differ from the scores of both
 * runs. Two runs are needed because the JVM may also compile the code of the reference engine
 * wrong.
 */
public final class Verifier implements Closeable {
  /** The name of the thread pool that computes scores again to verify them. */
  public static final String THREAD_POOL = "quickscorer_verify";

  /** Number of threads of the pool: one, so that the verification uses at most one processor. */
  private static final int THREADS = 1;

  /** Maximum number of samples that wait for the verification. Each takes at most 4 MiB. */
  private static final int QUEUE = 32;

  /**
   * Number of hit lists that are always verified for each version of a model and each engine
   * (scoring algorithm), unless the verification is off.
   */
  static final int FIRST = 3;

  /** Maximum number of counters in {@link #firsts}. If it is reached, all counters are removed. */
  private static final int MAX_CHOICES = 10_000;

  private static final Logger LOGGER = LogManager.getLogger(Verifier.class);

  private final ModelLookup models;
  private final ModelBreaker breaker;
  private final VerifyStats stats;
  private final ExecutorService executor;
  private final References references;

  /**
   * For each version of a model and each engine (scoring algorithm), how many of the first hit
   * lists must still be verified.
   */
  private final Map<Choice, AtomicInteger> firsts = new ConcurrentHashMap<>();

  /** The results of the verification that were already logged, so that each is logged only once. */
  private final Set<Finding> logged = ConcurrentHashMap.newKeySet();

  private volatile double share;
  private volatile boolean closed;

  private record Choice(ModelId id, Algorithm engine) {}

  /**
   * A result of the verification, for the log.
   *
   * @param what the name of the engine that computed wrong scores; or {@code reference} if the
   *     reference engine itself may be wrong; or {@code failure} if the verification failed with an
   *     exception
   */
  private record Finding(ModelId id, String what) {}

  /**
   * Creates the verifier of a node.
   *
   * @param executor runs the verification; it rejects samples by an {@link
   *     OpenSearchRejectedExecutionException} if its queue is full
   * @param share the fraction of hit lists to verify, 0 to 1
   */
  public Verifier(
      ModelLookup models,
      ModelBreaker breaker,
      VerifyStats stats,
      ExecutorService executor,
      double share) {
    this.models = models;
    this.breaker = breaker;
    this.stats = stats;
    this.executor = executor;
    this.share = share;
    this.references = new References(breaker, models::isLoaded);
  }

  /** Returns the builder of the thread pool that verifies scores. */
  public static ExecutorBuilder<?> executor(Settings settings) {
    return new FixedExecutorBuilder(
        settings, THREAD_POOL, THREADS, QUEUE, "thread_pool." + THREAD_POOL);
  }

  /** Sets the fraction of hit lists to verify, 0 to 1. If it is 0, none are verified. */
  public void setShare(double newShare) {
    share = newShare;
  }

  /**
   * Decides at random whether the scores of a list of documents are verified. If yes, copies the
   * list; the verification runs later. Must be called on the thread that has just computed the
   * scores.
   *
   * @param scratch the temporary arrays with which the scores were computed
   * @param scores the raw scores
   */
  public void offer(
      ModelId id, EnsembleScorer scorer, Scratch scratch, FeatureMatrix matrix, double[] scores) {
    double taken = share;
    if (taken == 0 || closed || matrix.documents() == 0) {
      return;
    }
    try {
      offer(id, scorer, scratch.lastEngine(), matrix, scores, taken);
    } catch (RuntimeException e) {
      failed(id, e);
    }
  }

  private void offer(
      ModelId id,
      EnsembleScorer scorer,
      @Nullable Algorithm last,
      FeatureMatrix matrix,
      double[] scores,
      double taken) {
    Algorithm engine = last == null ? scorer.algorithm() : last;
    AtomicInteger first = first(new Choice(id, engine));
    boolean isFirst = first.get() > 0 && first.getAndDecrement() > 0;
    if (!isFirst && ThreadLocalRandom.current().nextDouble() >= taken) {
      return;
    }
    if (!take(id, engine, scorer.ensemble().trees().size(), matrix, scores) && isFirst) {
      first.incrementAndGet();
    }
  }

  private AtomicInteger first(Choice choice) {
    AtomicInteger first = firsts.get(choice);
    if (first == null) {
      if (firsts.size() >= MAX_CHOICES) {
        firsts.clear();
      }
      first = firsts.computeIfAbsent(choice, c -> new AtomicInteger(FIRST));
    }
    return first;
  }

  /**
   * Copies a sample of scored documents and adds it to the queue. Returns false if the queue is
   * full or memory is short; then the sample is not verified.
   */
  private boolean take(
      ModelId id, Algorithm engine, int trees, FeatureMatrix matrix, double[] scores) {
    if (isFull()) {
      stats.count(Verify.DROPPED_QUEUE);
      return false;
    }
    Sample sample;
    try {
      sample =
          Sample.copy(
              breaker.breaker(), id, engine, trees, matrix, scores, ThreadLocalRandom.current());
    } catch (CircuitBreakingException e) {
      stats.count(Verify.DROPPED_MEMORY);
      return false;
    }
    try {
      executor.execute(() -> verify(sample));
      return true;
    } catch (OpenSearchRejectedExecutionException e) {
      sample.close();
      stats.count(Verify.DROPPED_QUEUE);
      return false;
    }
  }

  private boolean isFull() {
    return executor instanceof ThreadPoolExecutor pool && pool.getQueue().remainingCapacity() == 0;
  }

  private void verify(Sample sample) {
    long start = System.nanoTime();
    try (sample;
        ModelLookup.ModelUse use = acquire(sample.id())) {
      if (use == null) {
        stats.count(Verify.DROPPED_MODEL);
      } else {
        Guard.run(() -> "a window", () -> verify(sample, use.model()));
      }
    } catch (CircuitBreakingException e) {
      stats.count(Verify.DROPPED_MEMORY);
    } catch (RuntimeException e) {
      failed(sample.id(), e);
    } finally {
      stats.took(System.nanoTime() - start);
    }
  }

  private void failed(ModelId id, RuntimeException failure) {
    stats.count(Verify.FAILURES);
    if (logged.add(new Finding(id, "failure"))) {
      LOGGER.error("scores of model [{}] could not be verified", id, failure);
    }
  }

  private ModelLookup.@Nullable ModelUse acquire(ModelId id) {
    try {
      return closed ? null : models.acquire(id);
    } catch (OpenSearchStatusException e) {
      return null;
    }
  }

  private void verify(Sample sample, CompiledModel model) {
    double[] expected = references.score(model, sample);
    int wrong = Mismatch.same(expected, sample.scores()) ? 0 : judge(sample, model, expected);
    stats.verified(sample.id(), expected.length, wrong);
    if (wrong > 0) {
      models.quarantine(sample.id(), sample.engine());
    }
  }

  /**
   * Checks a sample whose scores differ from those of the reference engine. Runs the reference
   * engine again, and also an independent engine. Logs and returns the number of wrong scores.
   */
  private int judge(Sample sample, CompiledModel model, double[] expected) {
    Mismatch mismatch =
        new Mismatch(
            sample,
            expected,
            references.score(model, sample),
            references.independent(model, sample));
    ModelId id = sample.id();
    Algorithm engine = sample.engine();
    int wrong = mismatch.wrong();
    if (mismatch.isDisagreement()) {
      stats.count(Verify.REFERENCE_DISAGREEMENTS);
      if (logged.add(new Finding(id, "reference"))) {
        LOGGER.error(
            "model [{}]: the reference engine may be wrong: for some of {} documents that engine"
                + " [{}] scored, the reference engine returned two different scores, or a score"
                + " that differs from that of an independent engine: {}",
            id,
            expected.length,
            engine,
            mismatch.describe());
      }
    }
    if (wrong > 0 && logged.add(new Finding(id, engine.label()))) {
      LOGGER.error(
          "model [{}]: engine [{}] is quarantined on this node until the node stops, because it"
              + " scored {} of {} documents wrong: {}",
          id,
          engine,
          wrong,
          expected.length,
          mismatch.describe());
    }
    return wrong;
  }

  /** Removes the counters and the cached data of models that are no longer on this node. */
  public void forgetDropped() {
    firsts.keySet().removeIf(choice -> !models.isLoaded(choice.id));
    logged.removeIf(finding -> !models.isLoaded(finding.id));
    stats.retain(models::isLoaded);
    references.purge();
  }

  /** Removes the cached data of the reference engine, because memory is short. */
  public void forgetDerived() {
    references.clear();
  }

  /** Stops the verification, and releases its cached data. */
  @Override
  public void close() {
    closed = true;
    forgetDerived();
  }
}

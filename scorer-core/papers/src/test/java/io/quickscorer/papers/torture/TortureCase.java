// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.torture;

import io.quickscorer.scorer.Scratch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/**
 * One scorer's torture: plain documents for long, then the first special value of one kind, more
 * plain ones, the first of the next kind, and so on.
 */
final class TortureCase {
  /** Batches that fill whole blocks. */
  private static final int[] WHOLE = {64, 128, 256, 512};

  /** And those that do not, which are news of their own. */
  private static final int[] BROKEN = {
    1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 65, 100, 127, 129, 255, 257, 511, 513, 700
  };

  private static final int CAPACITY = 704;

  /**
   * Trees that the plain documents are sent through, all together, before the first news: enough
   * that profiles are made of them, and often that C2 compiles.
   */
  private static final int MIN_VISITS = 100_000;

  private static final int MAX_VISITS = 20_000_000;

  private static final int MAX_VISITS_BETWEEN = 300_000;

  /** Batches of 64 documents, or fewer larger ones, after which C2 has compiled what they run. */
  private static final int MIN_LATE_BATCHES = 3_000;

  private static final int MAX_LATE_BATCHES = 20_000;

  /** Documents of a pool, less where many trees make them dear. */
  private static final int MAX_POOL = 512;

  private static final int POOL_VISITS = 60_000;
  private static final int MAX_THREADS = 4;

  private final Subject subject;
  private final Documents.Maker maker;
  private final Observer observer;
  private final BooleanSupplier over;
  private final SplittableRandom random;
  private final List<Lane> lanes = new ArrayList<>();
  private final Documents plain;

  /** Is told of each wrong score. Safe for use by several threads. */
  @FunctionalInterface
  interface Observer {
    void wrong(Subject subject, Batch batch, int document, double actual);
  }

  /**
   * @param over whether long phases have to end; asked before each batch
   */
  TortureCase(Subject subject, SplittableRandom random, Observer observer, BooleanSupplier over) {
    this.subject = subject;
    this.maker = new Documents.Maker(subject.ensemble());
    this.observer = observer;
    this.over = over;
    this.random = random;
    int pool = Math.clamp(POOL_VISITS / visits(1), 1, MAX_POOL / 64) * 64;
    this.plain = maker.plain(random, pool);
    int threads = random.nextInt(3) > 0 ? 1 : 2 + random.nextInt(MAX_THREADS - 1);
    boolean wholeOnly = random.nextBoolean();
    boolean padded = random.nextInt(3) > 0;
    for (int i = 0; i < threads; i++) {
      lanes.add(new Lane(random.split(), wholeOnly, padded));
    }
  }

  /** Trees that so many documents pass. */
  private long visits(long documents) {
    return documents * Math.max(1, subject.ensemble().trees().size());
  }

  /**
   * Plain documents with values of some kinds among them, from the start.
   *
   * @param batches at most, of as many documents as fill them on average
   */
  void mixed(List<SpecialValue> kinds, int batches, LongAdder scores) {
    List<SpecialValue> possible = new ArrayList<>(kinds);
    possible.retainAll(maker.kinds());
    Documents documents = possible.isEmpty() ? plain : maker.mixed(random, plain.size(), possible);
    lanes.getFirst().run(documents, Math.min(visits(WHOLE[1] * batches), MAX_VISITS_BETWEEN));
    lanes.getFirst().count(scores);
  }

  /** The whole torture. */
  void run(ExecutorService executor, LongAdder scores) throws InterruptedException {
    List<SpecialValue> kinds = maker.kinds();
    Collections.shuffle(kinds, new Random(random.nextLong()));
    boolean atOnce = random.nextInt(6) == 0;
    plain(executor, atOnce ? 1 : Ensembles.logarithmic(random, MIN_VISITS, MAX_VISITS));
    for (SpecialValue kind : kinds) {
      lanes.getFirst().meet(maker.special(random, 1 + random.nextInt(8), kind));
      plain(executor, Ensembles.logarithmic(random, 1, MAX_VISITS_BETWEEN));
    }
    for (Lane lane : lanes) {
      lane.meetBrokenBlock();
      lane.run(maker.mixed(random, 64, kinds), 1000);
      lane.count(scores);
    }
  }

  /**
   * The torture of warm code by what it meets late: one thread, whole batches until C2 has compiled
   * them, then the first value of each kind, NaN last.
   */
  void runLate(LongAdder scores) {
    List<SpecialValue> kinds = maker.kinds();
    Collections.shuffle(kinds, new Random(random.nextLong()));
    if (kinds.remove(SpecialValue.NAN)) {
      kinds.add(SpecialValue.NAN);
    }
    Lane lane = new Lane(random.split(), true, true);
    lane.run(plain, visits(WHOLE[0] * (long) random.nextInt(MIN_LATE_BATCHES, MAX_LATE_BATCHES)));
    for (SpecialValue kind : kinds) {
      lane.meet(maker.special(random, 1 + random.nextInt(3), kind));
    }
    lane.count(scores);
  }

  /** All lanes at the same time, while the first one also treats the scorer. */
  private void plain(ExecutorService executor, long visits) throws InterruptedException {
    List<Future<?>> others = new ArrayList<>();
    for (Lane lane : lanes.subList(1, lanes.size())) {
      others.add(executor.submit(() -> lane.run(plain, visits / lanes.size())));
    }
    lanes.getFirst().treating(() -> lanes.getFirst().run(plain, visits / lanes.size()));
    for (Future<?> other : others) {
      try {
        other.get();
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      }
    }
  }

  /** What one thread needs. */
  private final class Lane {
    private final SplittableRandom random;
    private final Batch batch = new Batch(plain.matrix().features(), CAPACITY);
    private final double[] scores = new double[CAPACITY];
    private final Scratch scratch = subject.newScratch();
    private final boolean wholeOnly;
    private boolean treats;
    private long compared;

    Lane(SplittableRandom random, boolean wholeOnly, boolean padded) {
      this.random = random;
      this.wholeOnly = wholeOnly;
      if (padded) {
        batch.fillAll(plain);
      }
    }

    void treating(Runnable work) {
      treats = true;
      work.run();
      treats = false;
    }

    /** At least one batch. */
    void run(Documents documents, long visits) {
      long done = 0;
      int batches = 0;
      do {
        int[] sizes = wholeOnly || random.nextBoolean() ? WHOLE : BROKEN;
        int size = sizes[random.nextInt(sizes.length)];
        batch.fill(random, documents, size);
        score(size);
        done += visits(size);
        // Often at first, then less and less: 1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 16, ...
        if (treats && Integer.bitCount(++batches) <= 2) {
          subject.treat(random);
        }
      } while (done < visits && !over.getAsBoolean());
    }

    /** Each of these documents alone among plain ones, at any place. */
    void meet(Documents special) {
      for (int i = 0; i < special.size(); i++) {
        int size = WHOLE[random.nextInt(WHOLE.length)];
        batch.fill(random, plain, size);
        batch.put(random.nextInt(size), special, i);
        score(size);
      }
    }

    void meetBrokenBlock() {
      int size = BROKEN[random.nextInt(BROKEN.length)];
      batch.fill(random, plain, size);
      score(size);
    }

    private void score(int documents) {
      subject.scorer().score(batch.matrix(), scratch, scores);
      for (int d = 0; d < documents; d++) {
        // NaNs of linear models are equal whatever their payload, which Java leaves open.
        if (Double.doubleToLongBits(scores[d]) != Double.doubleToLongBits(batch.expected(d))) {
          observer.wrong(subject, batch, d, scores[d]);
        }
      }
      compared += documents;
    }

    void count(LongAdder all) {
      all.add(compared);
      compared = 0;
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.torture;

import io.quickscorer.compile.Engines;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import io.quickscorer.testing.RandomEnsembles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One JVM of the torture. It takes a few engines in turn, so that their code meets what is special
 * late; case after case, each a function of the JVM's seed and the case's number, until its time is
 * over. Before a case's own torture another model of the same engine may see some kinds of special
 * values: then code that both share knows them, and code that only this one runs does not.
 *
 * <p>In half of the JVMs each engine's first case is of the kind in which C2 was once wrong: the
 * shared code learns of NaN from another model, but not often; then warm code of a model that tells
 * missing values apart meets the first of everything else.
 *
 * <p>Prints one line per engine, {@code engine LABEL SCORES}, then {@code done MISMATCHES}.
 */
final class Worker {
  /** What a server scores with; drawn as often as all the others. */
  private static final List<Algorithm> DEFAULTS =
      List.of(
          Algorithm.AUTO,
          Algorithm.CPU,
          Algorithm.BIT_SLICED,
          Algorithm.BIT_SLICED,
          Algorithm.BIT_SLICED_128,
          Algorithm.BIT_SLICED_256,
          Algorithm.BIT_SLICED_512,
          Algorithm.HEAVY_PATH_256,
          Algorithm.HEAVY_PATH_512,
          Algorithm.VQS_512);

  private static final List<Subject.Treatment> TREATMENTS =
      List.of(
          Subject.Treatment.NONE,
          Subject.Treatment.NONE,
          Subject.Treatment.NONE,
          Subject.Treatment.RANDOM_PLANS,
          Subject.Treatment.RANDOM_PLANS,
          Subject.Treatment.RANDOM_PLANS,
          Subject.Treatment.RANDOM_PLANS,
          Subject.Treatment.NEW_CLASSES,
          Subject.Treatment.PARALLEL);

  private static final int MAX_ENGINES = 5;

  /** Batches that a first case's other model sees: enough for profiles, too few for C2. */
  private static final int MIN_KNOWN_BATCHES = 10;

  private static final int MAX_KNOWN_BATCHES = 100;
  private static final int MAX_MIXED_BATCHES = 300;

  /** Draws of an engine and an ensemble that fit each other. */
  private static final int TRIES = 20;

  private final long seed;
  private final PlantedDefect planted;
  private final Findings findings;
  private final BooleanSupplier over;
  private final List<Algorithm> engines;
  private final Map<Algorithm, LongAdder> scores = new LinkedHashMap<>();
  private final ExecutorService executor =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());

  Worker(long seed, PlantedDefect planted, Findings findings, BooleanSupplier over) {
    this.seed = seed;
    this.planted = planted;
    this.findings = findings;
    this.over = over;
    this.engines = engines(new SplittableRandom(seed));
  }

  /** SEED CPU_MILLISECONDS CASES FOLDER PLANTED_DEFECT. */
  public static void main(String[] arguments) throws InterruptedException {
    long seed = Long.parseLong(arguments[0]);
    int cases = Integer.parseInt(arguments[2]);
    Findings findings = new Findings(Path.of(arguments[3]), seed, arguments[4]);
    BooleanSupplier over = new CpuBudget(Long.parseLong(arguments[1]));
    Worker worker = new Worker(seed, PlantedDefect.of(arguments[4]), findings, over);
    for (int number = 0; number < cases && !over.getAsBoolean(); number++) {
      worker.run(number);
    }
    worker.scores.forEach(
        (engine, count) -> System.out.println("engine " + engine.label() + " " + count.sum()));
    System.out.println("done " + findings.count());
    System.exit(0);
  }

  /** A few engines that there are in this JVM, in the order of their first cases. */
  private static List<Algorithm> engines(SplittableRandom random) {
    List<Algorithm> all = Engines.names();
    List<Algorithm> engines = new ArrayList<>();
    int count = 1 + random.nextInt(MAX_ENGINES);
    while (engines.size() < count) {
      Algorithm engine =
          random.nextBoolean()
              ? DEFAULTS.get(random.nextInt(DEFAULTS.size()))
              : all.get(random.nextInt(all.size()));
      if (isAvailable(engine) && (!engines.contains(engine) || random.nextInt(4) == 0)) {
        engines.add(engine);
      }
    }
    return engines;
  }

  private static boolean isAvailable(Algorithm engine) {
    try {
      RandomEnsembles recipe = RandomEnsembles.of(new SplittableRandom(0)).trees(1).leaves(2, 2);
      ScorerCompiler.compile(recipe.build(), engine);
      return true;
    } catch (UnsupportedEnsembleException e) {
      return false;
    }
  }

  Map<Algorithm, LongAdder> scores() {
    return scores;
  }

  /** Runs a case. */
  void run(int number) throws InterruptedException {
    findings.startCase(number);
    SplittableRandom random = new SplittableRandom(seed * 1_000_003 + number);
    Algorithm engine = engines.get(number % engines.size());
    if (isLate(seed) && number < engines.size()) {
      late(random, engine);
      return;
    }
    if (random.nextInt(5) > 0) {
      before(random, engine);
    }
    Subject subject = subject(random, engine, () -> Ensembles.any(random));
    if (subject != null) {
      TortureCase torture = new TortureCase(subject, random.split(), findings::add, over);
      torture.run(executor, counter(subject));
    }
  }

  /** Whether a JVM's first cases are {@link #late}; it is optimised as a server's then. */
  static boolean isLate(long seed) {
    return (seed & 1) == 0;
  }

  private void late(SplittableRandom random, Algorithm engine) throws InterruptedException {
    Subject known = subject(random, engine, () -> Ensembles.trees(random, Ensembles.Rules.NONE));
    if (known != null) {
      int batches = Ensembles.logarithmic(random, MIN_KNOWN_BATCHES, MAX_KNOWN_BATCHES);
      TortureCase few = new TortureCase(known, random.split(), findings::add, over);
      few.mixed(List.of(SpecialValue.NAN), batches, counter(known));
    }
    Subject late = subject(random, engine, () -> Ensembles.small(random));
    if (late != null) {
      new TortureCase(late, random.split(), findings::add, over).runLate(counter(late));
    }
  }

  /** Another model, which sees values of a few kinds from the start. */
  private void before(SplittableRandom random, Algorithm engine) throws InterruptedException {
    SpecialValue[] all = SpecialValue.values();
    List<SpecialValue> kinds = new ArrayList<>();
    kinds.add(random.nextInt(4) > 0 ? SpecialValue.NAN : all[random.nextInt(all.length)]);
    if (random.nextInt(4) == 0) {
      kinds.add(all[random.nextInt(all.length)]);
    }
    boolean plain = random.nextInt(4) > 0;
    Subject subject =
        subject(
            random,
            engine,
            () -> plain ? Ensembles.trees(random, Ensembles.Rules.NONE) : Ensembles.any(random));
    if (subject != null) {
      // A profile that has seen a few of them is another one than that which has seen many.
      new TortureCase(subject, random.split(), findings::add, over)
          .mixed(kinds, Ensembles.logarithmic(random, 1, MAX_MIXED_BATCHES), counter(subject));
    }
  }

  private @Nullable Subject subject(
      SplittableRandom random, Algorithm engine, Supplier<TreeEnsemble> ensembles) {
    for (int i = 0; i < TRIES; i++) {
      TreeEnsemble ensemble = ensembles.get();
      Subject.Treatment treatment = TREATMENTS.get(random.nextInt(TREATMENTS.size()));
      Subject subject = Subject.of(ensemble, engine, treatment, planted, executor);
      if (subject != null) {
        return subject;
      }
    }
    return null;
  }

  private LongAdder counter(Subject subject) {
    return scores.computeIfAbsent(subject.algorithm(), engine -> new LongAdder());
  }
}

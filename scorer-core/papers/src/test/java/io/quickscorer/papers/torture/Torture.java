// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The campaign: starts one {@link Worker} after the other, each in a JVM of its own under settings
 * of its own, and counts. Its exit status is 1 if a score was wrong or a JVM crashed.
 *
 * <p>{@code -Dtorture.minutes} is how long JVMs are started, {@code -Dtorture.jvms} how many run at
 * a time (as many as cores), {@code -Dtorture.seed} the campaign's seed, {@code -Dtorture.folder}
 * takes the result and what was found, {@code -Dtorture.first} ends the campaign at the first
 * finding, {@code -Dtorture.plant} plants a {@link PlantedDefect}. Instead, {@code
 * -Dtorture.replay} repeats a finding, {@code -Dtorture.jvm} one JVM by its seed.
 */
public final class Torture {
  /** CPU time of a JVM. */
  private static final int MIN_WORKER_MILLIS = 400;

  private static final int MAX_WORKER_MILLIS = 5000;

  /** The least of a JVM that has to get warm first. */
  private static final int MIN_LATE_MILLIS = 3000;

  private static final long NANOS_BETWEEN_LINES = 20_000_000_000L;
  private static final String NO_JVM = "Could not create the Java Virtual Machine";

  private final Path folder;
  private final String planted;
  private final boolean first;
  private final JitSettings settings;
  private final SplittableRandom seeds;
  private final long start = System.nanoTime();
  private final long end;
  private final Tally tally = new Tally();
  private long nextLine = start + NANOS_BETWEEN_LINES;

  private Torture(Path folder, long seed, double minutes, JitSettings settings) {
    this.folder = folder;
    this.planted = property("torture.plant", "none");
    this.first = Boolean.getBoolean("torture.first");
    this.settings = settings;
    this.seeds = new SplittableRandom(seed);
    this.end = start + (long) (minutes * 60e9);
  }

  public static void main(String[] arguments)
      throws IOException, InterruptedException, ExecutionException {
    String replay = property("torture.replay", "");
    if (!replay.isEmpty()) {
      System.exit(Replay.of(Path.of(replay)) ? 1 : 0);
    }
    double minutes = Double.parseDouble(property("torture.minutes", "2"));
    long seed = Long.parseLong(property("torture.seed", Long.toString(System.nanoTime() >>> 8)));
    Path folder = Path.of(property("torture.folder", "target/torture"));
    System.out.println("torture.seed=" + seed + " (replay with -Dtorture.seed=" + seed + ")");
    Files.createDirectories(folder);
    Torture torture = new Torture(folder, seed, minutes, JitSettings.probe());
    String one = property("torture.jvm", "");
    if (one.isEmpty()) {
      torture.run(Integer.parseInt(property("torture.jvms", processors())));
    } else {
      torture.worker(Long.parseLong(one));
    }
    torture.tally.write(folder.resolve("result.json"), seed, minutes);
    torture.say();
    System.exit(torture.tally.isClean() ? 0 : 1);
  }

  /** A system property, the default also where a build passes an empty one. */
  static String property(String name, String otherwise) {
    String value = System.getProperty(name, "");
    return value.isEmpty() ? otherwise : value;
  }

  private static String processors() {
    return Integer.toString(Runtime.getRuntime().availableProcessors());
  }

  private void run(int atATime) throws InterruptedException, ExecutionException {
    try (ExecutorService executor = Executors.newFixedThreadPool(atATime)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < atATime; i++) {
        running.add(
            executor.submit(
                () -> {
                  while (System.nanoTime() < end && !(first && tally.hasFindings())) {
                    worker(nextSeed());
                  }
                  return null;
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
  }

  private synchronized long nextSeed() {
    return seeds.nextLong() >>> 1;
  }

  private void worker(long seed) throws IOException, InterruptedException {
    SplittableRandom random = new SplittableRandom(~seed);
    boolean late = Worker.isLate(seed);
    List<String> flags = late ? settings.drawPlain(random) : settings.draw(random);
    flags.add("-XX:ErrorFile=" + folder.resolve("hs_err-" + seed + ".log"));
    flags.add("-XX:-CreateCoredumpOnCrash");
    int millis =
        Ensembles.logarithmic(
            random, late ? MIN_LATE_MILLIS : MIN_WORKER_MILLIS, MAX_WORKER_MILLIS);
    JavaProcess process =
        JavaProcess.run(
            flags,
            Worker.class,
            List.of(
                Long.toString(seed),
                Integer.toString(millis),
                Integer.toString(Integer.MAX_VALUE),
                folder.toString(),
                planted));
    count(seed, flags, process);
  }

  private void count(long seed, List<String> flags, JavaProcess process) throws IOException {
    long mismatches = 0;
    boolean done = false;
    Map<String, Long> scores = new HashMap<>();
    for (String line : process.output().lines().toList()) {
      String[] words = line.split(" ", -1);
      if (words[0].equals("engine") && words.length == 3) {
        scores.put(words[1], Long.parseLong(words[2]));
      } else if (words[0].equals("done") && words.length == 2) {
        done = true;
        mismatches = Long.parseLong(words[1]);
      }
    }
    Tally.End how;
    if (done && process.exit() == 0) {
      how = Tally.End.DONE;
    } else if (process.killed()) {
      how = Tally.End.KILLED;
    } else {
      how = process.output().contains(NO_JVM) ? Tally.End.REFUSED : Tally.End.CRASHED;
    }
    tally.add(how, mismatches, scores);
    if (how != Tally.End.DONE || mismatches > 0) {
      report(seed, flags, process, how);
    }
    synchronized (this) {
      if (System.nanoTime() > nextLine) {
        nextLine += NANOS_BETWEEN_LINES;
        say();
      }
    }
  }

  private void report(long seed, List<String> flags, JavaProcess process, Tally.End how)
      throws IOException {
    String text = how + " " + String.join(" ", flags) + "\n" + process.output();
    Files.writeString(folder.resolve("jvm-" + seed + ".txt"), text);
    System.out.printf(Locale.ROOT, "after %.0f s: %s%n", seconds(), text);
  }

  private double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }

  private void say() {
    System.out.printf(
        Locale.ROOT,
        "torture, %.0f of %.0f s: %s%n",
        seconds(),
        (end - start) / 1e9,
        tally.summary());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Times contenders (scorers) against each other. They run in one JVM and take turns, so that a
 * disturbance by other programs affects all contenders. The time is the thread's CPU time.
 * Contenders with several threads are timed by the wall clock, which needs an idle machine.
 *
 * @param rounds number of turns of each contender, at least 1
 * @param warmUpNanos time in ns for which each contender runs before the first round
 * @param turnNanos approximate time of a turn in ns; the contender scores batches until this time
 *     has passed
 */
public record Rounds(int rounds, long warmUpNanos, long turnNanos) {
  private static final ThreadMXBean JVM = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /**
   * Measures the times of all contenders.
   *
   * @param documents number of documents per batch
   * @param batches number of batches
   * @param progress receives a text before each contender's warm-up and before each round
   * @return the timings, in the order of the contenders
   */
  public List<Timing> time(
      List<? extends Contender> contenders, int documents, int batches, Consumer<String> progress) {
    List<Turns> turns = new ArrayList<>();
    for (Contender contender : contenders) {
      progress.accept(contender.label().engine());
      Turns each = new Turns(contender, batches);
      each.warmUp(warmUpNanos, turnNanos);
      turns.add(each);
    }
    // The JIT may have completed the code of a contender after its warm-up, so the number of calls
    // is determined again.
    for (Turns each : turns) {
      each.warmUp(warmUpNanos / 4, turnNanos);
    }
    double[][] nanos = new double[turns.size()][rounds];
    double[] bytes = new double[turns.size()];
    for (int round = 0; round < rounds; round++) {
      progress.accept("round " + (round + 1));
      for (int c = 0; c < nanos.length; c++) {
        Turns each = turns.get(c);
        nanos[c][round] = each.turn() / each.documents(documents);
        double allocated = each.allocated() / each.documents(documents);
        bytes[c] = round == 0 ? allocated : Math.min(bytes[c], allocated);
      }
    }
    List<Timing> timings = new ArrayList<>();
    for (int c = 0; c < nanos.length; c++) {
      timings.add(new Timing(nanos[c], bytes[c]));
    }
    return timings;
  }

  /** Returns how many times {@link #time} calls {@code progress} for this number of contenders. */
  public int steps(int contenders) {
    return contenders + rounds;
  }

  /** Runs and times one contender in turns. The warm-up determines the number of calls per turn. */
  private static final class Turns {
    private final Contender contender;
    private final int batches;
    private final boolean singleThread;
    private long calls = 1;
    private int next;
    private long allocated;

    Turns(Contender contender, int batches) {
      this.contender = contender;
      this.batches = batches;
      this.singleThread = contender.label().threads() == 1;
    }

    void warmUp(long nanos, long turnNanos) {
      long end = now() + nanos;
      do {
        long elapsed = Math.max(1, turn());
        double perCall = (double) elapsed / calls;
        calls = Math.max(1, (long) Math.ceil(turnNanos / perCall));
      } while (now() < end);
    }

    double documents(int perBatch) {
      return (double) calls * perBatch;
    }

    /** Returns the number of heap bytes that the last turn allocated. */
    long allocated() {
      return allocated;
    }

    /** Runs one turn, and returns its duration in ns. */
    long turn() {
      long bytes = bytes();
      long start = now();
      for (long call = 0; call < calls; call++) {
        contender.score(next);
        next = next + 1 == batches ? 0 : next + 1;
      }
      long elapsed = now() - start;
      allocated = bytes() - bytes;
      return elapsed;
    }

    private long now() {
      return singleThread ? JVM.getCurrentThreadCpuTime() : System.nanoTime();
    }

    private long bytes() {
      return singleThread
          ? JVM.getCurrentThreadAllocatedBytes()
          : JVM.getTotalThreadAllocatedBytes();
    }
  }
}

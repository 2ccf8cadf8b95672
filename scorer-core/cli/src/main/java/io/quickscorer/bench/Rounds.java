// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Times contenders against each other on a machine that need not be idle: all in one JVM, in turns,
 * so that a disturbance affects all of them. The time is the thread's CPU time, but contenders with
 * several threads are timed by the wall clock, which needs an idle machine.
 *
 * @param rounds turns per contender, 1 or more
 * @param warmUpNanos time that each contender runs before the first round, by the same clock
 * @param turnNanos minimum length of a turn, in which calls are repeated
 */
public record Rounds(int rounds, long warmUpNanos, long turnNanos) {
  private static final ThreadMXBean JVM = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /**
   * Measures all contenders.
   *
   * @param documents documents per batch
   * @param batches number of batches
   * @param progress called before each contender's warm-up and before each round
   * @return the timings, in the contenders' order
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
    // The JIT may have compiled one contender while the next was already running.
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

  /** Returns the number of steps that {@link #time} reports. */
  public int steps(int contenders) {
    return contenders + rounds;
  }

  /** One contender's turns, with the number of calls found in its warm-up. */
  private static final class Turns {
    private final Contender contender;
    private final int batches;
    private final boolean alone;
    private long calls = 1;
    private int next;
    private long allocated;

    Turns(Contender contender, int batches) {
      this.contender = contender;
      this.batches = batches;
      this.alone = contender.label().threads() == 1;
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

    /** Returns the bytes allocated in the last turn. */
    long allocated() {
      return allocated;
    }

    /** Returns the nanoseconds of one turn. */
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
      return alone ? JVM.getCurrentThreadCpuTime() : System.nanoTime();
    }

    private long bytes() {
      return alone ? JVM.getCurrentThreadAllocatedBytes() : JVM.getTotalThreadAllocatedBytes();
    }
  }
}

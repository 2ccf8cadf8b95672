// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.measure;

import io.quickscorer.demo.corpus.Corpus;
import io.quickscorer.node.RunningNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The running node of one build of the plugin. */
record MeasuredSide(String name, Corpus corpus, RunningNode process, NodeJvm jvm)
    implements AutoCloseable {
  /** A node is idle if it uses at most this processor time during {@link #STEP}. */
  private static final Duration IDLE = Duration.ofMillis(20);

  /** The time between two readings of the node's processor time. */
  private static final Duration STEP = Duration.ofMillis(500);

  /** Maximum number of times that the processor time is read to wait until the node is idle. */
  private static final int MAX_STEPS = 180;

  static MeasuredSide start(String name, Corpus corpus, Path home, Path data)
      throws IOException, InterruptedException {
    RunningNode process =
        RunningNode.start(home, data, List.of(), Map.of(), Duration.ofMinutes(10));
    try {
      return new MeasuredSide(name, corpus, process, NodeJvm.of(process.pid()));
    } catch (IOException e) {
      process.close();
      throw e;
    }
  }

  MeasuredNode node(EndToEndOptions.Cell cell) {
    return node(cell.shards(), cell.segments(), cell.features());
  }

  /**
   * Returns a client for the index with the given numbers of shards and of segments per shard. The
   * client uses the given number of features.
   */
  MeasuredNode node(int shards, int segments, int features) {
    return new MeasuredNode(
        process.client(),
        corpus,
        "measured-" + shards + "-" + segments,
        MeasuredFeatures.queries(corpus.fields(), features));
  }

  /** Waits until the node has completed its background work, such as loading models, or 90 s. */
  void awaitIdle() throws InterruptedException {
    long before = process.processorTime().toNanos();
    for (int step = 0; step < MAX_STEPS; step++) {
      Thread.sleep(STEP);
      long now = process.processorTime().toNanos();
      if (now - before < IDLE.toNanos()) {
        return;
      }
      before = now;
    }
  }

  /**
   * The cost of a search for the node.
   *
   * @param cpuMillis processor time in ms, without that of the JIT compiler
   * @param bytes memory that the node allocates, in bytes
   */
  record Cost(double cpuMillis, double bytes) {}

  /** Runs searches, and returns the node's average cost per search. */
  Cost cost(int searches, Runnable run) {
    long bytes = jvm.allocatedBytes();
    long nanos = process.processorTime().toNanos();
    run.run();
    long endNanos = process.processorTime().toNanos();
    return new Cost(
        (endNanos - nanos) / 1e6 / searches, (double) (jvm.allocatedBytes() - bytes) / searches);
  }

  @Override
  public void close() throws IOException {
    try (RunningNode ignored = process) {
      jvm.close();
    }
  }
}

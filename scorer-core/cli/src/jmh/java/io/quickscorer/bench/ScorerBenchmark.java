// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import io.quickscorer.compile.Engines;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Microseconds per batch, under JMH, for the shapes that {@link Bars} compares; other scorers,
 * shapes and the allocation rate by JMH's options: {@code -p documents=100,16,1 -prof gc}. The
 * set-up fails where the scorer does not take the shape, or its scores are not the reference's.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ScorerBenchmark {
  @Param({"auto", "vqs-512", "vqs-256", "qs", "object", "lightgbm", "onnxruntime"})
  public String scorer;

  @Param({"1000"})
  public int trees;

  @Param({"32", "64", "255"})
  public int leaves;

  @Param({"1000"})
  public int documents;

  private Contender contender;
  private int batches;
  private int next;

  @Setup
  public void setUp() {
    TrainedModel model = TrainedModel.of(trees, leaves);
    Batches of = Batches.of(model.ensemble(), TrainedModel.rows(Bars.POOL), documents);
    batches = of.count();
    EngineComparison comparison =
        new EngineComparison(
            model.ensemble(),
            model.text().getBytes(StandardCharsets.UTF_8),
            Runnable::run,
            reason -> System.err.println("left out: " + reason));
    contender = contender(comparison, of).getFirst();
  }

  private List<Contender> contender(EngineComparison comparison, Batches of) {
    for (Peer peer : Peers.in(Bars.PEERS).found()) {
      if (peer.name().equals(scorer)) {
        return comparison.peer(peer, of);
      }
    }
    return comparison.engine(Engines.named(scorer), of);
  }

  @TearDown
  public void close() {
    contender.close();
  }

  @Benchmark
  public double[] batch() {
    next = next + 1 == batches ? 0 : next + 1;
    return contender.score(next);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import io.quickscorer.compile.Engines;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.ArrayList;
import java.util.Arrays;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Batched query processing: microseconds for 100 queries of 10 documents each by 1,000 trees, one
 * by one or joined to batches of 512 documents, the joining and the scattering included.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class JoinedQueriesBenchmark {
  private static final int TREES = 1000;
  private static final int QUERIES = 100;
  private static final int DOCUMENTS = 10;

  @Param({"auto", "vqs-512", "qs"})
  public String scorer;

  @Param({"64"})
  public int leaves;

  private EnsembleScorer engine;
  private Scratch scratch;
  private BatchJoiner joiner;
  private List<FeatureMatrix> queries;
  private double[][] scores;

  @Setup
  public void setUp() {
    TreeEnsemble ensemble = TrainedModel.of(TREES, leaves).ensemble();
    engine = ScorerCompiler.compile(ensemble, Engines.named(scorer));
    scratch = engine.newScratch();
    joiner = new BatchJoiner(engine, BatchJoiner.MAX_DOCUMENTS);
    float[] rows = TrainedModel.rows(QUERIES * DOCUMENTS);
    queries = new ArrayList<>();
    int query = DOCUMENTS * TrainedModel.FEATURES;
    for (int from = 0; from < rows.length; from += query) {
      float[] values = Arrays.copyOfRange(rows, from, from + query);
      queries.add(FeatureMatrix.ofRows(values, TrainedModel.FEATURES));
    }
    scores = new double[QUERIES][DOCUMENTS];
  }

  @Benchmark
  public double[][] oneByOne() {
    for (int q = 0; q < QUERIES; q++) {
      engine.score(queries.get(q), scratch, scores[q]);
    }
    return scores;
  }

  @Benchmark
  public double[][] joined() {
    joiner.score(queries, scores);
    return scores;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import com.microsoft.ml.lightgbm.PredictionType;
import io.github.metarank.lightgbm4j.LGBMBooster;
import io.github.metarank.lightgbm4j.LGBMException;
import io.quickscorer.explain.Explainer;
import io.quickscorer.explain.Workspace;
import io.quickscorer.matrix.FeatureMatrix;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Microseconds per document for the contributions of all features, 1,000 trees, beside LightGBM's
 * own on one thread. The set-up fails unless they agree.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ExplainBenchmark {
  private static final int TREES = 1000;
  private static final int DOCUMENTS = 10;

  @Param({"32", "64", "255"})
  public int leaves;

  private Explainer explainer;
  private Workspace workspace;
  private FeatureMatrix matrix;
  private LGBMBooster booster;
  private float[] rows;

  @Setup
  public void setUp() throws LGBMException {
    TrainedModel model = TrainedModel.of(TREES, leaves);
    rows = TrainedModel.rows(DOCUMENTS);
    matrix = FeatureMatrix.ofRows(rows, TrainedModel.FEATURES);
    explainer = Explainer.compile(model.ensemble());
    workspace = explainer.newWorkspace();
    booster = LGBMBooster.loadModelFromString(model.text());
    double[] theirs = lightGbm();
    for (int d = 0; d < DOCUMENTS; d++) {
      double[] ours = explainer.contributions(matrix, d, workspace);
      for (int f = 0; f < ours.length; f++) {
        double expected = theirs[d * (ours.length + 1) + f];
        if (Math.abs(ours[f] - expected) > 1e-9 * Math.max(Math.abs(expected), 1e-3)) {
          throw new IllegalStateException(
              "document " + d + ", feature " + f + ": " + ours[f] + ", not " + expected);
        }
      }
    }
  }

  @Benchmark
  @OperationsPerInvocation(DOCUMENTS)
  public double quickScorer() {
    double sum = 0;
    for (int d = 0; d < DOCUMENTS; d++) {
      sum += explainer.contributions(matrix, d, workspace)[0];
    }
    return sum;
  }

  @Benchmark
  @OperationsPerInvocation(DOCUMENTS)
  public double[] lightGbm() throws LGBMException {
    return booster.predictForMat(
        rows,
        DOCUMENTS,
        TrainedModel.FEATURES,
        true,
        PredictionType.C_API_PREDICT_CONTRIB,
        "num_threads=1");
  }
}

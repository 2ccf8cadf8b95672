// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Seeds;
import io.quickscorer.testing.Values;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class BitSlicedScorerTest extends BitSlicedContract {
  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return BitSlicedScorer.compile(ensemble, CompileProgress.NONE);
  }

  @Test
  void allocatesNothing() {
    SplittableRandom random = Seeds.random("allocation");
    TreeEnsemble ensemble =
        RandomEnsembles.of(random).trees(50).leaves(40, 64).thresholds(250).categorical().build();
    EnsembleScorer scorer = compile(ensemble);
    FeatureMatrix matrix = Values.documents(random, ensemble, 600);
    Scratch scratch = scorer.newScratch();
    double[] scores = new double[600];
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long allocated = Long.MAX_VALUE;
    // The least of several calls: the JVM itself allocates now and then on this thread, when it
    // loads a class or throws compiled code away; a scorer that allocates does so at each call.
    for (int call = 0; call < 20; call++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      scorer.score(matrix, scratch, scores);
      allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertEquals(0, allocated);
  }
}

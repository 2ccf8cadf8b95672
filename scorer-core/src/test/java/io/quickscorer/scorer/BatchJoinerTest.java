// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Seeds;
import io.quickscorer.testing.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class BatchJoinerTest {
  private final SplittableRandom random = Seeds.random("joiner");
  private final TreeEnsemble ensemble =
      RandomEnsembles.of(random).trees(50).leaves(1, 64).categorical().build();
  private final EnsembleScorer scorer = ScorerCompiler.compile(ensemble, Algorithm.CPU);

  /** Empty queries, queries that fill a batch to the last document, and ones too large for it. */
  @Test
  void everyQueryGetsTheBitsItHasAlone() {
    int[] sizes = {0, 1, 9, 10, 11, 19, 20, 21, 63, 100};
    for (int most : new int[] {1, 20, 64, BatchJoiner.MAX_DOCUMENTS}) {
      BatchJoiner joiner = new BatchJoiner(scorer, most);
      for (int round = 0; round < 20; round++) {
        List<FeatureMatrix> queries = new ArrayList<>();
        for (int q = random.nextInt(12); q > 0; q--) {
          queries.add(Values.documents(random, ensemble, sizes[random.nextInt(sizes.length)]));
        }
        check(joiner, queries);
      }
    }
  }

  private void check(BatchJoiner joiner, List<FeatureMatrix> queries) {
    double[][] scores = new double[queries.size()][];
    for (int q = 0; q < scores.length; q++) {
      scores[q] = new double[queries.get(q).documents() + 1];
      scores[q][queries.get(q).documents()] = 7;
    }
    joiner.score(queries, scores);
    for (int q = 0; q < scores.length; q++) {
      int documents = queries.get(q).documents();
      double[] alone = new double[documents];
      scorer.score(queries.get(q), scorer.newScratch(), alone);
      for (int d = 0; d < documents; d++) {
        assertEquals(
            Double.doubleToRawLongBits(alone[d]), Double.doubleToRawLongBits(scores[q][d]));
      }
      assertEquals(7, scores[q][documents], "beyond the query's documents");
    }
  }

  @Test
  void whatDoesNotFitIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new BatchJoiner(scorer, 0));
    BatchJoiner joiner = new BatchJoiner(scorer, 20);
    FeatureMatrix good = Values.documents(random, ensemble, 3);
    FeatureMatrix narrow = new FeatureMatrix(good.features() - 1, 3);
    refused("1 arrays of scores for 2 queries", joiner, List.of(good, good), new double[1][3]);
    refused("features", joiner, List.of(good, narrow), new double[2][3]);
    refused("2 scores for 3 documents", joiner, List.of(good, good), new double[2][2]);
  }

  private static void refused(
      String why, BatchJoiner joiner, List<FeatureMatrix> queries, double[][] scores) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> joiner.score(queries, scores))
            .getMessage();
    assertTrue(message.contains(why), message);
  }
}

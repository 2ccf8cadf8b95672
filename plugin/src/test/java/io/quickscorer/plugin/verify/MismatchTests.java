// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.verify;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.After;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.test.OpenSearchTestCase;

/** What a window that was scored otherwise by the reference says, and who is to blame. */
public class MismatchTests extends OpenSearchTestCase {
  private final SplittableRandom random = new SplittableRandom(randomLong());
  private final CircuitBreaker breaker = TestModels.breaker(1 << 26);

  @After
  public void nothingIsHeld() {
    assertEquals(0, breaker.getUsed());
  }

  public void testAMismatchTellsAllThatReplayingTakes() {
    TreeEnsemble ensemble =
        RandomEnsembles.of(random).trees(1 + random.nextInt(40)).leaves(1, 80).build();
    EnsembleScorer reference = ScorerCompiler.compile(ensemble, Algorithm.OBJECT);
    FeatureMatrix matrix = Values.documents(random, ensemble, 90);
    double[] scores = new double[90];
    reference.score(matrix, reference.newScratch(), scores);
    scores[40] = Math.nextUp(scores[40]);
    Sample sample =
        Sample.copy(breaker, new ModelId("m", "v"), Algorithm.QS, 7, matrix, scores, random);
    try (sample) {
      double[] right = sample.scoredBy(reference);
      Mismatch mismatch = new Mismatch(sample, right, right, null);
      assertEquals(1, mismatch.wrong());
      assertFalse(mismatch.isDisagreement());
      String text = mismatch.describe();
      assertTrue(text, text.startsWith("a batch of 90 documents, JVM ["));
      String line = text.substring(text.indexOf('\n') + 1);
      assertTrue(text, line.startsWith("document 40: scored " + bits(scores[40])));
      assertTrue(text, line.contains(", reference " + bits(right[40]) + ", reference again "));
      FeatureMatrix row = FeatureMatrix.ofRows(row(line), matrix.features());
      double[] again = new double[1];
      reference.score(row, reference.newScratch(), again);
      assertEquals(bits(right[40]), bits(again[0]));
    }
  }

  private static String bits(double score) {
    return String.format(Locale.ROOT, "%016x", Double.doubleToRawLongBits(score));
  }

  private static float[] row(String line) {
    List<Float> values = new ArrayList<>();
    for (String value : line.substring(line.indexOf(", row ") + 6).split(" ")) {
      String[] parts = value.split("\\*");
      int times = parts.length == 1 ? 1 : Integer.parseInt(parts[1]);
      for (int i = 0; i < times; i++) {
        values.add(Float.intBitsToFloat(Integer.parseUnsignedInt(parts[0], 16)));
      }
    }
    float[] row = new float[values.size()];
    for (int f = 0; f < row.length; f++) {
      row[f] = values.get(f);
    }
    return row;
  }

  public void testWhoeverIsConfirmedIsNotToBlame() {
    double[] scored = {1, 2, 3};
    FeatureMatrix matrix = new FeatureMatrix(1, 3);
    Sample sample =
        Sample.copy(breaker, new ModelId("m", "v"), Algorithm.QS, 7, matrix, scored, random);
    try (sample) {
      double[] wrong = {1, 2, -3};
      double[] other = {1, 2, 4};
      // The reference was wrong once.
      Mismatch once = new Mismatch(sample, wrong, scored, answer(scored));
      assertEquals(0, once.wrong());
      assertTrue(once.isDisagreement());
      // It is wrong each time, but an independent engine says so.
      Mismatch always = new Mismatch(sample, wrong, wrong, answer(scored));
      assertEquals(0, always.wrong());
      assertTrue(always.isDisagreement());
      // Everybody says something else.
      Mismatch all = new Mismatch(sample, wrong, wrong, answer(other));
      assertEquals(1, all.wrong());
      assertTrue(all.isDisagreement());
      assertEquals(1, new Mismatch(sample, wrong, wrong, answer(wrong)).wrong());
      assertFalse(new Mismatch(sample, wrong, wrong, answer(wrong)).isDisagreement());
    }
  }

  private static References.Answer answer(double[] scores) {
    return new References.Answer(Algorithm.BIT_SLICED, scores);
  }
}

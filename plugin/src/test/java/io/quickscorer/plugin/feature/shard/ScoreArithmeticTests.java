// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.opensearch.test.OpenSearchTestCase;

/** Blocks of scores beside what is added and compared one by one. */
public class ScoreArithmeticTests extends OpenSearchTestCase {
  private static final int SIZE = 100;
  private static final float[] SPECIAL = {
    Float.NaN, Float.NaN, 0, Float.MIN_VALUE, 1, Float.MAX_VALUE, Float.POSITIVE_INFINITY, -1
  };

  private final float[] scratch = new float[SIZE];

  private static float[] scores(SplittableRandom random) {
    float[] scores = new float[SIZE];
    for (int i = 0; i < SIZE; i++) {
      boolean special = random.nextInt(3) > 0;
      scores[i] =
          special ? SPECIAL[random.nextInt(SPECIAL.length)] : (float) random.nextDouble(0, 30);
    }
    return scores;
  }

  private static void assertBits(float expected, float actual) {
    assertEquals(Float.floatToRawIntBits(expected), Float.floatToRawIntBits(actual));
  }

  public void testSums() {
    SplittableRandom random = new SplittableRandom(randomLong());
    for (int clauses = 1; clauses < 6; clauses++) {
      float[][] all = new float[clauses][];
      Arrays.setAll(all, c -> scores(random));
      double[] sums = new double[SIZE];
      int[] counts = new int[SIZE];
      for (float[] clause : all) {
        ScoreArithmetic.add(clause, sums, counts, scratch, SIZE);
      }
      int atLeast = random.nextInt(1, clauses + 1);
      float[] result = new float[SIZE];
      ScoreArithmetic.atLeast(atLeast, sums, counts, result, SIZE);
      for (int i = 0; i < SIZE; i++) {
        double sum = 0;
        int count = 0;
        for (float[] clause : all) {
          if (!Float.isNaN(clause[i])) {
            sum += clause[i];
            count++;
          }
        }
        assertBits(count >= atLeast ? (float) sum : Float.NaN, result[i]);
      }
    }
  }

  public void testMaxima() {
    SplittableRandom random = new SplittableRandom(randomLong());
    for (float share : new float[] {0, 0.3f, 1}) {
      float[][] all = new float[5][];
      Arrays.setAll(all, c -> scores(random));
      int[] highest = new int[SIZE];
      Arrays.fill(highest, ScoreArithmetic.MISSING);
      double[] others = new double[SIZE];
      for (float[] clause : all) {
        ScoreArithmetic.max(clause, highest, others, scratch, SIZE);
      }
      float[] result = new float[SIZE];
      ScoreArithmetic.withOthers(highest, others, share, result, SIZE);
      for (int i = 0; i < SIZE; i++) {
        float most = Float.NaN;
        double rest = 0;
        for (float[] clause : all) {
          float score = clause[i];
          if (Float.isNaN(most) || score >= most) {
            rest += Float.isNaN(score) || Float.isNaN(most) ? 0 : most;
            most = Float.isNaN(score) ? most : score;
          } else if (!Float.isNaN(score)) {
            rest += score;
          }
        }
        assertBits((float) (most + rest * share), result[i]);
      }
    }
  }
}

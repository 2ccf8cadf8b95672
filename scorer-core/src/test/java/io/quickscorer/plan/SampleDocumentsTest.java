package io.quickscorer.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Seeds;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SampleDocumentsTest {
  private static final int DOCUMENTS = 400;

  private final TreeEnsemble ensemble =
      RandomEnsembles.of(Seeds.random("samples")).categorical().trees(60).leaves(9, 30).build();

  @Test
  void everyFeatureHasEverySpecialValue() {
    FeatureMatrix matrix = SampleDocuments.of(ensemble, DOCUMENTS);
    for (int f = 0; f < ensemble.featureNames().size(); f++) {
      Set<Float> values = new HashSet<>();
      int missing = 0;
      for (int d = 0; d < DOCUMENTS; d++) {
        values.add(matrix.get(d, f));
        missing += Float.isNaN(matrix.get(d, f)) ? 1 : 0;
      }
      for (float special :
          new float[] {
            0f, -0f, Float.MIN_VALUE, -Float.MIN_VALUE, 1f / 0, -1f / 0, -0.5f, -1f, 2147483647f
          }) {
        assertTrue(values.contains(special), "feature " + f + " is never " + special);
      }
      assertEquals(DOCUMENTS / 16, missing, 1, "one value in 16 is missing");
    }
  }

  @Test
  void theSameEveryTime() {
    FeatureMatrix first = SampleDocuments.of(ensemble, 33);
    FeatureMatrix second = SampleDocuments.of(ensemble, 33);
    for (int f = 0; f < ensemble.featureNames().size(); f++) {
      for (int d = 0; d < 33; d++) {
        assertEquals(first.get(d, f), second.get(d, f));
      }
    }
  }
}

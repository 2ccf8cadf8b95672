// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Seeds;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SampleDocumentsTest {
  private static final int DOCUMENTS = 400;
  private static final int PLAIN = 2_000;

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

  @Test
  void plainDocumentsReachBothSidesOfEverySplit() {
    for (String name : new String[] {"regression_plain", "lambdarank_categorical"}) {
      Fixture fixture =
          Fixture.all().stream()
              .filter(f -> f.trainer().equals("lightgbm-4.3.0") && f.name().equals(name))
              .findFirst()
              .orElseThrow();
      TreeEnsemble trained =
          ModelReader.read(fixture.model("txt"), ModelFormat.AUTO, EnsembleLimits.DEFAULT);
      FeatureMatrix matrix = SampleDocuments.plain(trained, PLAIN);
      FeatureMatrix again = SampleDocuments.plain(trained, PLAIN);
      for (Tree tree : trained.trees()) {
        for (int split = 0; split < tree.splits(); split++) {
          int f = tree.feature(split);
          int left = 0;
          for (int d = 0; d < PLAIN; d++) {
            assertTrue(Float.isFinite(matrix.get(d, f)));
            assertEquals(matrix.get(d, f), again.get(d, f));
            left += tree.goesLeft(split, matrix.get(d, f)) ? 1 : 0;
          }
          assertTrue(left > 0 && left < PLAIN, name + ": " + left + " of " + PLAIN + " go left");
        }
      }
    }
  }
}

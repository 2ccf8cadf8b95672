package io.quickscorer.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.reader.ModelReader;
import org.junit.jupiter.api.Test;

final class GeneratedRowsTest {
  private static TreeEnsemble ensemble(String name) throws Exception {
    Fixture fixture =
        Fixture.all().stream()
            .filter(f -> f.trainer().equals("lightgbm-4.3.0") && f.name().equals(name))
            .findFirst()
            .orElseThrow();
    return ModelReader.read(
        fixture.model("txt"), ModelFormat.LIGHTGBM_TEXT, EnsembleLimits.DEFAULT);
  }

  @Test
  void bothSidesOfEverySplitAreReached() throws Exception {
    for (String name : new String[] {"regression_plain", "lambdarank_categorical"}) {
      TreeEnsemble ensemble = ensemble(name);
      int features = ensemble.featureNames().size();
      float[] rows = GeneratedRows.of(ensemble, 2000);
      assertArrayEquals(rows, GeneratedRows.of(ensemble, 2000));
      for (Tree tree : ensemble.trees()) {
        for (int split = 0; split < tree.splits(); split++) {
          int left = 0;
          for (int d = 0; d < 2000; d++) {
            float value = rows[d * features + tree.feature(split)];
            assertTrue(Float.isFinite(value));
            left += tree.goesLeft(split, value) ? 1 : 0;
          }
          assertTrue(left > 0 && left < 2000, name + ": " + left + " of 2000 go left");
        }
      }
    }
  }

  @Test
  void batchesTakeTheDocumentsInTurn() throws Exception {
    TreeEnsemble ensemble = ensemble("regression_plain");
    int features = ensemble.featureNames().size();
    float[] pool = GeneratedRows.of(ensemble, 5);
    Batches batches = Batches.of(ensemble, pool, 3);
    for (int b = 0; b < 3; b++) {
      for (int d = 0; d < 3; d++) {
        int source = (b * 3 + d) % 5;
        for (int f = 0; f < features; f++) {
          assertEquals(pool[source * features + f], batches.rows(b)[d * features + f]);
          assertEquals(pool[source * features + f], batches.matrix(b).get(d, f));
        }
      }
    }
  }
}

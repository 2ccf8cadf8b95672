// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.reader.ModelFormats;
import io.quickscorer.reader.ModelReader;
import org.junit.jupiter.api.Test;

final class BatchesTest {
  private static TreeEnsemble ensemble(String name) throws Exception {
    Fixture fixture =
        Fixture.all().stream()
            .filter(f -> f.trainer().equals("lightgbm-4.3.0") && f.name().equals(name))
            .findFirst()
            .orElseThrow();
    return ModelReader.read(
        fixture.model("txt"), ModelFormats.LIGHTGBM_TEXT, EnsembleLimits.DEFAULT);
  }

  @Test
  void batchesTakeTheDocumentsInTurn() throws Exception {
    TreeEnsemble ensemble = ensemble("regression_plain");
    int features = ensemble.featureNames().size();
    float[] pool = new float[5 * features];
    for (int i = 0; i < pool.length; i++) {
      pool[i] = i;
    }
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

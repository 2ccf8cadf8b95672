// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.model.ModelId;
import java.util.List;
import org.opensearch.test.OpenSearchTestCase;

public class ObservedFeaturesTests extends OpenSearchTestCase {
  private static final ModelId ID = new ModelId("m", "v");

  public void testWindowsAddUp() {
    ObservedFeatures observed = new ObservedFeatures();
    assertEquals(List.of(), observed.read(ID));
    observed.observe(ID, FeatureMatrix.ofRows(new float[] {1, Float.NaN, 3, Float.NaN}, 2));
    observed.observe(ID, FeatureMatrix.ofRows(new float[] {-2, 5}, 2));
    assertEquals(
        List.of(new ObservedFeatures.Values(3, 0, -2, 3), new ObservedFeatures.Values(3, 2, 5, 5)),
        observed.read(ID));
    observed.retain(ID::equals);
    assertEquals(2, observed.read(ID).size());
    observed.retain(id -> false);
    assertEquals(List.of(), observed.read(ID));
  }

  public void testOnlyTheFirstDocumentsOfAWindowCount() {
    ObservedFeatures observed = new ObservedFeatures();
    FeatureMatrix matrix = new FeatureMatrix(1, 500);
    matrix.set(499, 0, 9);
    observed.observe(ID, matrix);
    assertEquals(List.of(new ObservedFeatures.Values(128, 0, 0, 0)), observed.read(ID));
  }

  public void testNothingSeenHasNoBounds() {
    ObservedFeatures.Values some = new ObservedFeatures.Values(2, 1, 3, 3);
    assertEquals(some, ObservedFeatures.Values.NONE.and(some));
  }
}

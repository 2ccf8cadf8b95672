// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rank that missing values take, and what is left to patch. */
final class PredicateTableTest {
  private static final ModelSource SOURCE = new ModelSource(new ModelFormat("test"), "1", "none");
  private static final int MAX_PREDICATES = 100;

  private record Split(float threshold, MissingValue missing) {}

  /** The predicates of trees of one split each, all on one feature. */
  private static FeaturePredicates predicates(Split... splits) {
    List<Tree> trees = new ArrayList<>();
    for (Split split : splits) {
      TreeBuilder builder = new TreeBuilder(EnsembleLimits.DEFAULT, 1, false).start(0, 3);
      builder.split(0, 0, split.threshold, split.missing, 1, 2);
      builder.leaf(1, 0);
      builder.leaf(2, 1);
      trees.add(builder.build(0));
    }
    TreeEnsemble ensemble = TreeEnsemble.builder(List.of("f"), SOURCE).trees(trees).build();
    PredicateTable table = new PredicateTable(ensemble, MAX_PREDICATES, CompileProgress.NONE);
    assertEquals(1, table.features().length);
    return table.features()[0];
  }

  private static Split left(float threshold) {
    return new Split(threshold, MissingValue.NAN_LEFT);
  }

  private static Split right(float threshold) {
    return new Split(threshold, MissingValue.NAN_RIGHT);
  }

  @Test
  void missingAsZeroNeedsNoPatch() {
    FeaturePredicates predicates = predicates(left(2), right(-3), right(-1), left(0), left(7));
    assertEquals(2, predicates.missingRank());
    assertEquals(0, predicates.patches());
    assertEquals(5, predicates.end());
  }

  @Test
  void allToOneSideNeedsNoPatch() {
    assertEquals(0, predicates(left(-1), left(1)).missingRank());
    assertEquals(0, predicates(left(-1), left(1)).patches());
    assertEquals(2, predicates(right(-1), right(1)).missingRank());
    assertEquals(0, predicates(right(-1), right(1)).patches());
  }

  @Test
  void theFewestPredicatesArePatches() {
    FeaturePredicates predicates = predicates(right(1), left(2), right(3), right(4), left(5));
    assertEquals(4, predicates.missingRank());
    assertEquals(1, predicates.patches());
    assertEquals(predicates.patchSources()[0], predicates.patchTargets()[0]);
    assertEquals(MissingValue.NAN_LEFT, predicates.patchRules()[0]);
  }

  @Test
  void rulesOfOneThresholdShareItsPivot() {
    FeaturePredicates predicates = predicates(right(1), left(1), right(2));
    assertEquals(2, predicates.pivots());
    assertEquals(1, predicates.patches());
    assertEquals(3, predicates.end());
  }

  @Test
  void zeroAsMissingIsAlwaysPatched() {
    FeaturePredicates predicates =
        predicates(new Split(1, MissingValue.ZERO_LEFT), new Split(2, MissingValue.ZERO_RIGHT));
    assertEquals(2, predicates.patches());
    assertTrue(predicates.patchRules()[0].zeroIsMissing());
  }
}

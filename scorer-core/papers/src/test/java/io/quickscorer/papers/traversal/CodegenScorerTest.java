// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.ScorerContractTest;
import io.quickscorer.testing.Seeds;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class CodegenScorerTest extends ScorerContractTest {
  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return CodegenScorer.compile(ensemble, CompileProgress.NONE);
  }

  @Test
  void aTreeOfMoreConstantsThanAClassIsRefused() {
    SplittableRandom random = Seeds.random("large");
    checkAll(random, RandomEnsembles.of(random).trees(2).leaves(16_384, 16_384));
    TreeEnsemble larger = RandomEnsembles.of(random).trees(1).leaves(32_768, 32_768).build();
    Exception e = assertThrows(UnsupportedEnsembleException.class, () -> compile(larger));
    assertEquals(
        "codegen: tree 0 has 32768 leaves, which need more constants than a class may have, 65500",
        e.getMessage());
  }

  /** A chain of splits, each with one more at its right, for which there is a method each. */
  @Test
  void treesOfManyMethodsShareNoClass() {
    int links = 4_949;
    TreeBuilder builder =
        new TreeBuilder(EnsembleLimits.DEFAULT.with(Limit.DEPTH, links + 1), 1, false);
    Tree[] trees = new Tree[2];
    for (int t = 0; t < trees.length; t++) {
      builder.start(t, 4 * links + 1);
      for (int n = 0; n < 4 * links; n += 4) {
        float threshold = 10_000f * t + n;
        builder.split(n, 0, threshold, MissingValue.NAN_LEFT, n + 4, n + 1);
        builder.split(n + 1, 0, threshold + 1, MissingValue.NAN_RIGHT, n + 2, n + 3);
        builder.leaf(n + 2, threshold + 0.25);
        builder.leaf(n + 3, threshold + 0.5);
      }
      builder.leaf(4 * links, t);
      trees[t] = builder.build(0);
    }
    checkAll(
        Seeds.random("methods"),
        TreeEnsemble.builder(List.of("a"), new ModelSource(new ModelFormat("test"), "", ""))
            .trees(List.of(trees))
            .build());
  }
}

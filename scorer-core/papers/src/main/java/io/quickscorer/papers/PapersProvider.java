// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers;

import io.quickscorer.compile.Engines;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.papers.quickscorer.BlockwiseQuickScorer;
import io.quickscorer.papers.quickscorer.RapidScorer;
import io.quickscorer.papers.quickscorer.WideQuickScorer;
import io.quickscorer.papers.traversal.BaggedScorer;
import io.quickscorer.papers.traversal.CodegenScorer;
import io.quickscorer.papers.traversal.FlatTreeScorer;
import io.quickscorer.papers.traversal.GatherScorer;
import io.quickscorer.papers.traversal.LinearLeafScorer;
import io.quickscorer.papers.traversal.PredScorer;
import io.quickscorer.papers.traversal.VPredScorer;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.ScorerProvider;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Provides the engines of this module to the library. */
public final class PapersProvider implements ScorerProvider {
  private static final Map<Algorithm, Engines.Compiler> TABLE = new LinkedHashMap<>();

  static {
    TABLE.put(FlatTreeScorer.STRUCT, FlatTreeScorer::struct);
    TABLE.put(FlatTreeScorer.STRUCT_PLUS, FlatTreeScorer::structPlus);
    TABLE.put(CodegenScorer.ALGORITHM, CodegenScorer::compile);
    TABLE.put(PredScorer.ALGORITHM, PredScorer::new);
    TABLE.put(VPredScorer.ALGORITHM, PapersProvider::vpred);
    Engines.addWidths(TABLE, GatherScorer::compile, GatherScorer.WIDTHS);
    TABLE.put(
        BlockwiseQuickScorer.ALGORITHM,
        (ensemble, progress) ->
            BlockwiseQuickScorer.compile(ensemble, BlockwiseQuickScorer.TREES_PER_BLOCK, progress));
    TABLE.put(WideQuickScorer.ALGORITHM, WideQuickScorer::new);
    Engines.addWidths(TABLE, RapidScorer::compile, RapidScorer.WIDTHS);
  }

  private static EnsembleScorer vpred(TreeEnsemble ensemble, CompileProgress progress) {
    if (ensemble.isBagged()) {
      return new BaggedScorer(ensemble, progress);
    }
    return ensemble.hasLinearLeaves()
        ? new LinearLeafScorer(ensemble, progress)
        : new VPredScorer(ensemble, progress);
  }

  @Override
  public List<Algorithm> algorithms() {
    return List.copyOf(TABLE.keySet());
  }

  /**
   * Returns an empty string, which means available: some engines run on every machine. An engine
   * whose vectors the machine lacks refuses to compile.
   */
  @Override
  public String unavailable() {
    return "";
  }

  @Override
  public EnsembleScorer compile(
      TreeEnsemble ensemble,
      Algorithm algorithm,
      Set<Algorithm> excluded,
      CompileProgress progress) {
    return Objects.requireNonNull(TABLE.get(algorithm)).compile(ensemble, progress);
  }

  @Override
  public @Nullable Algorithm independent(TreeEnsemble ensemble, Algorithm other) {
    if (ensemble.isBagged() || ensemble.hasLinearLeaves()) {
      return other == VPredScorer.ALGORITHM ? null : VPredScorer.ALGORITHM;
    }
    boolean struct = other == FlatTreeScorer.STRUCT_PLUS || other == FlatTreeScorer.STRUCT;
    return struct ? PredScorer.ALGORITHM : FlatTreeScorer.STRUCT_PLUS;
  }
}

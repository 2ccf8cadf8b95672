// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.verify;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.ScorerProvider;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Puts a test's own scorer in the place of what AUTO compiles; there only while one is planted. */
public final class PlantedDefects implements ScorerProvider {
  static volatile @Nullable UnaryOperator<EnsembleScorer> planted;

  /** Whether a class of the module is missing. */
  static volatile boolean broken;

  @Override
  public List<Algorithm> algorithms() {
    return List.of(Algorithm.GPU);
  }

  @Override
  public String unavailable() {
    return planted == null && !broken ? "nothing is planted" : "";
  }

  @Override
  public EnsembleScorer compile(
      TreeEnsemble ensemble,
      Algorithm algorithm,
      Set<Algorithm> excluded,
      CompileProgress progress) {
    if (broken) {
      throw new NoClassDefFoundError("planted");
    }
    throw new UnsupportedEnsembleException(algorithm + ": planted for AUTO alone");
  }

  @Override
  public @Nullable Algorithm independent(TreeEnsemble ensemble, Algorithm other) {
    if (broken) {
      throw new NoClassDefFoundError("planted");
    }
    return null;
  }

  @Override
  public EnsembleScorer accelerate(EnsembleScorer cpu, CompileProgress progress) {
    UnaryOperator<EnsembleScorer> defect = planted;
    return defect == null ? cpu : defect.apply(cpu);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quickscorer.engine.simd.VectorSupport;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import org.junit.jupiter.api.BeforeEach;

/** The contracts at one vector width; skipped, with the reason, where the width is not usable. */
abstract class BitSlicedVectorContract extends BitSlicedContract {
  private final int bits;

  BitSlicedVectorContract(int bits) {
    this.bits = bits;
  }

  @BeforeEach
  void widthIsUsable() {
    String why = VectorSupport.unavailable(bits);
    assumeTrue(why.isEmpty(), why);
  }

  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return BitSlicedScorers.compile(ensemble, bits, CompileProgress.NONE);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quickscorer.engine.simd.VectorSupport;
import org.junit.jupiter.api.BeforeEach;

/** The contract at one vector width; skipped, with the reason, where the width is not usable. */
public abstract class VectorContract extends ScorerContractTest {
  public final int bits;

  public VectorContract(int bits) {
    this.bits = bits;
  }

  @BeforeEach
  void widthIsUsable() {
    String why = VectorSupport.unavailable(bits);
    assumeTrue(why.isEmpty(), why);
  }
}

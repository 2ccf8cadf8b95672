package io.quickscorer.scorer.vector;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quickscorer.testing.ScorerContractTest;
import org.junit.jupiter.api.BeforeEach;

/** The contract at one vector width; skipped, with the reason, where the width is not usable. */
abstract class VectorContract extends ScorerContractTest {
  final int bits;

  VectorContract(int bits) {
    this.bits = bits;
  }

  @BeforeEach
  void widthIsUsable() {
    String why = VectorSupport.unavailable(bits);
    assumeTrue(why.isEmpty(), why);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers;

import io.quickscorer.scorer.Algorithm;
import io.quickscorer.testing.EnginesContract;
import java.util.List;

/** The contract for this module's engines. */
final class CompileProgressTest extends EnginesContract {
  @Override
  protected List<Algorithm> engines() {
    return new PapersProvider().algorithms();
  }
}

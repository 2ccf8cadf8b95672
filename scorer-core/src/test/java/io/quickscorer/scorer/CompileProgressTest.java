// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quickscorer.compile.Engines;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.testing.EnginesContract;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/** The contract for the library's engines. */
final class CompileProgressTest extends EnginesContract {
  @Override
  protected List<Algorithm> engines() {
    return Engines.names().stream()
        .filter(algorithm -> algorithm != Algorithm.LINEAR && !algorithm.label().startsWith("gpu"))
        .toList();
  }

  @Test
  void interruptStops() {
    Thread.currentThread().interrupt();
    assertThrows(CancellationException.class, () -> ScorerCompiler.compile(ensemble, Algorithm.QS));
    assertFalse(Thread.currentThread().isInterrupted());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers;

import io.quickscorer.engine.simd.VectorSupport;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.testing.FirstSpecialValue;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiled code of these engines meets its first special value, in a JVM of its own. */
final class FirstSpecialValueTest {
  @TempDir Path folder;

  @Test
  void everyEngine() throws Exception {
    String[] engines =
        new PapersProvider().algorithms().stream().map(Algorithm::label).toArray(String[]::new);
    FirstSpecialValue.check(folder, List.of(), !VectorSupport.widths().isEmpty(), 0, engines);
  }
}

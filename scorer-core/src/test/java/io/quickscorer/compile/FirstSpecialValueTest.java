// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.quickscorer.engine.simd.VectorSupport;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.testing.FirstSpecialValue;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compiled code meets its first special value, in JVMs of its own: C2 in some JDKs then goes on as
 * if another test had been true (see {@code docs/jit-defects.md}). Which flags make that likely
 * depends on the method and on what the JIT has time for, so there are several.
 */
final class FirstSpecialValueTest {
  private static final List<List<String>> FLAGS =
      List.of(
          List.of(),
          List.of("-XX:-OptimizeUnstableIf"),
          List.of("-XX:-OptimizeUnstableIf", "-XX:-BackgroundCompilation"));

  @TempDir Path folder;

  /** Once this failed in nine of ten JVMs. */
  @Test
  void bitSlicedTakesTinyValuesForWhatTheyAre() throws Exception {
    for (List<String> flags : FLAGS) {
      FirstSpecialValue.check(folder, flags, false, 0, "bitsliced");
    }
  }

  @Test
  void bitSlicedTakesMissingValuesForWhatTheyAre() throws Exception {
    FirstSpecialValue.check(folder, FLAGS.getLast(), false, 3, "bitsliced");
  }

  @Test
  void onVectorsToo() throws Exception {
    List<Integer> widths = VectorSupport.widths();
    assumeFalse(widths.isEmpty(), "no vectors here");
    // One engine: they share what is in question, and only its first run counts.
    FirstSpecialValue.check(folder, FLAGS.getFirst(), true, 0, "bitsliced-" + widths.getLast());
  }

  @Test
  void everyOtherEngineToo() throws Exception {
    String[] others =
        Engines.names().stream()
            .filter(algorithm -> algorithm != Algorithm.LINEAR)
            .map(Algorithm::label)
            .filter(label -> !label.startsWith("bitsliced") && !label.startsWith("gpu"))
            .filter(label -> !label.equals("auto") && !label.equals("cpu"))
            .toArray(String[]::new);
    FirstSpecialValue.check(folder, FLAGS.getFirst(), !VectorSupport.widths().isEmpty(), 0, others);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.quickscorer.engine.simd.VectorSupport;
import io.quickscorer.scorer.Algorithm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
      check(flags, false, 0, "bitsliced");
    }
  }

  @Test
  void bitSlicedTakesMissingValuesForWhatTheyAre() throws Exception {
    check(FLAGS.getLast(), false, 3, "bitsliced");
  }

  @Test
  void onVectorsToo() throws Exception {
    List<Integer> widths = VectorSupport.widths();
    assumeFalse(widths.isEmpty(), "no vectors here");
    // One engine: they share what is in question, and only its first run counts.
    check(FLAGS.getFirst(), true, 0, "bitsliced-" + widths.getLast());
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
    check(FLAGS.getFirst(), !VectorSupport.widths().isEmpty(), 0, others);
  }

  private void check(List<String> flags, boolean vectors, int first, String... engines)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UnlockDiagnosticVMOptions"));
    command.addAll(flags);
    if (vectors) {
      command.add("--add-modules=jdk.incubator.vector");
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(FirstSpecialValue.class.getName());
    command.add(String.valueOf(first));
    command.addAll(Arrays.asList(engines));
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    try {
      assertTrue(process.waitFor(10, TimeUnit.MINUTES), "the JVM does not end");
    } finally {
      process.destroyForcibly();
    }
    String said = Files.readString(out);
    assertEquals(0, process.exitValue(), said);
    assertFalse(said.contains("WRONG"), said);
    assertTrue(said.contains("right"), said);
  }
}

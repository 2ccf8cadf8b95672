// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The committed PTX: the build output of its sources, and code that assemblers take. */
final class PtxTest {
  private static final Path MODULE = Path.of(System.getProperty("gpu.module", "."));
  private static final String FOLDER = "resources/io/quickscorer/gpu";
  static final Path KERNELS = MODULE.resolve("src/main/" + FOLDER + "/quickscorer.ptx");
  private static final Path LIMITS = MODULE.resolve("src/test/" + FOLDER + "/limits.ptx");

  /** How a process ended. */
  record Run(int exit, String output) {}

  /** Runs a process; skips the test if there is no such command. */
  static Run run(Path folder, String... command) throws Exception {
    Path log = folder.resolve("output.txt");
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
    } catch (IOException e) {
      assumeTrue(false, "no " + command[0] + " here: the PTX is not checked with it");
      throw e;
    }
    assertTrue(Processes.ends(process), command[0] + " does not end");
    return new Run(process.exitValue(), Files.readString(log));
  }

  @Test
  void isWhatItsSourcesGive(@TempDir Path folder) throws Exception {
    Run version = run(folder, "nvcc", "--version");
    String compiler = Files.readAllLines(KERNELS).getFirst().replaceFirst(".*Compiler: ", "");
    assumeTrue(
        version.output.contains(compiler),
        "the committed PTX is of nvcc " + compiler + ", here is another one");
    Run build = run(folder, MODULE.resolve("bin/build-ptx").toString(), folder.toString());
    assertEquals(0, build.exit, build.output);
    for (Path committed : List.of(KERNELS, LIMITS)) {
      assertEquals(
          -1,
          Files.mismatch(committed, folder.resolve(committed.getFileName())),
          committed + " is not what its source gives: run bin/build-ptx and commit");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sm_80", "sm_86", "sm_90", "sm_100", "sm_120"})
  void assembles(String target, @TempDir Path folder) throws Exception {
    assumeTrue(
        run(folder, "ptxas", "--help").output.contains("'" + target + "'"),
        "this ptxas does not know " + target);
    Run assembly =
        run(
            folder,
            "ptxas",
            "-v",
            "-arch=" + target,
            "-o",
            folder.resolve("quickscorer.cubin").toString(),
            KERNELS.toString());
    assertEquals(0, assembly.exit, assembly.output);
    List<String> spills =
        assembly.output.lines().filter(l -> l.contains("bytes spill stores")).toList();
    assertFalse(spills.isEmpty(), assembly.output);
    for (String line : spills) {
      assertTrue(line.contains(" 0 bytes spill stores"), "a kernel spills registers: " + line);
    }
  }

  /** No contracted or approximate arithmetic: sums must have the CPU's bits. */
  @Test
  void addsAsTheCpuDoes() throws Exception {
    for (String line : Files.readAllLines(KERNELS)) {
      assertFalse(line.contains("fma.") || line.contains("mad.f") || line.contains(".ftz"), line);
    }
  }
}

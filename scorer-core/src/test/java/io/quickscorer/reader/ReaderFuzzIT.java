// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.ModelFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A short fuzzing of every reader; {@link FuzzCampaign} is the long one. {@code -Dfuzz.seconds}
 * says how long each, {@code -Dfuzz.seed} replays a run.
 */
final class ReaderFuzzIT {
  private static final int SECONDS = Integer.getInteger("fuzz.seconds", 1);
  private static final int SEED = FuzzCampaign.seed();

  @TempDir Path folder;

  @ParameterizedTest
  @MethodSource("io.quickscorer.reader.FuzzCampaign#readers")
  void nothingButRefusals(ModelFormat format) throws IOException, InterruptedException {
    assertTrue(!FuzzSeeds.of(format).isEmpty(), "add a small model to DamagedModelsTest");
    FuzzRun run = FuzzRun.of(folder, format, SECONDS, Integer.MAX_VALUE, SEED);
    System.out.printf(
        "fuzzed %s: %d executions, %d edges, %d inputs kept%n",
        format.label(), run.executions(), run.edges(), run.corpus());
    assertEquals(List.of(), run.findings());
    assertTrue(run.edges() > 100, "the reader is instrumented");
  }
}

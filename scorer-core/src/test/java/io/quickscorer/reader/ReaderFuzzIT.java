// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.ModelFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A short fuzzing of some readers, which the seed selects, as each needs a JVM; {@link
 * FuzzCampaign} is the long one, of all. {@code -Dfuzz.seconds} says how long each, {@code
 * -Dfuzz.readers} which, {@code -Dfuzz.seed} replays a run.
 */
final class ReaderFuzzIT {
  private static final int SECONDS = Integer.getInteger("fuzz.seconds", 1);
  private static final int SEED = FuzzCampaign.seed();

  private static final int READERS = 4;

  @TempDir Path folder;

  static List<ModelFormat> readers() {
    List<ModelFormat> all = new ArrayList<>(FuzzCampaign.readers());
    Collections.shuffle(all, new Random(SEED));
    return all.subList(0, Math.min(READERS, all.size()));
  }

  @Test
  void eachReaderHasFilesToBeginWith() throws IOException {
    for (ModelFormat format : FuzzCampaign.readers()) {
      assertFalse(
          FuzzSeeds.of(format).isEmpty(),
          () -> "add a small model of the format " + format.label() + " to DamagedModelsTest");
    }
  }

  @ParameterizedTest
  @MethodSource("readers")
  void nothingButRefusals(ModelFormat format) throws IOException, InterruptedException {
    FuzzRun run = FuzzRun.of(folder, format, SECONDS, Integer.MAX_VALUE, SEED);
    System.out.printf(
        "fuzzed %s: %d executions, %d edges, %d inputs kept%n",
        format.label(), run.executions(), run.edges(), run.corpus());
    assertEquals(List.of(), run.findings());
    assertTrue(run.edges() > 100, "the reader is instrumented");
  }
}

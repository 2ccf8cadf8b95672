// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;

/** The oracle of the fuzzing notices what it is there to notice. */
final class ReaderOracleTest {
  private static final byte[] MODEL = SmallModels.bytes(SmallModels.LIGHTGBM);
  private static final ModelFormat FORMAT = ModelFormats.LIGHTGBM_TEXT;

  @Test
  void modelsAndRefusals() {
    assertTrue(ReaderOracle.offer(MODEL, FORMAT));
    assertFalse(ReaderOracle.offer(new byte[10], FORMAT));
  }

  @Test
  void undeclaredThrowables() {
    assertThrows(
        ArrayIndexOutOfBoundsException.class,
        () ->
            ReaderOracle.offer(
                MODEL,
                FORMAT,
                (file, format, limits) -> {
                  throw new ArrayIndexOutOfBoundsException(7);
                }));
  }

  @Test
  void refusalsThatSayNothing() {
    assertFinding(
        "says nothing",
        (file, format, limits) -> {
          throw new InvalidModelException("");
        });
  }

  @Test
  void allocation() {
    List<byte[]> kept = new ArrayList<>();
    assertFinding(
        "bytes of heap",
        (file, format, limits) -> {
          kept.add(new byte[3 << 20]);
          return ModelReader.read(file, format, limits);
        });
  }

  @Test
  void time() {
    long[] sum = new long[1];
    assertFinding(
        "ns, at most",
        (file, format, limits) -> {
          for (long i = 0; i < 6_000_000_000L; i++) {
            sum[0] ^= i * i;
          }
          return ModelReader.read(file, format, limits);
        });
  }

  /** A reader that respects other limits than those it was given. */
  @Test
  void brokenPromises() {
    String wide = SmallModels.LIGHTGBM.replace("max_feature_idx=1", "max_feature_idx=1100");
    StringBuilder names = new StringBuilder("feature_names=a b");
    for (int f = 2; f <= 1100; f++) {
      names.append(" c").append(f);
    }
    byte[] model = SmallModels.bytes(wide.replace("feature_names=a b", names.toString()));
    AssertionError e =
        assertThrows(
            AssertionError.class,
            () ->
                ReaderOracle.offer(
                    model,
                    FORMAT,
                    (file, format, limits) ->
                        ModelReader.read(file, format, EnsembleLimits.DEFAULT)));
    assertEquals("broken promise: too many features", e.getMessage());
  }

  private static void assertFinding(String said, ReaderOracle.Reader reader) {
    AssertionError e =
        assertThrows(AssertionError.class, () -> ReaderOracle.offer(MODEL, FORMAT, reader));
    assertTrue(String.valueOf(e.getMessage()).contains(said), e.getMessage());
  }

  /** The names of the features are a larger part of these files than of others. */
  @Test
  void linearModelsTakeAtMost192BytesPerByte() {
    StringJoiner weights = new StringJoiner(",", "{", "}");
    for (int f = 0; f < 40_000; f++) {
      weights.add("\"feature_" + f + "\":0.5");
    }
    byte[] file = weights.toString().getBytes(StandardCharsets.UTF_8);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long smallest = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      ModelReader.read(file, ModelFormat.AUTO, EnsembleLimits.DEFAULT);
      smallest = Math.min(smallest, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertTrue(smallest <= 192L * file.length + (1 << 20), smallest + " of " + file.length);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quickscorer.testing.Seeds;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The logarithm of the C library, compared with that of the machine where it is glibc. */
final class CLibraryLogTest {
  private static final int BASE_SCORES = 1_000_000;

  /** Between neighbours that are tried of all positive floats; prime, so that all parts are met. */
  private static final int STEP = 499;

  /** The machine's own {@code logf}; the test is left out where there is no glibc. */
  @SuppressWarnings("restricted")
  private static MethodHandle logf() {
    assumeTrue("Linux".equals(System.getProperty("os.name")));
    SymbolLookup library = SymbolLookup.loaderLookup();
    try {
      library = SymbolLookup.libraryLookup("libm.so.6", Arena.global());
    } catch (IllegalArgumentException e) {
      assumeTrue(false, "no glibc: " + e.getMessage());
    }
    return Linker.nativeLinker()
        .downcallHandle(
            library.find("logf").orElseThrow(),
            FunctionDescriptor.of(ValueLayout.JAVA_FLOAT, ValueLayout.JAVA_FLOAT),
            Linker.Option.critical(false));
  }

  @Test
  void sameBitsAsTheMachinesOwn() throws Throwable {
    MethodHandle logf = logf();
    int others = 0;
    for (int bits = 1; bits < Float.floatToRawIntBits(Float.POSITIVE_INFINITY); bits += STEP) {
      float x = Float.intBitsToFloat(bits);
      float expected = (float) logf.invokeExact(x);
      assertSame(expected, CLibraryLog.log(x), x);
      others += expected == (float) Math.log(x) ? 0 : 1;
    }
    assertTrue(others > 0, "the library rounds to nearest: the comparison shows nothing");
    for (float x : new float[] {0, -0f, -1, Float.POSITIVE_INFINITY, Float.NaN}) {
      float expected = (float) logf.invokeExact(x);
      assertSame(expected, CLibraryLog.log(x), x);
    }
  }

  /** A million base scores for each family of objectives. */
  @Test
  void baseMarginsOfTheMachinesOwn() throws Throwable {
    MethodHandle logf = logf();
    SplittableRandom random = Seeds.random("CLibraryLogTest");
    for (int i = 0; i < BASE_SCORES; i++) {
      float share =
          i % 2 == 0 ? (float) random.nextDouble() : (float) Math.exp(-30 * random.nextDouble());
      if (share > 0 && share < 1) {
        float expected = -(float) logf.invokeExact(1f / share - 1f);
        if (Float.isFinite(expected)) {
          assertSame(expected, XGBoostObjective.LOGISTIC.baseMargin(share, false, 0), share);
        }
      }
      float mean = (float) Math.exp(170 * random.nextDouble() - 85);
      float expected = (float) logf.invokeExact(mean);
      assertSame(expected, XGBoostObjective.LOG.baseMargin(mean, false, 0), mean);
    }
  }

  /** Logarithms that glibc does not round to nearest, so that every platform checks some. */
  @Test
  void notRoundedToNearest() {
    assertEquals(0x1.2d3408p-2f, CLibraryLog.log(0x1.578bccp0f));
    assertEquals(0x1.59ea9p-6f, CLibraryLog.log(0x1.05766p0f));
    assertEquals(-0x1.be7b82p0f, CLibraryLog.log(0x1.660148p-3f));
    assertEquals(0x1.358b32p-6f, CLibraryLog.log(0x1.04e1f2p0f));
    assertEquals(0x1.accc7ap0f, CLibraryLog.log(0x1.55ae62p2f));
    assertEquals(0x1.b5dcd6p-2f, CLibraryLog.log(0x1.88983cp0f));
  }

  /** Before 3.2 nothing was clamped; zero and one were refused, and later versions clamp them. */
  @Test
  void clampedFromVersion32On() {
    float least = 1e-6f;
    XGBoostObjective logistic = XGBoostObjective.LOGISTIC;
    assertEquals(-CLibraryLog.log(1f / least - 1f), logistic.baseMargin(1e-9f, true, 0));
    assertEquals(-CLibraryLog.log(1f / 1e-9f - 1f), logistic.baseMargin(1e-9f, false, 0));
    assertEquals(logistic.baseMargin(0, true, 0), logistic.baseMargin(0, false, 0));
    assertEquals(logistic.baseMargin(1, true, 0), logistic.baseMargin(1, false, 0));
    assertTrue(XGBoostObjective.clamps(3, 2) && XGBoostObjective.clamps(4, 0));
    assertTrue(!XGBoostObjective.clamps(3, 1) && !XGBoostObjective.clamps(2, 9));
  }

  private static void assertSame(float expected, float log, float of) {
    if (Float.floatToRawIntBits(expected) != Float.floatToRawIntBits(log)
        && !(Float.isNaN(expected) && Float.isNaN(log))) {
      assertEquals(expected, log, "of " + of);
    }
  }
}

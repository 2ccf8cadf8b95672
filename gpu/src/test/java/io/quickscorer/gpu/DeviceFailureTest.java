// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Seeds;
import io.quickscorer.testing.Values;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Failures injected at every call of the driver: the request is scored, on the CPU if need be. */
final class DeviceFailureTest {
  private static final int OUT_OF_MEMORY = 2;
  private static final int LAUNCH_FAILED = 719;

  private static final Duration LIMIT = Duration.ofMillis(40);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<?>> bounded = Collections.synchronizedList(new ArrayList<>());
  private volatile boolean hangs;
  private final SplittableRandom random = Seeds.random("failures");
  private final TreeEnsemble ensemble = RandomEnsembles.of(random).trees(40).build();
  private final FeatureMatrix matrix = Values.documents(random, ensemble, 50);
  private final EnsembleScorer cpu = ScorerCompiler.compile(ensemble, Algorithm.CPU);
  private final double[] expected = score(ReferenceScorer.compile(ensemble));

  private double[] score(EnsembleScorer scorer) {
    double[] scores = new double[matrix.documents()];
    scorer.score(matrix, scorer.newScratch(), scores);
    return scores;
  }

  @AfterEach
  void heal() throws Exception {
    Standin.failAfter(0, 0, false);
    hang(-1);
    threads.shutdown();
  }

  @Test
  void lostAtAnyCallOfQuickScorer() {
    lostAtAnyCall(DeviceScorers::quick);
  }

  @Test
  void lostAtAnyCallOfTraversal() {
    lostAtAnyCall(DeviceScorers::traversal);
  }

  private void lostAtAnyCall(BiFunction<TreeEnsemble, GpuDevice, DeviceScorer> compiler) {
    Standin.require();
    int failures = 0;
    for (int call = 0; ; call++) {
      long before = Standin.deviceBytes();
      long pinnedBefore = Standin.pinnedBytes();
      GpuDevice device = Standin.device();
      OffloadScorer scorer = OffloadScorer.alwaysOnDevice(compiler.apply(ensemble, device), cpu);
      Standin.failAfter(call, LAUNCH_FAILED, true);
      assertArrayEquals(expected, score(scorer), "failure at call " + call);
      OffloadScorer.Usage usage = scorer.usage();
      // A device that is lost is not asked again.
      assertArrayEquals(expected, score(scorer));
      scorer.close();
      Standin.failAfter(0, 0, false);
      // A lost device keeps what it held, page-locked memory too.
      assertEquals(Standin.deviceBytes() - before, device.bytes());
      assertEquals(Standin.pinnedBytes() - pinnedBefore, device.pinnedBytes());
      if (usage.failed() == 0) {
        assertEquals(new OffloadScorer.Usage(1, 0, 0, ""), usage);
        break;
      }
      failures++;
      assertEquals(new OffloadScorer.Usage(0, 1, 1, usage.lost()), scorer.usage());
      assertEquals(1, device.accelerator().failures());
      assertEquals(usage.lost(), device.accelerator().lost());
      assertTrue(usage.lost().endsWith("CUDA_ERROR_LAUNCH_FAILED (719)"), usage.lost());
      assertTrue(device.bytes() > 0);
    }
    assertTrue(failures > 10, "only " + failures + " calls failed");
  }

  @Test
  void outOfMemoryPasses() {
    GpuDevice device = Standin.device();
    OffloadScorer scorer =
        OffloadScorer.alwaysOnDevice(DeviceScorers.traversal(ensemble, device), cpu);
    int failures = 0;
    for (int call = 0; call < 30; call++) {
      Standin.failAfter(call, OUT_OF_MEMORY, false);
      assertArrayEquals(expected, score(scorer), "out of memory at call " + call);
      Standin.failAfter(0, 0, false);
      failures += (int) scorer.usage().failed() > failures ? 1 : 0;
      assertArrayEquals(expected, score(scorer));
    }
    assertNull(device.lost());
    assertTrue(failures > 5, "only " + failures + " calls failed");
    assertEquals(60 - failures, scorer.usage().device());
    scorer.close();
    device.trim();
    assertEquals(0, device.bytes());
  }

  @Test
  void deviceThatHangsIsLeftAlone() throws Exception {
    GpuDevice device = impatient();
    OffloadScorer scorer =
        OffloadScorer.alwaysOnDevice(DeviceScorers.traversal(ensemble, device), cpu);
    hang(0);
    // More calls than streams: some wait for a stream, all get their scores.
    int calls = 2 * GpuDevice.STREAMS;
    try (ExecutorService searches = Executors.newFixedThreadPool(calls)) {
      List<Future<double[]>> results = new ArrayList<>();
      for (int i = 0; i < calls; i++) {
        results.add(searches.submit(() -> score(scorer)));
      }
      for (Future<double[]> result : results) {
        assertArrayEquals(expected, result.get());
      }
    } finally {
      hang(-1);
    }
    String lost = String.valueOf(device.lost());
    assertTrue(lost.endsWith(": the work did not end within 40 ms (702)"), lost);
    assertEquals(0, device.underWay());
    long before = Standin.calls();
    assertArrayEquals(expected, score(scorer));
    scorer.close();
    device.trim();
    assertEquals(before, Standin.calls());
  }

  /**
   * The device may hang in any call that waits for it, of a search or of closing the model: no
   * caller waits for good, and all get their scores.
   */
  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void hangsAtAnyCallOfASearch() throws Exception {
    hangsAtAnyCall(
        15,
        wait -> {
          GpuDevice device = impatient();
          OffloadScorer scorer =
              OffloadScorer.alwaysOnDevice(DeviceScorers.traversal(ensemble, device), cpu);
          boolean lost = true;
          hang(wait);
          try {
            for (int call = 0; call < 4; call++) {
              assertArrayEquals(expected, score(scorer), "wait " + wait);
            }
            scorer.close();
            lost = device.lost() != null;
            int before = bounded.size();
            assertArrayEquals(expected, score(scorer), "wait " + wait);
            assertTrue(!lost || before == bounded.size(), "a device that hung is used");
          } catch (IllegalStateException e) {
            assertEquals("the model was removed from the GPU's memory", e.getMessage());
          } finally {
            hang(-1);
          }
          return lost;
        });
  }

  private interface Hanging {
    /** Returns whether a device is lost if it hangs after this many waits. */
    boolean isLost(int wait) throws Exception;
  }

  private static void hangsAtAnyCall(int min, Hanging work) throws Exception {
    Standin.require();
    int hung = 0;
    while (work.isLost(hung)) {
      hung++;
    }
    assertTrue(hung > min, hung + " calls hung");
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void hangsAtAnyCallOfAnUpload() throws Exception {
    hangsAtAnyCall(
        10,
        wait -> {
          GpuRuntime runtime = new GpuRuntime(List.of(impatient()), "");
          hang(wait);
          try {
            runtime
                .compile(ensemble, Algorithm.GPU, DeviceScorers::traversal, CompileProgress.NONE)
                .close();
          } catch (UnsupportedEnsembleException e) {
            assertTrue(e.getMessage().contains("did not end within"), e.getMessage());
          } finally {
            hang(-1);
          }
          return !runtime.unavailable().isEmpty();
        });
  }

  private GpuDevice impatient() {
    return new GpuDevice(Standin.driver(), 0, LIMIT, this::run);
  }

  /** Runs a call in the thread of the test, however long it takes, until {@link #hang}. */
  private void run(Runnable call) {
    if (hangs) {
      bounded.add(threads.submit(call));
    } else {
      call.run();
    }
  }

  /** Lets the device hang after so many waits; heals it and ends all calls if it is negative. */
  private void hang(long waits) throws Exception {
    hangs = waits >= 0;
    Standin.hang(waits);
    if (!hangs) {
      for (Future<?> call : bounded) {
        call.get();
      }
    }
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void driverThatDoesNotStartIsLeftAlone() throws Exception {
    Standin.require();
    hang(0);
    try {
      GpuRuntime runtime = GpuRuntime.find(LIMIT, this::run);
      assertEquals("cuInit: the work did not end within 40 ms (702)", runtime.unavailable());
    } finally {
      hang(-1);
    }
  }

  @Test
  void refusedDevicesGiveTheirContextBack() {
    Standin.require();
    int refused = 0;
    for (int call = 0; call < 20; call++) {
      long before = Standin.contexts();
      Standin.failAfter(call, LAUNCH_FAILED, false);
      try {
        Standin.device();
      } catch (CudaException e) {
        refused++;
        assertEquals(before, Standin.contexts(), "failure at call " + call);
      }
      Standin.failAfter(0, 0, false);
    }
    assertTrue(refused > 10, "only " + refused + " calls failed");
  }

  /** Batches of ever more documents move a stream's buffers a few times, and waste little. */
  @Test
  void buffersGrowInSteps() {
    GpuDevice device = Standin.device();
    DeviceStream stream = device.acquireStream();
    for (int bytes = 1 << 16; bytes <= 1 << 20; bytes += 1000) {
      long size = bytes;
      stream.values.reserve(size);
      assertTrue(device.bytes() >= size && device.bytes() <= size * 5 / 4 + 1024, "" + size);
    }
    assertTrue(stream.moves() <= 4 * 4 + 1, "" + stream.moves());
    device.release(stream);
    device.trim();
  }

  @Test
  void modelsThatDoNotFitAreRefused() {
    GpuRuntime runtime = new GpuRuntime(List.of(Standin.device()), "");
    Standin.failAfter(4, OUT_OF_MEMORY, false);
    UnsupportedEnsembleException refused =
        assertThrows(
            UnsupportedEnsembleException.class,
            () ->
                runtime.compile(
                    ensemble, Algorithm.GPU, DeviceScorers::traversal, CompileProgress.NONE));
    assertTrue(refused.getMessage().contains("CUDA_ERROR_OUT_OF_MEMORY"), refused.getMessage());
    assertEquals(0, runtime.devices.getFirst().bytes());
    assertEquals("", runtime.unavailable());

    Standin.failAfter(4, LAUNCH_FAILED, true);
    assertThrows(
        UnsupportedEnsembleException.class,
        () ->
            runtime.compile(
                ensemble, Algorithm.GPU, DeviceScorers::traversal, CompileProgress.NONE));
    assertTrue(runtime.unavailable().startsWith("Emulated 9.0 failed"), runtime.unavailable());
  }

  @Test
  void ensemblesTooLargeAreRefused() {
    GpuDevice device = Standin.device();
    SplitColumns.Column column =
        new SplitColumns.Column(0, MissingValue.NAN_LEFT, null, new float[1]);
    ModelMemory memory = new ModelMemory(device);
    UnsupportedEnsembleException refused =
        assertThrows(
            UnsupportedEnsembleException.class,
            () -> new RankStep(memory, Collections.nCopies(65_536, column)));
    assertEquals(
        "gpu: the thresholds and categories of the model need 65536 columns, at most 65535 allowed",
        refused.getMessage());
    assertThrows(UnsupportedEnsembleException.class, () -> SplitColumns.direct(1L << 31));
    assertEquals(0, device.bytes());
  }

  @Test
  void devicesTakeTurnsAndLostOnesAreLeftOut() {
    GpuDevice first = Standin.device();
    GpuDevice second = Standin.device(1);
    GpuRuntime runtime = new GpuRuntime(List.of(first, second), "");
    assertNotEquals(runtime.next(), runtime.next());
    first.failed(new CudaException("test", LAUNCH_FAILED, "lost"));
    assertEquals(second, runtime.next());
    assertEquals(second, runtime.next());
    assertEquals("", runtime.unavailable());
  }

  @Test
  void devicesTooOldAreRefused() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Standin.device(2));
    assertEquals(
        "Emulated 7.5: compute capability 7.5, expected 8.0 or higher", refused.getMessage());
  }

  @Test
  void closingFreesTheDevice() {
    GpuDevice device = Standin.device();
    long before = Standin.deviceBytes();
    DeviceScorer scorer = DeviceScorers.traversal(ensemble, device);
    assertEquals(before + scorer.bytes(), Standin.deviceBytes());
    assertArrayEquals(expected, score(scorer));
    device.trim();
    assertEquals(scorer.bytes(), device.bytes());
    scorer.close();
    scorer.close();
    assertEquals(0, device.bytes());
    assertEquals(0, device.pinnedBytes());
    assertEquals(before, Standin.deviceBytes());
    Scratch scratch = scorer.newScratch();
    assertThrows(
        IllegalStateException.class,
        () -> scorer.score(matrix, scratch, new double[matrix.documents()]));
  }

  @Test
  void readersKeepClosedMemory() {
    GpuDevice device = Standin.device();
    device.makeCurrent();
    ModelMemory memory = new ModelMemory(device);
    memory.upload(SplitColumns.direct(100));
    assertTrue(memory.enter());
    memory.close();
    assertEquals(100, device.bytes());
    assertTrue(!memory.enter());
    memory.leave();
    assertEquals(0, device.bytes());
  }
}

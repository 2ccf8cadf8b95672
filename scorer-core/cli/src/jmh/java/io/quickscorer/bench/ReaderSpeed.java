// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import com.sun.management.ThreadMXBean;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelFormats;
import io.quickscorer.reader.ModelReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * How fast model files are read, in bytes of the file per second of the thread's own time, and what
 * memory that takes, as multiples of the file: allocated in all, kept by the ensemble, and needed
 * at the worst moment with the file itself. The last is the smallest heap of {@link #HEAPS} in
 * which another JVM reads the file.
 *
 * <p>{@code mvn -B -Pjmh -pl scorer-core/cli -am verify -DskipTests
 * -Dbench.main=io.quickscorer.bench.ReaderSpeed -Dbench.args="2000 255"}
 */
public final class ReaderSpeed {
  private static final double[] HEAPS = {1.5, 2, 2.5, 3, 4, 6, 8};

  /** What a JVM needs for itself. */
  private static final int JVM_BYTES = 8 << 20;

  private static final int ROUNDS = 9;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private ReaderSpeed() {}

  /** Trees, leaves and perhaps formats; or a file and its format, which is read and no more. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    if (Files.exists(Path.of(arguments[0]))) {
      read(Files.readAllBytes(Path.of(arguments[0])), ModelFormats.of(arguments[1]));
      return;
    }
    int trees = Integer.parseInt(arguments[0]);
    int leaves = Integer.parseInt(arguments[1]);
    List<String> wanted = Arrays.asList(arguments).subList(2, arguments.length);
    System.out.printf(
        Locale.ROOT,
        "%d trees of %d leaves; memory in multiples of the file%n%-18s %8s %8s %10s %6s %5s%n",
        trees,
        leaves,
        "format",
        "MB",
        "MB/s",
        "allocated",
        "kept",
        "heap");
    for (ModelFormat format : ModelFiles.formats()) {
      if (wanted.isEmpty() || wanted.contains(format.label())) {
        measure(format, ModelFiles.of(format, trees, leaves));
      }
    }
  }

  private static TreeEnsemble read(byte[] file, ModelFormat format) {
    return ModelReader.read(file, format, EnsembleLimits.DEFAULT);
  }

  private static void measure(ModelFormat format, byte[] file)
      throws IOException, InterruptedException {
    double[] seconds = new double[ROUNDS];
    double allocated = 0;
    for (int round = -ROUNDS; round < ROUNDS; round++) {
      long nanos = THREADS.getCurrentThreadCpuTime();
      long bytes = THREADS.getCurrentThreadAllocatedBytes();
      Objects.requireNonNull(read(file, format));
      allocated = THREADS.getCurrentThreadAllocatedBytes() - bytes;
      seconds[Math.max(0, round)] = (THREADS.getCurrentThreadCpuTime() - nanos) * 1e-9;
    }
    Arrays.sort(seconds);
    long before = used();
    TreeEnsemble kept = read(file, format);
    double size = file.length;
    double retained = (used() - before) / size;
    System.out.printf(
        Locale.ROOT,
        "%-18s %8.1f %8.0f %10.2f %6.2f %5s%n",
        format.label(),
        size / 1e6,
        size / 1e6 / seconds[ROUNDS / 2],
        allocated / size,
        retained,
        neededHeap(format, file));
    Objects.requireNonNull(kept);
  }

  private static long used() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static String neededHeap(ModelFormat format, byte[] file)
      throws IOException, InterruptedException {
    Path path = Files.createTempFile("model", ".bin");
    try {
      Files.write(path, file);
      for (double multiple : HEAPS) {
        if (readsIn((long) (multiple * file.length) + JVM_BYTES, path, format)) {
          return String.format(Locale.ROOT, "%.1f", multiple);
        }
      }
      return "more";
    } finally {
      Files.delete(path);
    }
  }

  private static boolean readsIn(long heap, Path file, ModelFormat format)
      throws IOException, InterruptedException {
    // Young objects get little of the heap, so that it may be full of the model.
    return new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx" + heap,
                "-XX:MaxNewSize=4m",
                "-cp",
                System.getProperty("java.class.path"),
                ReaderSpeed.class.getName(),
                file.toString(),
                format.label())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }
}

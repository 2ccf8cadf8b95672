// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The stand-in for {@code libcuda.so.1}: built from src/test/cpp and the kernels' own sources, then
 * loaded, so that the module finds it where it looks for the driver. Tests that need it are
 * skipped, with a message, where no C++ compiler is. The property {@code gpu.module} names the
 * module's folder.
 */
public final class Standin {
  private static final Path MODULE = Path.of(System.getProperty("gpu.module", "."));
  private static final String FILE = "libcuda.so.1";
  private static final List<String> COMPILER =
      List.of(
          "g++",
          "-std=c++17",
          "-O2",
          "-ffp-contract=off",
          "-fPIC",
          "-shared",
          "-pthread",
          "-Wall",
          "-Wextra",
          "-Werror",
          "-Wno-unknown-pragmas",
          "-DQUICKSCORER_EMULATED",
          "-Wl,-soname," + FILE);

  /** A busy machine may need longer to emulate a batch than the module waits for a device. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final class Holder {
    static final @Nullable Path LIBRARY = build();
  }

  private static final class Loaded {
    static final SymbolLookup SYMBOLS = load();
  }

  private Standin() {}

  /** Skips the calling test unless the stand-in could be built; loads it. */
  static void require() {
    assumeTrue(Holder.LIBRARY != null, "no g++ here: kernels are not run");
    Loaded.SYMBOLS.findOrThrow("cuInit");
  }

  /** The module's binding to the stand-in; one for all tests of this JVM. */
  static CudaDriver driver() {
    require();
    return Driver.DRIVER;
  }

  /** Opens a device whose calls of the driver all come from the thread that scores. */
  static GpuDevice device() {
    return new GpuDevice(driver(), 0, PATIENCE, Runnable::run);
  }

  /** Opens a device as the module does, except for the time limit of a batch. */
  static GpuDevice device(int ordinal) {
    return new GpuDevice(driver(), ordinal, PATIENCE, BoundedCalls.THREADS);
  }

  private static final class Driver {
    static final CudaDriver DRIVER = Objects.requireNonNull(DriverLoader.load().driver());
  }

  /** The folder with the library, for the library path of another process. */
  public static Path folder() {
    assumeTrue(Holder.LIBRARY != null, "no g++ here: kernels are not run");
    return Holder.LIBRARY.getParent();
  }

  /**
   * Returns the library's path. It is compiled once for all processes, until a source changes; null
   * without a compiler.
   */
  private static @Nullable Path build() {
    Path sources = MODULE.resolve("src/test/cpp");
    List<String> command = new ArrayList<>(COMPILER);
    command.add("-I" + sources);
    command.add("-I" + MODULE.resolve("src/main/cuda"));
    command.add(sources.resolve("standin_libcuda.cpp").toString());
    command.add(sources.resolve("cuda_emulation.cpp").toString());
    try {
      Path target = Files.createDirectories(MODULE.resolve("target")).toAbsolutePath();
      Path built = target.resolve("standin-" + version(command));
      if (!Files.exists(built.resolve(FILE))) {
        Path folder = Files.createTempDirectory(target, "standin");
        command.addAll(List.of("-o", folder.resolve(FILE).toString()));
        if (!compile(command, folder)) {
          return null;
        }
        move(folder, built);
      }
      return built.resolve(FILE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static String version(List<String> command) throws IOException {
    CRC32 sum = new CRC32();
    sum.update(command.toString().getBytes(StandardCharsets.UTF_8));
    for (String folder : List.of("src/main/cuda", "src/test/cpp", "src/test/cuda")) {
      try (Stream<Path> files = Files.list(MODULE.resolve(folder))) {
        for (Path file : files.sorted().toList()) {
          sum.update(Files.readAllBytes(file));
        }
      }
    }
    return Long.toHexString(sum.getValue());
  }

  /** Returns false if there is no compiler. */
  private static boolean compile(List<String> command, Path folder)
      throws IOException, InterruptedException {
    Path log = folder.resolve("compiler.log");
    Process compiler;
    try {
      compiler =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
    } catch (IOException e) {
      return false;
    }
    if (!Processes.ends(compiler) || compiler.exitValue() != 0) {
      throw new IllegalStateException("the stand-in does not compile:\n" + Files.readString(log));
    }
    return true;
  }

  private static void move(Path folder, Path built) throws IOException {
    try {
      Files.move(folder, built, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      // Another process was faster.
      if (!Files.exists(built.resolve(FILE))) {
        throw e;
      }
    }
  }

  private static SymbolLookup load() {
    // Once it is in the process, every look-up of its soname finds it.
    System.load(folder().resolve(FILE).toString());
    return SymbolLookup.libraryLookup(FILE, Arena.global());
  }

  /**
   * Lets this thread's call of the driver after the next ones fail; with lose, all its calls that
   * follow too. 0 heals.
   */
  static void failAfter(long calls, int code, boolean lose) {
    MethodHandle handle =
        Linker.nativeLinker()
            .downcallHandle(
                Loaded.SYMBOLS.findOrThrow("standinFailAfter"),
                FunctionDescriptor.ofVoid(
                    ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    try {
      handle.invokeExact(calls, code, lose ? 1 : 0);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Bytes of device memory that are allocated. */
  static long deviceBytes() {
    return count("standinDeviceBytes");
  }

  static long pinnedBytes() {
    return count("standinPinnedBytes");
  }

  /** Copies from pageable memory that have returned and are not on their device yet. */
  static long uploads() {
    return count("standinUploads");
  }

  /** Kernels launched so far. */
  static long launches() {
    return count("standinLaunches");
  }

  /** Graphs that exist. */
  static long graphs() {
    return count("standinGraphs");
  }

  static long graphLaunches() {
    return count("standinGraphLaunches");
  }

  /** Lets graphs change a bit of the scores, or no longer. */
  static void spoilGraphs(boolean on) {
    flag("standinSpoilGraphs", on);
  }

  /**
   * After so many waits for it, the device hangs: no stream's work ends, and calls of the driver
   * that may wait for the device do not return. A negative number heals it.
   */
  static void hang(long waits) {
    MethodHandle handle =
        Linker.nativeLinker()
            .downcallHandle(
                Loaded.SYMBOLS.findOrThrow("standinHang"),
                FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));
    try {
      handle.invokeExact(waits);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static void flag(String name, boolean on) {
    MethodHandle handle =
        Linker.nativeLinker()
            .downcallHandle(
                Loaded.SYMBOLS.findOrThrow(name), FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT));
    try {
      handle.invokeExact(on ? 1 : 0);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Contexts that are held. */
  static long contexts() {
    return count("standinContexts");
  }

  /** Calls of the driver by this thread that use a device. */
  static long calls() {
    return count("standinCalls");
  }

  private static long count(String name) {
    MethodHandle handle =
        Linker.nativeLinker()
            .downcallHandle(
                Loaded.SYMBOLS.findOrThrow(name), FunctionDescriptor.of(ValueLayout.JAVA_LONG));
    try {
      return (long) handle.invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}

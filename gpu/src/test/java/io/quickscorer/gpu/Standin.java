// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The stand-in for {@code libcuda.so.1}: built once per JVM from src/test/cpp and the kernels' own
 * sources, then loaded, so that the module finds it where it looks for the driver. Tests that need
 * it are skipped, with a message, where no C++ compiler is. The property {@code gpu.module} names
 * the module's folder.
 */
public final class Standin {
  private static final Path MODULE = Path.of(System.getProperty("gpu.module", "."));
  private static final String FILE = "libcuda.so.1";

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

  private static final class Driver {
    static final CudaDriver DRIVER = Objects.requireNonNull(DriverLoader.load().driver());
  }

  /** The folder with the library, for the library path of another process. */
  public static Path folder() {
    assumeTrue(Holder.LIBRARY != null, "no g++ here: kernels are not run");
    return Holder.LIBRARY.getParent();
  }

  private static @Nullable Path build() {
    try {
      Path folder = Files.createTempDirectory("standin").toAbsolutePath();
      Path sources = MODULE.resolve("src/test/cpp");
      Process compiler;
      try {
        compiler =
            new ProcessBuilder(
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
                    "-I" + sources,
                    "-I" + MODULE.resolve("src/main/cuda"),
                    "-Wl,-soname," + FILE,
                    "-o",
                    folder.resolve(FILE).toString(),
                    sources.resolve("standin_libcuda.cpp").toString(),
                    sources.resolve("cuda_emulation.cpp").toString())
                .redirectErrorStream(true)
                .redirectOutput(new File(folder.toFile(), "compiler.log"))
                .start();
      } catch (IOException e) {
        return null;
      }
      if (!Processes.ends(compiler) || compiler.exitValue() != 0) {
        throw new IllegalStateException(
            "the stand-in does not compile:\n" + Files.readString(folder.resolve("compiler.log")));
      }
      return folder.resolve(FILE);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
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

  /** From now on no stream's work ends, or no longer. */
  static void hang(boolean on) {
    flag("standinHang", on);
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

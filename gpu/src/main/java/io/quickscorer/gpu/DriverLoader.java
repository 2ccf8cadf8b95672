// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/**
 * Loads the CUDA driver, or returns in one sentence why this is not possible.
 *
 * <p>By default, JCuda extracts its native library to a fixed name in the shared temporary
 * directory. Another user could replace this file, and a truncated file would end the JVM.
 * Therefore this class writes the library to a new private directory, and deletes the library after
 * loading. A separate class loader defines JCuda's classes and gives JCuda the path of the library,
 * so that JCuda does not extract it.
 */
final class DriverLoader {
  private static final String LIBCUDA = "libcuda.so.1";
  private static final int OLDEST_CUDA = 12_000;
  private static final int DRIVER_STARTED = 0;
  private static final String BINDING = "JCudaDriver-12.6.0-linux-x86_64";
  private static final String BINDING_FILE = "lib" + BINDING + ".so";

  /**
   * The result of loading the driver.
   *
   * @param driver the driver; null if it could not be loaded
   * @param reason why there is no driver; empty if there is one
   */
  record Result(@Nullable CudaDriver driver, String reason) {}

  private DriverLoader() {}

  /**
   * Loads the driver. Never throws: every failure becomes the reason in the result, because an
   * uncaught linkage error would end a server.
   */
  static Result load() {
    try {
      String reason = probe();
      return reason.isEmpty() ? new Result(bind(), "") : new Result(null, reason);
    } catch (LinkageError | RuntimeException | IOException | ReflectiveOperationException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      return new Result(null, "the CUDA driver cannot be loaded: " + firstLine(cause));
    }
  }

  private static String firstLine(Throwable e) {
    String text = e.toString();
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }

  /** Initializes the driver without JCuda. Returns why this fails; empty on success. */
  private static String probe() {
    String platform = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    if (!platform.equals("Linux amd64")) {
      return "GPUs are supported on Linux amd64 only, found " + platform;
    }
    SymbolLookup library;
    try {
      library = SymbolLookup.libraryLookup(LIBCUDA, Arena.global());
    } catch (IllegalArgumentException e) {
      return "no CUDA driver: " + LIBCUDA + " is not on the library path";
    }
    int code = call(library, "cuInit", ValueLayout.JAVA_INT, 0);
    if (code != DRIVER_STARTED) {
      return "the CUDA driver cannot be started: cuInit returned " + code;
    }
    int version = version(library);
    // An older driver lacks functions that JCuda calls. Such a call would end the process.
    return version >= OLDEST_CUDA
        ? ""
        : "the driver supports CUDA "
            + version / 1000
            + "."
            + version / 10 % 100
            + ", expected 12.0 or newer; update the driver";
  }

  private static int version(SymbolLookup library) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment version = arena.allocate(ValueLayout.JAVA_INT);
      int code = call(library, "cuDriverGetVersion", ValueLayout.ADDRESS, version);
      return code == DRIVER_STARTED ? version.get(ValueLayout.JAVA_INT, 0) : 0;
    }
  }

  /** Calls a function of the driver that has one parameter, and returns its result. */
  private static int call(
      SymbolLookup library, String function, MemoryLayout type, Object argument) {
    MethodHandle call =
        Linker.nativeLinker()
            .downcallHandle(
                library.findOrThrow(function), FunctionDescriptor.of(ValueLayout.JAVA_INT, type));
    try {
      return (int) call.invoke(argument);
    } catch (Throwable e) {
      throw new IllegalStateException(function, e);
    }
  }

  private static CudaDriver bind() throws IOException, ReflectiveOperationException {
    Path directory = Files.createTempDirectory("quickscorer-gpu").toAbsolutePath();
    Path library = directory.resolve(BINDING_FILE);
    try {
      extract(directory.resolve(BINDING_FILE + ".part"), library);
      return (CudaDriver)
          new BindingLoader(library)
              .loadClass("io.quickscorer.gpu.jcuda.JCudaCalls")
              .getConstructor()
              .newInstance();
    } finally {
      Files.deleteIfExists(directory.resolve(BINDING_FILE + ".part"));
      Files.deleteIfExists(library);
      Files.deleteIfExists(directory);
    }
  }

  private static void extract(Path part, Path library) throws IOException {
    try (InputStream binding = DriverLoader.class.getResourceAsStream(BINDING_FILE)) {
      if (binding == null) {
        throw new IOException(BINDING_FILE + " is missing from the GPU module's JAR");
      }
      Files.copy(binding, part);
    }
    Files.move(part, library, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Defines JCuda's classes and the classes that call JCuda, and gives JCuda the path of the native
   * library.
   */
  private static final class BindingLoader extends ClassLoader {
    private final Path library;

    BindingLoader(Path library) {
      super("jcuda", DriverLoader.class.getClassLoader());
      this.library = library;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("jcuda.") && !name.startsWith("io.quickscorer.gpu.jcuda.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? define(name) : loaded;
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (file == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = file.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length, DriverLoader.class.getProtectionDomain());
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }

    @Override
    protected @Nullable String findLibrary(String name) {
      return name.equals(BINDING) ? library.toString() : null;
    }
  }
}

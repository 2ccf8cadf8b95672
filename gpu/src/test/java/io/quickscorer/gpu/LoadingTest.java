// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Finding and binding the driver, each case in a process of its own: whatever is missing or broken,
 * the process continues, a sentence gives the reason, and models are scored on the CPU.
 */
final class LoadingTest {
  private static final String BINDING = "libJCudaDriver-12.6.0-linux-x86_64.so";

  @TempDir private Path folder;
  private Path temporary = Path.of("");

  @BeforeEach
  void makeTemporary() throws IOException {
    temporary = Files.createDirectory(folder.resolve("tmp"));
  }

  private String run(Map<String, String> environment, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.add("-Djava.io.tmpdir=" + temporary);
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(LoadingMain.class.getName());
    Path log = folder.resolve("log.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().remove("LD_LIBRARY_PATH");
    builder.environment().putAll(environment);
    Process process = builder.start();
    assertTrue(Processes.ends(process), "the JVM does not end");
    String output = Files.readString(log);
    assertEquals(0, process.exitValue(), output);
    return output;
  }

  private static void assertReason(String reason, String output) {
    assertTrue(output.contains("cpu: gpu: " + reason), output);
    assertTrue(output.contains("again: " + reason), output);
    assertTrue(output.contains("No GPU is used, models are scored on the CPU: " + reason), output);
  }

  private static Map<String, String> standin() {
    return Map.of("LD_LIBRARY_PATH", Standin.folder().toString());
  }

  private List<String> left() throws IOException {
    try (Stream<Path> files = Files.list(temporary)) {
      return files
          .map(f -> f.getFileName().toString())
          .filter(f -> !f.startsWith("hsperf"))
          .toList();
    }
  }

  @Test
  void noDriver() throws Exception {
    String output = run(Map.of(), "--enable-native-access=ALL-UNNAMED");
    assumeTrue(output.contains("cpu: "), "this machine has a driver and a device");
    assumeTrue(!output.contains("cuInit"), "this machine has a driver");
    assertReason("no CUDA driver: libcuda.so.1 is not on the library path", output);
    assertEquals(List.of(), left());
  }

  @Test
  void driverThatIsNoLibrary() throws Exception {
    Files.writeString(folder.resolve("libcuda.so.1"), "not a library");
    String output =
        run(Map.of("LD_LIBRARY_PATH", folder.toString()), "--enable-native-access=ALL-UNNAMED");
    assumeTrue(output.contains("no CUDA driver"), "this machine has a driver");
    assertReason("no CUDA driver", output);
  }

  @Test
  void noDevice() throws Exception {
    Standin.folder();
    String output =
        run(
            Map.of("LD_LIBRARY_PATH", Standin.folder().toString(), "STANDIN_DEVICES", "0"),
            "--enable-native-access=ALL-UNNAMED");
    assertReason("the CUDA driver cannot be started: cuInit returned 100", output);
    assertEquals(List.of(), left());
  }

  @Test
  void oldDriver() throws Exception {
    String output =
        run(
            Map.of("LD_LIBRARY_PATH", Standin.folder().toString(), "STANDIN_DRIVER", "11080"),
            "--enable-native-access=ALL-UNNAMED");
    assertReason(
        "the driver supports CUDA 11.8, expected 12.0 or newer; update the driver", output);
    assertEquals(List.of(), left());
  }

  @Test
  void nativeAccessDenied() throws Exception {
    String output = run(standin(), "--illegal-native-access=deny");
    assertReason("the CUDA driver cannot be loaded: java.lang.IllegalCallerException", output);
  }

  @Test
  void noTemporaryDirectory() throws Exception {
    Files.delete(temporary);
    String output = run(standin(), "--enable-native-access=ALL-UNNAMED");
    assertReason("the CUDA driver cannot be loaded: java.nio.file.NoSuchFileException", output);
  }

  @Test
  void scoresAndLeavesNothingBehind() throws Exception {
    String output = run(standin(), "--enable-native-access=ALL-UNNAMED");
    assertTrue(output.contains("device: true"), output);
    assertEquals(List.of(), left());
  }

  /** JCuda on its own maps this file, which ends the JVM. */
  @Test
  void truncatedLibraryOfSomebodyElse() throws Exception {
    byte[] planted = new byte[1000];
    Files.write(temporary.resolve(BINDING), planted);
    String output = run(standin(), "--enable-native-access=ALL-UNNAMED");
    assertTrue(output.contains("device: true"), output);
    assertEquals(List.of(BINDING), left());
    assertArrayEquals(planted, Files.readAllBytes(temporary.resolve(BINDING)));
  }

  @Test
  void relativeTemporaryDirectory() throws Exception {
    String output = run(standin(), "--enable-native-access=ALL-UNNAMED", "-Djava.io.tmpdir=tmp");
    assertTrue(output.contains("device: true"), output);
    assertEquals(List.of(), left());
  }
}

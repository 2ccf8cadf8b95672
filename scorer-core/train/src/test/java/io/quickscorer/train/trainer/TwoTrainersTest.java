// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.trainer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.train.data.FeatureRows;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A JVM that has trained goes on and ends as it should while another trains: the demo serves while
 * its user types the {@code train} that it suggests. With one file for both it ended by SIGSEGV.
 */
final class TwoTrainersTest {
  private static final String TRAINED = "trained";

  @TempDir private Path temp;

  /** Trains, says so, and waits for the end of its input. */
  static final class Main {
    private Main() {}

    public static void main(String[] arguments) throws IOException {
      List<float[]> values = new ArrayList<>();
      List<Integer> labels = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        values.add(new float[] {i % 20});
        labels.add(i % 20 > 15 ? 1 : 0);
      }
      List<Integer> groups = List.of(200, 200);
      LightGbmTrainer.train(new FeatureRows(values, labels, groups), List.of("worth"), 10);
      System.out.println(TRAINED);
      System.in.readAllBytes();
    }
  }

  private Process start(Path log) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:-CreateCoredumpOnCrash"));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-Djava.io.tmpdir=" + temp);
    command.add("-XX:ErrorFile=" + temp.resolve("crash.log"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
    builder.environment().put("OMP_WAIT_POLICY", "passive");
    return builder.start();
  }

  private static void awaitTrained(Process process, Path log) throws IOException {
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    String line = out.readLine();
    while (line != null && !line.equals(TRAINED)) {
      line = out.readLine();
    }
    assertEquals(TRAINED, line, () -> text(log));
  }

  private static void assertEnds(Process process, Path log) throws Exception {
    process.outputWriter(StandardCharsets.UTF_8).close();
    String rest = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), () -> rest + text(log));
  }

  private static String text(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void doNotTreadOnEachOther() throws Exception {
    Path log = temp.resolve("first.log");
    Path other = temp.resolve("second.log");
    Process first = start(log);
    try {
      awaitTrained(first, log);
      Process second = start(other);
      try {
        awaitTrained(second, other);
        assertEnds(first, log);
        assertEnds(second, other);
      } finally {
        second.destroyForcibly();
      }
    } finally {
      first.destroyForcibly();
    }
    try (Stream<Path> left = Files.list(temp)) {
      assertEquals(
          List.of("first.log", "second.log"),
          left.map(file -> file.getFileName().toString())
              .filter(name -> !name.startsWith("hsperf"))
              .sorted()
              .toList());
    }
  }
}

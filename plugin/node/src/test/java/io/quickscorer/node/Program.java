// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Programs of this machine, which may not be there. */
public final class Program {
  private static final long MAX_MINUTES = 5;

  /** The line in which a JVM reports that it has read options from the environment variable. */
  private static final Pattern NOTE = Pattern.compile("(?m)^NOTE: Picked up JDK_JAVA_OPTIONS.*\\R");

  private Program() {}

  /**
   * Runs a program to its end; skips the calling test, saying why, where it is not installed.
   *
   * @return what it wrote to both of its outputs
   * @throws IOException if it fails or takes too long
   */
  public static String run(Path folder, String input, String... command)
      throws IOException, InterruptedException {
    Assumptions.assumeTrue(isInstalled(command[0]), command[0] + " is not installed");
    Path in = Files.writeString(Files.createTempFile("input", ".json"), input);
    Path out = Files.createTempFile("output", ".json");
    try {
      return run(folder, in, out, command);
    } finally {
      Files.delete(in);
      Files.delete(out);
    }
  }

  private static String run(Path folder, Path in, Path out, String... command)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile());
    // A JVM of a test ends before the optimizing compiler pays for itself.
    builder.environment().put("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1");
    Process process = builder.start();
    if (!process.waitFor(MAX_MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new IOException(List.of(command) + " took more than " + MAX_MINUTES + " minutes");
    }
    if (process.exitValue() != 0) {
      throw new IOException(
          List.of(command)
              + " ended with status "
              + process.exitValue()
              + ": "
              + Files.readString(out));
    }
    return NOTE.matcher(Files.readString(out)).replaceAll("");
  }

  /** Whether the path of this process has it. */
  static boolean isInstalled(String program) {
    return Path.of(program).isAbsolute()
        || Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}

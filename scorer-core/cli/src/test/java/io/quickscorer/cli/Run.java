// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One run of the program, by the script {@code bin/quickscorer} or in this JVM. */
public record Run(int status, String out, String err) {
  /**
   * Runs a command in this JVM, with standard output and standard error replaced meanwhile. Tests
   * of the commands use this, because a process of its own takes a second of processor time; tests
   * of the script, of pipes and of the JVM's options start processes.
   */
  static synchronized Run here(String... arguments) {
    PrintStream formerOut = System.out;
    PrintStream formerErr = System.err;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    try {
      System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
      System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
      int status = QuickScorerCommand.run(arguments);
      return new Run(
          status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(formerOut);
      System.setErr(formerErr);
    }
  }

  /** Runs the script, with its output in files of a folder meanwhile. */
  static Run of(Path folder, String... arguments) throws Exception {
    return piped(folder, System.getProperty("command"), "", arguments);
  }

  /**
   * Runs the script by another path, with a pipe for its standard input.
   *
   * @param input goes through the pipe, which then ends
   */
  static Run piped(Path folder, String program, String input, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(List.of(arguments));
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    try (OutputStream pipe = process.getOutputStream()) {
      pipe.write(input.getBytes(StandardCharsets.UTF_8));
    }
    int status = process.waitFor();
    return new Run(status, Files.readString(out), Files.readString(err));
  }
}

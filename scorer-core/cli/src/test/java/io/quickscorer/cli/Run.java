// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One run of the script {@code bin/quickscorer}. */
public record Run(int status, String out, String err) {
  /** Runs it, with its output in files of a folder meanwhile. */
  static Run of(Path folder, String... arguments) throws Exception {
    return piped(folder, System.getProperty("command"), "", arguments);
  }

  /**
   * Runs it by another path, with a pipe for its standard input.
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

package io.quickscorer.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One run of the script {@code bin/quickscorer}. */
record Run(int status, String out, String err) {
  /** Runs it, with its output in files of a folder meanwhile. */
  static Run of(Path folder, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(System.getProperty("command")));
    command.addAll(List.of(arguments));
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    int status = builder.start().waitFor();
    String errors =
        Files.readString(err)
            .lines()
            .filter(line -> !line.startsWith("WARNING: Using incubator modules"))
            .reduce("", (a, b) -> a + b + "\n");
    return new Run(status, Files.readString(out), errors);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.torture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a JVM that was run to its end said.
 *
 * @param exit its status; meaningless if it was killed
 * @param killed whether it took longer than allowed
 */
record JavaProcess(int exit, boolean killed, String output) {
  static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();

  /** So slow is no machine: what runs longer hangs. */
  private static final long KILL_SECONDS = 600;

  static JavaProcess run(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(JAVA));
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      Thread killer =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      if (!process.waitFor(KILL_SECONDS, TimeUnit.SECONDS)) {
                        process.destroyForcibly();
                      }
                    } catch (InterruptedException e) {
                      process.destroyForcibly();
                    }
                  });
      long start = System.nanoTime();
      String output = new String(process.getInputStream().readAllBytes());
      int exit = process.waitFor();
      killer.join();
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
      return new JavaProcess(exit, exit != 0 && seconds >= KILL_SECONDS, output);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Runs a class of this class path under JVM flags. */
  static JavaProcess run(List<String> flags, Class<?> main, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(flags);
    all.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    all.addAll(arguments);
    return run(all);
  }
}

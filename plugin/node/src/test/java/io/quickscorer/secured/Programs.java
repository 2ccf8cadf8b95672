// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.secured;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Programs that set up the node. */
final class Programs {
  private Programs() {}

  /**
   * Runs a program to its end.
   *
   * @return what it printed
   * @throws IOException if it fails
   */
  static String run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IOException(command.getFirst() + " failed: " + output);
    }
    return output;
  }
}

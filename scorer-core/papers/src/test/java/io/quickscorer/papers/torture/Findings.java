// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/**
 * What one JVM found wrong: counts all, and writes the first few to files. Safe for all threads.
 */
final class Findings {
  private static final int MAX_FILES = 3;

  private final Path folder;
  private final long seed;
  private final String planted;
  private int number;
  private int count;

  Findings(Path folder, long seed, String planted) {
    this.folder = folder;
    this.seed = seed;
    this.planted = planted;
  }

  synchronized void startCase(int caseNumber) {
    number = caseNumber;
  }

  synchronized int count() {
    return count;
  }

  synchronized void add(Subject subject, Batch batch, int document, double actual) {
    if (count++ < MAX_FILES) {
      String flags = String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments());
      try {
        Finding finding =
            Finding.of(seed, number, planted, flags, subject, batch, document, actual);
        Path file = folder.resolve("mismatch-" + seed + "-" + count + ".properties");
        finding.write(file);
        System.out.println("mismatch " + finding.summary() + ", " + file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}

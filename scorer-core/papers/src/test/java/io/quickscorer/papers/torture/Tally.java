// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.torture;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Counts of a campaign. Safe for use by several threads. */
final class Tally {
  private final Map<String, Long> engines = new TreeMap<>();
  private long jvms;
  private long mismatches;
  private long crashes;
  private long killed;
  private long refused;

  /** How a JVM ended. */
  enum End {
    /** By itself. */
    DONE,
    /** With an error of its own or a signal. */
    CRASHED,
    /** By force, because it ran for too long; on a busy machine no fault. */
    KILLED,
    /** At once: it does not like its flags. */
    REFUSED
  }

  synchronized void add(End end, long mismatchesFound, Map<String, Long> scores) {
    jvms += end == End.REFUSED ? 0 : 1;
    crashes += end == End.CRASHED ? 1 : 0;
    killed += end == End.KILLED ? 1 : 0;
    refused += end == End.REFUSED ? 1 : 0;
    mismatches += mismatchesFound;
    scores.forEach((engine, count) -> engines.merge(engine, count, Long::sum));
  }

  synchronized boolean isClean() {
    return jvms > 0 && !hasFindings();
  }

  synchronized boolean hasFindings() {
    return mismatches > 0 || crashes > 0;
  }

  private long scores() {
    return engines.values().stream().mapToLong(Long::longValue).sum();
  }

  synchronized String summary() {
    return String.format(
        Locale.ROOT,
        "%d JVMs, %d scores, %d mismatches, %d crashed, %d killed, %d refused their flags",
        jvms,
        scores(),
        mismatches,
        crashes,
        killed,
        refused);
  }

  synchronized void write(Path file, long seed, double minutes) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeNumberProperty("seed", seed);
      json.writeNumberProperty("minutes", minutes);
      json.writeNumberProperty("jvms", jvms);
      json.writeNumberProperty("scores", scores());
      json.writeNumberProperty("mismatches", mismatches);
      json.writeNumberProperty("crashed", crashes);
      json.writeNumberProperty("killed", killed);
      json.writeNumberProperty("refused", refused);
      json.writeStringProperty("java", Runtime.version().toString());
      json.writeName("engines");
      json.writeStartObject();
      engines.forEach(json::writeNumberProperty);
      json.writeEndObject();
      json.writeEndObject();
    }
    Files.writeString(file, text + "\n");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** The story of a simulation: who did what, and when in simulated time. */
final class Trace {
  private final List<String> lines = new ArrayList<>();

  void add(long millis, String event) {
    lines.add(String.format(Locale.ROOT, "%5d.%03d  %s", millis / 1_000, millis % 1_000, event));
  }

  List<String> lines() {
    return lines;
  }

  /** The checksum of all of it. */
  String hash() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      lines.forEach(line -> digest.update((line + "\n").getBytes(StandardCharsets.UTF_8)));
      return HexFormat.of().formatHex(digest.digest()).substring(0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import java.lang.management.ManagementFactory;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Small parts of a model file are repeated thousands of times, at each kind of place in the file.
 * The bytes that a reader allocates must grow linearly with the number of copies.
 */
final class RepeatedPartsTest {
  private static final Pattern TOKEN = Pattern.compile("\\w+|\\s|[^\\w\\s]");

  private static final int REPEATED_BYTES = 8_192;
  private static final int FACTOR = 4;

  /** Maximum growth of the allocated bytes: arrays that double may take twice the linear growth. */
  private static final int MAX_FACTOR = 2 * FACTOR;

  /** A file that costs fewer bytes was refused before the copies were read. */
  private static final long REFUSED_EARLY = 2 * REPEATED_BYTES;

  private static final List<String> PARTS = List.of(" ", ",0", "{}", "<!---->");

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  static List<String> models() {
    return DamagedModelsTest.models().keySet().stream()
        .filter(label -> !label.contains("binary") && !label.contains("onnx"))
        .toList();
  }

  private static String with(String file, int place, String part, int bytes) {
    return new StringBuilder(file).insert(place, part.repeat(bytes / part.length())).toString();
  }

  private static long allocated(String file, Consumer<byte[]> reader) {
    byte[] bytes = file.getBytes(ISO_8859_1);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      reader.accept(bytes);
    } catch (InvalidModelException e) {
      // Only the cost counts.
    }
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }

  private static void check(String file, int place, String part, Consumer<byte[]> reader) {
    long few = allocated(with(file, place, part, REPEATED_BYTES), reader);
    if (few < REFUSED_EARLY) {
      return;
    }
    long many = allocated(with(file, place, part, FACTOR * REPEATED_BYTES), reader);
    assertTrue(
        many <= MAX_FACTOR * few,
        () -> "[" + part + "] at " + place + ": " + few + " bytes grow to " + many);
  }

  @ParameterizedTest
  @MethodSource("models")
  void costIsLinear(String label) {
    ModelFormat format = ModelFormats.of(label.split(" ")[0]);
    Consumer<byte[]> reader = bytes -> ModelReader.read(bytes, format, ReaderOracle.LIMITS);
    String file = new String(DamagedModelsTest.models().get(label), ISO_8859_1);
    List<MatchResult> tokens = TOKEN.matcher(file).results().toList();
    Set<String> places = new HashSet<>();
    for (int i = 2; i < tokens.size(); i++) {
      String token = tokens.get(i).group();
      int end = tokens.get(i).end();
      if (places.add(file.substring(tokens.get(i - 2).start(), end).replaceAll("[0-9]+", "0"))) {
        check(file, end, token, reader);
        for (String part : PARTS) {
          check(file, end, part + token, reader);
        }
      }
    }
  }

  /** A reader that copies all text before each comment. */
  @Test
  void quadraticCopiesAreFound() {
    Consumer<byte[]> copying =
        bytes -> {
          String text = "";
          for (String piece : new String(bytes, ISO_8859_1).split("<!---->", -1)) {
            text = text.concat(piece);
          }
          assertEquals(-1, text.indexOf('!'));
        };
    assertThrows(AssertionError.class, () -> check("<a>1</a>", 4, "<!---->1", copying));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class JsonTest {
  /** Where the output's character set is ASCII, as in the C locale, nothing becomes a "?". */
  @Test
  void textsAreAscii() {
    assertEquals("\"gr\\u00f6\\u00dfe\"", Json.of("größe"));
    assertEquals("\"\\ud83d\\udc5f\"", Json.of("👟"));
    assertEquals(
        "{\"\\u007f\":[\"a~b\",\"\\\"\\\\\"]}", Json.of(Map.of("\u007f", List.of("a~b", "\"\\"))));
  }
}

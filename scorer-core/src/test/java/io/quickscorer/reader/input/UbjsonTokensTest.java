// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.InvalidModelException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonToken;

final class UbjsonTokensTest {
  /** Characters up to 255 stand for their byte. */
  private static UbjsonTokens tokens(String latin1) {
    return new UbjsonTokens(BoundedInput.of(latin1.getBytes(StandardCharsets.ISO_8859_1)));
  }

  private static List<Object> read(String latin1) {
    UbjsonTokens tokens = tokens(latin1);
    List<Object> read = new ArrayList<>();
    JsonToken token;
    while ((token = tokens.next()) != DocumentReader.END_OF_DOCUMENT) {
      switch (token) {
        case PROPERTY_NAME, VALUE_STRING -> read.add(tokens.text());
        case VALUE_NUMBER_INT -> read.add(tokens.doubleValue());
        default -> read.add(token);
      }
    }
    return read;
  }

  @Test
  void values() {
    assertEquals(List.of(-1.0), read("i\u00ff"));
    assertEquals(List.of(255.0), read("U\u00ff"));
    assertEquals(List.of(-2.0), read("I\u00ff\u00fe"));
    assertEquals(List.of(65536.0), read("l\u0000\u0001\u0000\u0000"));
    assertEquals(List.of(1.0), read("L\0\0\0\0\0\0\0\u0001"));
    assertEquals(List.of(1.0), read("d\u003f\u0080\0\0"));
    assertEquals(List.of(1.0), read("D\u003f\u00f0\0\0\0\0\0\0"));
    assertEquals(List.of("ab"), read("SU\u0002ab"));
    assertEquals(List.of(JsonToken.VALUE_NULL), read("Z"));
  }

  @Test
  void containers() {
    List<Object> expected = List.of(JsonToken.START_ARRAY, 1.0, 2.0, JsonToken.END_ARRAY);
    assertEquals(expected, read("[i\u0001i\u0002]"));
    assertEquals(expected, read("[Ni\u0001NNi\u0002N]"));
    assertEquals(expected, read("[#i\u0002i\u0001i\u0002"));
    assertEquals(expected, read("[$i#i\u0002\u0001\u0002"));
    List<Object> object =
        List.of(JsonToken.START_OBJECT, "a", 1.0, "b", JsonToken.VALUE_TRUE, JsonToken.END_OBJECT);
    assertEquals(object, read("{i\u0001ai\u0001i\u0001bT}"));
    assertEquals(object, read("{#i\u0002i\u0001ai\u0001i\u0001bT"));
    assertEquals(
        List.of(JsonToken.START_OBJECT, "a", 1.0, JsonToken.END_OBJECT),
        read("{$i#i\u0001i\u0001a\u0001"));
    assertEquals(
        List.of(
            JsonToken.START_ARRAY,
            JsonToken.START_ARRAY,
            JsonToken.END_ARRAY,
            JsonToken.START_ARRAY,
            JsonToken.END_ARRAY,
            JsonToken.END_ARRAY),
        read("[$[#i\u0002]]"));
  }

  @Test
  void skippedContainers() {
    for (String skipped : List.of("[$i#i\u0002\u0001\u0002", "[[#i\u0001Z[]]", "{i\u0001a[]}")) {
      UbjsonTokens tokens = tokens("[" + skipped + "i\u0007]");
      assertEquals(JsonToken.START_ARRAY, tokens.next());
      tokens.next();
      tokens.skipChildren();
      assertEquals(DocumentReader.NUMBER, tokens.next());
      assertEquals(7, tokens.longValue());
      assertEquals(JsonToken.END_ARRAY, tokens.next());
      assertEquals(DocumentReader.END_OF_DOCUMENT, tokens.next());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[",
        "{",
        "[#",
        "[$",
        "[$i",
        "[$i]",
        "[$d#l\u007f\u00ff\u00ff\u00ff",
        "[$d#i\u0002\0\0\0\0\0\0\0",
        "[#L\u007f\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff",
        "[#i\u00ff",
        "[#L\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff",
        "[$Z#l\u007f\u00ff\u00ff\u00ff",
        "[$T#l\u007f\u00ff\u00ff\u00ff",
        "[$F#l\u007f\u00ff\u00ff\u00ff",
        "[$N#l\u007f\u00ff\u00ff\u00ff",
        "{$Z#i\u0001i\u0001a",
        "SL\u007f\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff",
        "Si\u00ffabc",
        "{i\u0001aZi\u0001aZ}",
        "{i\u0001a}",
        "Hi\u00011",
        "Ca",
        "ZZ",
        "SU\u0001\u00ff",
        "?"
      })
  void traps(String latin1) {
    InvalidModelException e = assertThrows(InvalidModelException.class, () -> read(latin1));
    assertTrue(String.valueOf(e.getMessage()).startsWith("byte "));
  }

  @Test
  void deepNesting() {
    assertThrows(InvalidModelException.class, () -> read("[".repeat(1_000_000)));
    assertThrows(InvalidModelException.class, () -> read("{i\u0001a".repeat(1_000_000)));
    UbjsonTokens tokens = tokens("[".repeat(1_000_000));
    tokens.next();
    assertThrows(InvalidModelException.class, tokens::skipChildren);
  }

  private static void refused(String latin1, String message) {
    InvalidModelException e = assertThrows(InvalidModelException.class, () -> read(latin1));
    assertEquals(message, e.getMessage());
  }

  @Test
  void places() {
    refused("", "byte 0: UBJSON: the file ends too early");
    refused("[i", "byte 2: UBJSON: the file ends too early");
    refused("[I\u0001", "byte 2: UBJSON: the file ends too early");
    refused("[l\0\0\0", "byte 2: UBJSON: the file ends too early");
    refused("[L\0\0\0\0\0\0\0", "byte 2: UBJSON: the file ends too early");
    refused("[D\0\0\0\0\0\0\0", "byte 2: UBJSON: the file ends too early");
    refused("[d\0\0\0", "byte 2: UBJSON: the file ends too early");
    refused("[?", "byte 2: UBJSON: unknown type of value");
    refused("ZZ", "byte 1: UBJSON: unexpected content after the end of the document");
    refused(
        "[$i]",
        "byte 3: UBJSON: an array or object declares the type of its elements, but not their"
            + " number");
    refused("Si\u0004abc", "byte 3: UBJSON: found a text of 4 bytes, but only 3 bytes are left");
    refused("Si\u00ffabc", "byte 3: UBJSON: found a text of -1 bytes, but only 3 bytes are left");
    refused("{i\u0001aZi\u0001a", "byte 8: UBJSON: an object contains the same name twice");
    refused(
        "{$Z#i\u0001i\u0001a",
        "byte 4: UBJSON: an array or object has an unsupported element type");
  }

  /** An element takes at least so many bytes, so a file cannot claim more than it has room for. */
  @Test
  void claims() {
    for (String type : List.of("i1", "U1", "I2", "S2", "l4", "d4", "L8", "D8", "[1", "{1")) {
      int width = type.charAt(1) - '0';
      String claim = "[$" + type.charAt(0) + "#i\u0003";
      refused(
          claim + "\0".repeat(3 * width - 1),
          "byte 6: UBJSON: found an array or object of 3 elements, but only "
              + (3 * width - 1)
              + " bytes are left");
    }
    assertEquals(5, read("[$I#i\u0003\0\u0001\0\u0002\0\u0003").size());
    refused(
        "[#i\u0003ZZ",
        "byte 4: UBJSON: found an array or object of 3 elements, but only 2 bytes are left");
    assertEquals(5, read("[#i\u0003ZZZ").size());
    refused(
        "[#i\u00ffZ",
        "byte 4: UBJSON: found an array or object of -1 elements, but only 1 bytes are left");
    // In an object, each has a name before it.
    refused(
        "{$i#i\u0001\0\0",
        "byte 6: UBJSON: found an array or object of 1 elements, but only 2 bytes are left");
    refused(
        "{#i\u0001\0\0",
        "byte 4: UBJSON: found an array or object of 1 elements, but only 2 bytes are left");
    assertEquals(
        List.of(JsonToken.START_OBJECT, "", 7.0, JsonToken.END_OBJECT),
        read("{$i#i\u0001i\0\u0007"));
  }

  @Test
  void namesAreOfBoundedLength() {
    String name = "a".repeat(10_000);
    assertEquals(name, read("{I\u0027\u0010" + name + "Z}").get(1));
    refused(
        "{I\u0027\u0011" + name + "aZ}",
        "byte 4: UBJSON: found a name of 10001 bytes, at most 10000 allowed");
  }

  @Test
  void depthIsBounded() {
    assertEquals(1024, read("[".repeat(512) + "]".repeat(512)).size());
    refused("[".repeat(513), "byte 513: UBJSON: nested more than 512 deep");
  }

  @Test
  void numbersAreRoundedOnce() {
    UbjsonTokens tokens =
        tokens("[l\u0001\0\0\u0001D\u003f\u00b9\u0099\u0099\u0099\u0099\u0099\u009aF]");
    tokens.next();
    tokens.next();
    assertEquals(1, tokens.offset());
    assertEquals(16_777_217L, tokens.longValue());
    assertEquals(16_777_217.0, tokens.doubleValue());
    assertEquals(16_777_216f, tokens.floatValue());
    tokens.next();
    assertEquals(6, tokens.offset());
    assertEquals(0.1, tokens.doubleValue());
    assertEquals(0.1f, tokens.floatValue());
    InvalidModelException e = assertThrows(InvalidModelException.class, tokens::longValue);
    assertEquals("byte 15: UBJSON: expected an integer", e.getMessage());
    assertEquals(JsonToken.VALUE_FALSE, tokens.next());
    assertEquals(JsonToken.END_ARRAY, tokens.next());
    assertEquals(16, tokens.offset());
    assertEquals(DocumentReader.END_OF_DOCUMENT, tokens.next());
    assertEquals(17, tokens.offset());
  }

  /** Elements of fixed width are stepped over at once, others one by one. */
  @Test
  void skipping() {
    for (String skipped :
        List.of(
            "[$d#i\u0002\0\0\0\0\0\0\0\0",
            "[$S#i\u0002i\u0001ai\u0001]",
            "{$i#i\u0002i\u0001a\u0005i\u0001b\u0005",
            "{i\u0001a[$L#i\u0001\0\0\0\0\0\0\0\0i\u0001b[]}",
            "[i\u0001[$U#i\u0001\u0001T]")) {
      UbjsonTokens tokens = tokens("[" + skipped + "SU\u0001x]");
      tokens.next();
      tokens.next();
      tokens.skipChildren();
      assertEquals(JsonToken.VALUE_STRING, tokens.next(), skipped);
      assertEquals("x", tokens.text());
      assertEquals(JsonToken.END_ARRAY, tokens.next());
    }
    UbjsonTokens whole = tokens("[i\u0001]");
    whole.next();
    whole.skipChildren();
    assertEquals(DocumentReader.END_OF_DOCUMENT, whole.next());
  }
}

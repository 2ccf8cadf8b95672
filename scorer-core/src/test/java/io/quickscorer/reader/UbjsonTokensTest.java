package io.quickscorer.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.Tokens.Token;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class UbjsonTokensTest {
  /** Characters up to 255 stand for their byte. */
  private static UbjsonTokens tokens(String latin1) {
    return new UbjsonTokens(BoundedInput.of(latin1.getBytes(StandardCharsets.ISO_8859_1)));
  }

  private static List<Object> read(String latin1) {
    UbjsonTokens tokens = tokens(latin1);
    List<Object> read = new ArrayList<>();
    Token token;
    while ((token = tokens.next()) != Token.END_OF_DOCUMENT) {
      switch (token) {
        case NAME, STRING -> read.add(tokens.text());
        case NUMBER -> read.add(tokens.doubleValue());
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
    assertEquals(List.of(Token.NULL), read("Z"));
  }

  @Test
  void containers() {
    List<Object> expected = List.of(Token.BEGIN_ARRAY, 1.0, 2.0, Token.END_ARRAY);
    assertEquals(expected, read("[i\u0001i\u0002]"));
    assertEquals(expected, read("[Ni\u0001NNi\u0002N]"));
    assertEquals(expected, read("[#i\u0002i\u0001i\u0002"));
    assertEquals(expected, read("[$i#i\u0002\u0001\u0002"));
    List<Object> object = List.of(Token.BEGIN_OBJECT, "a", 1.0, "b", Token.TRUE, Token.END_OBJECT);
    assertEquals(object, read("{i\u0001ai\u0001i\u0001bT}"));
    assertEquals(object, read("{#i\u0002i\u0001ai\u0001i\u0001bT"));
    assertEquals(
        List.of(Token.BEGIN_OBJECT, "a", 1.0, Token.END_OBJECT), read("{$i#i\u0001i\u0001a\u0001"));
    assertEquals(
        List.of(
            Token.BEGIN_ARRAY,
            Token.BEGIN_ARRAY,
            Token.END_ARRAY,
            Token.BEGIN_ARRAY,
            Token.END_ARRAY,
            Token.END_ARRAY),
        read("[$[#i\u0002]]"));
  }

  @Test
  void skippedContainers() {
    for (String skipped : List.of("[$i#i\u0002\u0001\u0002", "[[#i\u0001Z[]]", "{i\u0001a[]}")) {
      UbjsonTokens tokens = tokens("[" + skipped + "i\u0007]");
      assertEquals(Token.BEGIN_ARRAY, tokens.next());
      tokens.next();
      tokens.skipChildren();
      assertEquals(Token.NUMBER, tokens.next());
      assertEquals(7, tokens.longValue());
      assertEquals(Token.END_ARRAY, tokens.next());
      assertEquals(Token.END_OF_DOCUMENT, tokens.next());
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
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import tools.jackson.core.JsonToken;

/** JSON as tokens, and the typed values of documents. */
final class JsonTokensTest {
  private static JsonTokens tokens(String json) {
    BoundedInput input = BoundedInput.of(json.getBytes(StandardCharsets.UTF_8));
    return new JsonTokens(input, 0, input.length());
  }

  /** A reader of a document whose first value is current. */
  private static DocumentReader reader(String json) {
    return new DocumentReader(tokens(json));
  }

  private static void refused(String message, Executable reading) {
    assertEquals(message, assertThrows(InvalidModelException.class, reading).getMessage());
  }

  private static void drain(String json) {
    JsonTokens tokens = tokens(json);
    while (tokens.next() != DocumentReader.END_OF_DOCUMENT) {
      tokens.offset();
    }
  }

  @Test
  void tokensAndTheirPlaces() {
    JsonTokens tokens = tokens("{\"a\": [1, true], \"b\": null, \"c\": false} ");
    JsonToken[] expected = {
      JsonToken.START_OBJECT,
      JsonToken.PROPERTY_NAME,
      JsonToken.START_ARRAY,
      DocumentReader.NUMBER,
      JsonToken.VALUE_TRUE,
      JsonToken.END_ARRAY,
      JsonToken.PROPERTY_NAME,
      JsonToken.VALUE_NULL,
      JsonToken.PROPERTY_NAME,
      JsonToken.VALUE_FALSE,
      JsonToken.END_OBJECT,
      DocumentReader.END_OF_DOCUMENT
    };
    for (JsonToken token : expected) {
      assertEquals(token, tokens.next());
      if (token == DocumentReader.NUMBER) {
        assertEquals(7, tokens.offset());
        assertEquals(1, tokens.longValue());
      }
    }
  }

  @Test
  void numbers() {
    JsonTokens tokens = tokens("[0.1, NaN, Infinity, -Infinity, 16777217, 1.5]");
    tokens.next();
    tokens.next();
    assertEquals(0.1f, tokens.floatValue());
    assertEquals(0.1, tokens.doubleValue());
    tokens.next();
    assertEquals(Double.NaN, tokens.doubleValue());
    tokens.next();
    assertEquals(Float.POSITIVE_INFINITY, tokens.floatValue());
    tokens.next();
    assertEquals(Double.NEGATIVE_INFINITY, tokens.doubleValue());
    tokens.next();
    assertEquals(16_777_216f, tokens.floatValue());
    assertEquals(16_777_217L, tokens.longValue());
    tokens.next();
    refused("byte 42: expected an integer", tokens::longValue);
  }

  @Test
  void skipping() {
    JsonTokens tokens = tokens("[[1, {\"a\": []}], 7]");
    tokens.next();
    tokens.next();
    tokens.skipChildren();
    assertEquals(DocumentReader.NUMBER, tokens.next());
    assertEquals(7, tokens.longValue());
    JsonTokens broken = tokens("[[1, }");
    broken.next();
    broken.next();
    refused("byte 6: the JSON is malformed or truncated", broken::skipChildren);
  }

  @Test
  void malformedDocuments() {
    refused("byte 2: the JSON is malformed or truncated", () -> drain("[}"));
    refused("byte 4: the JSON is malformed or truncated", () -> drain("[1, "));
    refused("byte 10: an object contains the same name twice", () -> drain("{\"a\":1,\"a\":2}"));
    refused(
        "byte 10001: the JSON is nested too deeply, or a number, name or string is too long",
        () -> drain("[".repeat(10_001)));
    drain("[".repeat(10_000) + "]".repeat(10_000));
    String number = "1".repeat(Numbers.MAX_LENGTH);
    drain("[" + number + "]");
    assertThrows(InvalidModelException.class, () -> drain("[" + number + "1]"));
  }

  @Test
  void namesAndStrings() {
    JsonTokens tokens = tokens("{\"\u00fc\": \"\\n\"}");
    tokens.next();
    tokens.next();
    assertEquals("\u00fc", tokens.text());
    tokens.next();
    assertEquals("\n", tokens.text());
    DocumentReader latin1 =
        DocumentReader.json(BoundedInput.of("[\"\u00ff\"]".getBytes(StandardCharsets.ISO_8859_1)));
    latin1.beginArray("names");
    latin1.nextElement();
    refused("byte 3: the text is not valid UTF-8", () -> latin1.string("name"));
  }

  @Test
  void wrongKinds() {
    String[] values = {"{}", "[]", "\"x\"", "1", "true", "false", "null"};
    String[] names = {
      "an object", "an array", "a string", "a number", "a boolean", "a boolean", "null"
    };
    for (int i = 0; i < values.length; i++) {
      DocumentReader reader = reader(" " + values[i]);
      reader.place("tree 3, ");
      String found = "byte 1: tree 3, field: found " + names[i] + ", expected ";
      if (i != 0) {
        refused(found + "an object", () -> reader.beginObject("field"));
      }
      if (i != 1) {
        refused(found + "an array", () -> reader.beginArray("field"));
      }
      if (i != 2) {
        refused(found + "a string", () -> reader.string("field"));
      }
      if (i != 3) {
        refused(found + "a number", () -> reader.doubleValue("field"));
        refused(found + "a number", () -> reader.floatValue("field"));
        refused("byte 1: tree 3, field: expected an integer", () -> reader.integer("field", 0, 9));
      }
      if (i != 4 && i != 5) {
        refused(found + "a boolean", () -> reader.bool("field"));
      }
    }
    assertEquals(true, reader("true").bool("x"));
    assertEquals(false, reader("false").bool("x"));
  }

  @Test
  void integers() {
    assertEquals(-3, reader("-3").integer("n", -3, 3));
    assertEquals(3, reader("\"3\"").integer("n", -3, 3));
    refused("byte 0: n: 4, expected -3..3", () -> reader("4").integer("n", -3, 3));
    refused("byte 0: n: -4, expected -3..3", () -> reader("\"-4\"").integer("n", -3, 3));
    refused("byte 0: n: expected an integer", () -> reader("\"1.5\"").integer("n", -3, 3));
    IntList list = new IntList();
    list.add(99);
    reader("[1, true, false, 2]").integers("n", 0, 2, list);
    assertEquals(List.of(1, 1, 0, 2), list(list));
    refused("byte 4: n: 3, expected 0..2", () -> reader("[1, 3]").integers("n", 0, 2, list));
    reader("[0.5]").floatBits("n", list);
    assertEquals(List.of(Float.floatToRawIntBits(0.5f)), list(list));
  }

  private static List<Integer> list(IntList list) {
    return java.util.Arrays.stream(list.toArray()).boxed().toList();
  }

  @Test
  void stringsAreLimitedAsFeaturesAre() {
    EnsembleLimits two = new EnsembleLimits(1, 1, 1, 2, 1, 1);
    assertEquals(List.of("a", "b"), reader("[\"a\",\"b\"]").strings("names", two));
    refused(
        "byte 9: names: features: 3, at most 2 allowed",
        () -> reader("[\"a\",\"b\",\"c\"]").strings("names", two));
  }

  @Test
  void ends() {
    DocumentReader reader = reader("{\"a\": {\"b\": 1}, \"c\": 2} ");
    reader.beginObject("document");
    assertEquals("a", reader.nextName());
    reader.skip();
    assertEquals("c", reader.nextName());
    reader.skip();
    assertEquals(null, reader.nextName());
    reader.end();
    DocumentReader two = reader("[] []");
    two.beginArray("list");
    two.nextElement();
    refused("byte 3: unexpected content after the end of the document", two::end);
    DocumentReader list = reader("[1]");
    list.beginArray("list");
    refused("byte 1: expected a name", list::nextName);
  }

  @Test
  void lists() {
    IntList ints = new IntList();
    DoubleList doubles = new DoubleList();
    for (int i = 0; i < 100; i++) {
      assertEquals(i, ints.size());
      assertEquals(i, doubles.size());
      ints.add(i);
      doubles.add(i);
    }
    for (int i = 0; i < 100; i++) {
      assertEquals(i, ints.get(i));
      assertEquals(i, doubles.toArray()[i]);
    }
    assertEquals(99, ints.removeLast());
    assertEquals(99, ints.size());
    ints.set(0, 7);
    assertEquals(7, ints.get(0));
    ints.clear();
    assertEquals(0, ints.toArray().length);
  }
}

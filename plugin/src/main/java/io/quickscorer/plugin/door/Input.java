// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.door;

import io.quickscorer.plugin.guard.Failures;
import io.quickscorer.plugin.guard.StepLimit;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.CheckedConsumer;
import org.opensearch.common.CheckedRunnable;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.core.xcontent.XContentParser.Token;

/**
 * Reads JSON or other structured data, one value per call. The heap bytes of a value are counted
 * before it is allocated, those of a string directly after. Messages name the position, such as
 * {@code features[12].query.bool}. Not safe for use by several threads.
 *
 * <p>All methods throw {@link IllegalArgumentException} (400) for a value of the wrong type, {@link
 * OpenSearchStatusException} (413) above a limit, and {@link
 * org.opensearch.core.common.breaker.CircuitBreakingException} (429) if memory is short.
 */
public final class Input {
  /** Maximum depth of objects and arrays in a value whose fields no {@link Shape} declares. */
  public static final int MAX_DEPTH = 64;

  /** Maximum number of an object's fields and an array's items, unless the caller sets another. */
  public static final int MAX_ITEMS = 1 << 20;

  /** Maximum length of a string in a request, in characters, except for files. */
  public static final int MAX_TEXT = 1 << 20;

  private final XContentParser parser;
  private final HeapBudget budget;
  private final String root;
  private final int maxLevels;
  private int maxText;

  private final Place place = new Place();

  Input(XContentParser parser, HeapBudget budget, String root, int maxLevels, int maxText) {
    this.maxLevels = maxLevels;
    this.maxText = maxText;
    this.parser = parser;
    this.budget = budget;
    this.root = root;
  }

  Place place() {
    return place;
  }

  private String prefix() {
    String shown = place.toString();
    return shown.isEmpty() ? root.isEmpty() ? "body: " : root : root + shown + ": ";
  }

  /** Returns the exception for a wrong value; its message begins with the current position. */
  public IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(prefix() + what);
  }

  /** Returns {@code failure} with a message that is short and begins with the current position. */
  IllegalArgumentException placed(IllegalArgumentException failure) {
    String message = String.valueOf(failure.getMessage());
    return Failures.shortened(
        message.startsWith(prefix())
            ? failure
            : new IllegalArgumentException(prefix() + message, failure));
  }

  private OpenSearchStatusException tooMuch(String what, long limit) {
    return new OpenSearchStatusException(
        String.format(Locale.ROOT, "%sexpected at most %d %s", prefix(), limit, what),
        RestStatus.REQUEST_ENTITY_TOO_LARGE);
  }

  /** Returns the exception for a field that the shape of the current object does not declare. */
  IllegalArgumentException unknown(String field) {
    place.leave();
    return wrong("unknown field [" + Texts.shown(field, Place.SHOWN) + "]");
  }

  /** Counts the heap bytes of an object that the caller creates from a value, and charges them. */
  public void charge(long bytes) {
    take(bytes);
  }

  void take(long bytes) {
    try {
      budget.take(bytes);
    } catch (OpenSearchStatusException e) {
      throw new OpenSearchStatusException(prefix() + e.getMessage(), e.status(), e);
    }
  }

  void expect(Token token) {
    if (parser.currentToken() != token) {
      throw expected(Texts.kind(token));
    }
  }

  /**
   * Returns the exception for a value of the wrong type.
   *
   * @param what the expected type, for the message
   */
  public IllegalArgumentException expected(String what) {
    Token token = parser.currentToken();
    return wrong("expected " + what + (token == null ? "" : ", not " + Texts.kind(token)));
  }

  public boolean isNull() {
    return parser.currentToken() == Token.VALUE_NULL;
  }

  public String text() throws IOException {
    expect(Token.VALUE_STRING);
    return checked(parser.text(), maxText);
  }

  /** Allows strings of any length, such as files of models, from now on. Returns this input. */
  public Input withFiles() {
    maxText = Integer.MAX_VALUE;
    return this;
  }

  /** Reads a string of any length, and returns it in UTF-8. */
  public byte[] utf8() throws IOException {
    expect(Token.VALUE_STRING);
    String text = checked(parser.text(), Integer.MAX_VALUE);
    take(HeapBudget.ITEM_BYTES + 3L * text.length());
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    budget.give(HeapBudget.textBytes(text) + 3L * text.length() - bytes.length);
    return bytes;
  }

  private String checked(String text, int max) {
    if (text.length() > max) {
      throw tooMuch("characters", max);
    }
    int half = Texts.halfPair(text);
    if (half > 0) {
      throw wrong(
          "the text is not valid Unicode: character " + half + " is half of a surrogate pair");
    }
    take(HeapBudget.textBytes(text));
    return text;
  }

  public boolean bool() throws IOException {
    expect(Token.VALUE_BOOLEAN);
    return parser.booleanValue();
  }

  /** Reads a number as a double; it is infinite if it is too large for a double. */
  public double number() throws IOException {
    expect(Token.VALUE_NUMBER);
    return parser.doubleValue(false);
  }

  /** Reads a number as a float, rounded to the nearest one. */
  public float single() throws IOException {
    expect(Token.VALUE_NUMBER);
    return parser.floatValue(false);
  }

  /** Reads a whole number from {@code min} to {@code max}. */
  public long whole(long min, long max) throws IOException {
    expect(Token.VALUE_NUMBER);
    try {
      long value = parser.longValue(false);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (IOException | RuntimeException e) {
      // Another exception with a better message is thrown below.
    }
    throw wrong(
        min == Long.MIN_VALUE || max == Long.MAX_VALUE
            ? "expected a whole number" + (min == 0 ? ", 0 or more" : "")
            : "expected a whole number from " + min + " to " + max);
  }

  /** Reads bytes. In JSON, they are written as a base64 string. */
  public byte[] bytes() throws IOException {
    byte[] bytes;
    try {
      bytes = parser.binaryValue();
    } catch (IOException | RuntimeException e) {
      throw new IllegalArgumentException(prefix() + "expected base64", e);
    }
    take(HeapBudget.ITEM_BYTES + (long) bytes.length);
    return bytes;
  }

  /** Reads an object with at most {@code limit} fields; {@code each} reads the field of a name. */
  public void object(int limit, CheckedConsumer<String, IOException> each) throws IOException {
    expect(Token.START_OBJECT);
    place.enter(true);
    for (int count = 1; nextToken() != Token.END_OBJECT; count++) {
      name(count, limit);
      each.accept(parser.currentName());
    }
    place.leave();
  }

  /** Checks the name of a field, counts its heap bytes, and moves to the field's value. */
  private void name(int count, int limit) throws IOException {
    String name = parser.currentName();
    place.name(name);
    if (count > limit) {
      place.leave();
      throw tooMuch("names", limit);
    }
    take(HeapBudget.ENTRY_BYTES);
    checked(name, maxText);
    parser.nextToken();
  }

  /** Reads an object with any number of fields; {@code each} checks their names and reads them. */
  void declared(CheckedConsumer<String, IOException> each) throws IOException {
    expect(Token.START_OBJECT);
    place.enter(true);
    while (nextToken() != Token.END_OBJECT) {
      String name = parser.currentName();
      place.name(name);
      parser.nextToken();
      each.accept(name);
    }
    place.leave();
  }

  /** Reads an array with at most {@code limit} items; {@code each} reads each item. */
  public void list(int limit, CheckedRunnable<IOException> each) throws IOException {
    expect(Token.START_ARRAY);
    place.enter(false);
    while (nextToken() != Token.END_ARRAY) {
      item(limit);
      each.run();
    }
    place.leave();
  }

  private void item(int limit) {
    if (place.next() == limit) {
      place.leave();
      throw tooMuch("items", limit);
    }
    take(HeapBudget.ITEM_BYTES);
  }

  /** Reads an array of strings into an unmodifiable list. */
  public List<String> texts(int limit) throws IOException {
    take(HeapBudget.LIST_BYTES);
    List<String> texts = new ArrayList<>();
    list(limit, () -> texts.add(text()));
    return Collections.unmodifiableList(texts);
  }

  /** Reads an array of numbers as doubles; null becomes NaN. */
  public double[] doubles(int limit) throws IOException {
    take(HeapBudget.LIST_BYTES);
    DoubleStream.Builder numbers = DoubleStream.builder();
    list(
        limit,
        () -> {
          // With the item, three times the bytes of a double: for the builder, which may have
          // twice the room that it needs, and for the array.
          take(Double.BYTES);
          numbers.add(isNull() ? Double.NaN : number());
        });
    double[] all = numbers.build().toArray();
    budget.give((long) HeapBudget.ITEM_BYTES * all.length);
    return all;
  }

  /** Reads an array of numbers as floats; null becomes NaN. */
  public float[] floats(int limit) throws IOException {
    double[] doubles = doubles(limit);
    take((long) Float.BYTES * doubles.length);
    float[] floats = new float[doubles.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) doubles[i];
    }
    budget.give((long) Double.BYTES * doubles.length);
    return floats;
  }

  /**
   * Reads a value of any type: an unmodifiable map or list, string, number, boolean, bytes or null.
   */
  public @Nullable Object value() throws IOException {
    return value(maxLevels);
  }

  private @Nullable Object value(int levels) throws IOException {
    Token start = parser.currentToken();
    boolean object = start == Token.START_OBJECT;
    if (!object && start != Token.START_ARRAY) {
      return scalar();
    }
    if (levels == 0) {
      throw wrong("the value is nested more than " + maxLevels + " levels deep");
    }
    place.enter(object);
    Object value = object ? fields(levels - 1) : items(levels - 1);
    place.leave();
    return value;
  }

  private Map<String, @Nullable Object> fields(int levels) throws IOException {
    Map<String, @Nullable Object> fields = Collections.emptyMap();
    for (int count = 1; nextToken() != Token.END_OBJECT; count++) {
      name(count, MAX_ITEMS);
      if (count == 1) {
        take(HeapBudget.MAP_BYTES);
        fields = new LinkedHashMap<>();
      }
      fields.put(parser.currentName(), value(levels));
    }
    return fields.isEmpty() ? fields : Collections.unmodifiableMap(fields);
  }

  private List<@Nullable Object> items(int levels) throws IOException {
    List<@Nullable Object> items = Collections.emptyList();
    for (int count = 1; nextToken() != Token.END_ARRAY; count++) {
      item(MAX_ITEMS);
      if (count == 1) {
        take(HeapBudget.LIST_BYTES);
        items = new ArrayList<>();
      }
      items.add(value(levels));
    }
    return items.isEmpty() ? items : Collections.unmodifiableList(items);
  }

  /** Moves to the next token and returns it. Counts as one step of {@link StepLimit}. */
  private @Nullable Token nextToken() throws IOException {
    StepLimit.step();
    return parser.nextToken();
  }

  /** Reads a value that is neither an object nor an array. */
  private @Nullable Object scalar() throws IOException {
    return switch (parser.currentToken()) {
      case VALUE_STRING -> checked(parser.text(), maxText);
      case VALUE_BOOLEAN -> parser.booleanValue();
      case VALUE_NULL -> null;
      case VALUE_NUMBER -> {
        take(HeapBudget.NUMBER_BYTES);
        Number number = parser.numberValue();
        if (number instanceof BigInteger big) {
          take(HeapBudget.TEXT_BYTES + (long) (big.bitLength() / Byte.SIZE));
        }
        yield number;
      }
      case VALUE_EMBEDDED_OBJECT -> bytes();
      default -> throw expected("a value");
    };
  }

  /** Reads an object with any fields into an unmodifiable map. */
  @SuppressWarnings("unchecked") // fields() creates such maps
  public Map<String, Object> map() throws IOException {
    expect(Token.START_OBJECT);
    return (Map<String, Object>) Objects.requireNonNull(value());
  }

  /** Reads a value with the server's parser; only for data that the plugin wrote itself. */
  public <T> T by(Function<XContentParser, T> reader) {
    return reader.apply(parser);
  }

  public void skip() throws IOException {
    Token token = parser.currentToken();
    if (token == Token.START_ARRAY || token == Token.START_OBJECT) {
      long names = 0;
      for (int open = 1; open > 0; ) {
        switch (nextToken()) {
          case START_ARRAY, START_OBJECT -> open++;
          case END_ARRAY, END_OBJECT -> open--;
          case FIELD_NAME -> {
            long bytes = HeapBudget.ENTRY_BYTES + HeapBudget.textBytes(parser.currentName());
            take(bytes);
            names += bytes;
          }
          case null, default -> {}
        }
      }
      budget.give(names);
    }
  }
}

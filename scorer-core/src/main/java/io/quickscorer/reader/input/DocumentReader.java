// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.input;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * Reads typed values of a document; every message contains the place in the document.
 *
 * <p>The current token is the last token that was read. Before a method reads a value, the value's
 * first token must be current; afterwards, its last token is current. Objects and arrays are read
 * by loops, which skip each value that they do not read:
 *
 * <pre>{@code
 * for (String name : reader.fields("learner")) {
 *   switch (name) { ... default -> {} }
 * }
 * }</pre>
 */
public final class DocumentReader implements Place {
  /** The kind of every number, whether it is an integer or not. */
  public static final JsonToken NUMBER = JsonToken.VALUE_NUMBER_INT;

  /** The kind of the token after the document's last token. */
  static final JsonToken END_OF_DOCUMENT = JsonToken.NOT_AVAILABLE;

  private final Tokens tokens;
  private JsonToken token;

  /** Whether the next token is the first one inside the object or array that has just begun. */
  private boolean entered;

  private String place = "";

  DocumentReader(Tokens tokens) {
    this.tokens = tokens;
    this.token = tokens.next();
  }

  /** Creates a reader of a JSON document, and moves to its first token. */
  public static DocumentReader json(BoundedInput input) {
    return json(input, 0, input.length());
  }

  /** Creates a reader of the JSON document in bytes [start, end) of a file. */
  public static DocumentReader json(BoundedInput input, int start, int end) {
    return new DocumentReader(new JsonTokens(input, start, end));
  }

  /** Creates a reader of a document in Universal Binary JSON, and moves to its first token. */
  public static DocumentReader ubjson(BoundedInput input) {
    return new DocumentReader(new UbjsonTokens(input));
  }

  /** Sets the text that precedes the field's name in messages, such as {@code "tree 3, "}. */
  public void place(String place) {
    this.place = place;
  }

  public JsonToken token() {
    return token;
  }

  @Override
  public long offset() {
    return tokens.offset();
  }

  public void beginObject(String what) {
    expect(JsonToken.START_OBJECT, what);
    entered = true;
  }

  public void beginArray(String what) {
    expect(JsonToken.START_ARRAY, what);
    entered = true;
  }

  /** Returns an iterable over the names of the current object's fields, for one loop. */
  public Iterable<String> fields(String what) {
    beginObject(what);
    return each(this::nextName);
  }

  /**
   * Returns an iterable over the elements of the current array, for one loop. It yields the first
   * token of each element.
   */
  public Iterable<JsonToken> elements(String what) {
    beginArray(what);
    return each(() -> nextElement() ? token : null);
  }

  /**
   * Reads the elements of the current array, at most as many as a limit allows. Messages contain
   * the number of the element.
   *
   * @param one the name of an element, for messages
   * @param read reads the current element
   */
  public void elements(String what, String one, Limit limit, EnsembleLimits limits, Runnable read) {
    int number = 0;
    for (JsonToken _ : elements(what)) {
      check(what, number + 1L, limit, limits);
      place(one + " " + number++ + ", ");
      read.run();
      place("");
    }
  }

  /** Reads the value of one field of the current object, if present. Skips the other fields. */
  public void field(String what, String wanted, Runnable read) {
    for (String name : fields(what)) {
      if (name.equals(wanted)) {
        read.run();
      }
    }
  }

  private static <T> Iterable<T> each(Supplier<@Nullable T> next) {
    return () ->
        new Iterator<>() {
          private @Nullable T element;

          @Override
          public boolean hasNext() {
            element = next.get();
            return element != null;
          }

          @Override
          public T next() {
            if (element == null) {
              throw new NoSuchElementException();
            }
            return element;
          }
        };
  }

  /**
   * Moves to the first token of the next field's value in the current object, and returns the
   * field's name. Returns null at the end of the object.
   */
  public @Nullable String nextName() {
    advance();
    if (token == JsonToken.END_OBJECT) {
      return null;
    }
    if (token != JsonToken.PROPERTY_NAME) {
      throw failure("expected a name");
    }
    String name = tokens.text();
    token = tokens.next();
    return name;
  }

  /** Moves to the next element of the current array. Returns false at the end of the array. */
  public boolean nextElement() {
    advance();
    if (token == END_OF_DOCUMENT) {
      throw failure("the file ends inside an array");
    }
    return token != JsonToken.END_ARRAY;
  }

  private void advance() {
    if (!entered) {
      skip();
    }
    entered = false;
    token = tokens.next();
  }

  public void skip() {
    if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
      tokens.skipChildren();
      token = token == JsonToken.START_OBJECT ? JsonToken.END_OBJECT : JsonToken.END_ARRAY;
    }
  }

  /** Checks that nothing follows the document's value. */
  public void end() {
    token = tokens.next();
    if (token != END_OF_DOCUMENT) {
      throw failure("unexpected content after the end of the document");
    }
  }

  public boolean bool(String what) {
    if (token != JsonToken.VALUE_TRUE) {
      expect(JsonToken.VALUE_FALSE, what);
    }
    return token == JsonToken.VALUE_TRUE;
  }

  public String string(String what) {
    expect(JsonToken.VALUE_STRING, what);
    return tokens.text();
  }

  /**
   * Returns the current value as an integer in [min, max]. The value is a number, or a string such
   * as XGBoost writes for its parameters.
   */
  public long integer(String what, long min, long max) {
    long value;
    try {
      value =
          token == JsonToken.VALUE_STRING
              ? Numbers.longOf(tokens.text(), offset())
              : number(what).longValue();
    } catch (InvalidModelException e) {
      throw failure(what + ": expected an integer");
    }
    if (value < min || value > max) {
      throw failure(what + ": " + value + ", expected " + min + ".." + max);
    }
    return value;
  }

  /** Returns the current value as an integer from 0 to the largest int. */
  public int count(String what) {
    return (int) integer(what, 0, Integer.MAX_VALUE);
  }

  public float floatValue(String what) {
    return number(what).floatValue();
  }

  public double doubleValue(String what) {
    return number(what).doubleValue();
  }

  private Tokens number(String what) {
    expect(NUMBER, what);
    return tokens;
  }

  /** Reads an array of integers in [min, max] into a list. True counts as 1, false as 0. */
  public void integers(String what, int min, int max, IntList to) {
    beginArray(what);
    to.clear();
    while (nextElement()) {
      if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
        to.add(token == JsonToken.VALUE_TRUE ? 1 : 0);
      } else {
        to.add((int) integer(what, min, max));
      }
    }
  }

  /** Reads an array of floats, and adds their bits to a list. */
  public void floatBits(String what, IntList to) {
    beginArray(what);
    to.clear();
    while (nextElement()) {
      to.add(Float.floatToRawIntBits(floatValue(what)));
    }
  }

  /** Reads an array of doubles, and adds them to a list. */
  public void doubles(String what, DoubleList to) {
    beginArray(what);
    while (nextElement()) {
      to.add(doubleValue(what));
    }
  }

  /** Reads an array of feature names, at most as many as the limits allow. */
  public List<String> strings(String what, EnsembleLimits limits) {
    List<String> strings = new ArrayList<>();
    for (JsonToken _ : elements(what)) {
      check(what + ": features", strings.size() + 1L, Limit.FEATURES, limits);
      strings.add(string(what));
    }
    return strings;
  }

  private void expect(JsonToken expected, String what) {
    if (token != expected) {
      throw failure(what + ": found " + name(token) + ", expected " + name(expected));
    }
  }

  private static String name(JsonToken token) {
    return switch (token) {
      case START_OBJECT -> "an object";
      case START_ARRAY -> "an array";
      case VALUE_STRING -> "a string";
      case VALUE_NUMBER_INT -> "a number";
      case VALUE_TRUE, VALUE_FALSE -> "a boolean";
      case VALUE_NULL -> "null";
      default -> "nothing";
    };
  }

  @Override
  public String placed(String what) {
    return place + what;
  }
}

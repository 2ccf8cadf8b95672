// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.input;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.input.Tokens.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads typed values of a document; every message contains the place in the document.
 *
 * <p>The current token is the last token that was read. Before a method reads a value, the value's
 * first token must be current; afterwards, its last token is current. Objects and arrays are read
 * as in this example:
 *
 * <pre>{@code
 * reader.beginObject("learner");
 * while ((name = reader.nextName()) != null) {
 *   switch (name) { ... default -> reader.skip(); }
 * }
 * }</pre>
 */
public final class DocumentReader implements Place {
  private final Tokens tokens;
  private Token token;
  private String place = "";

  /** Creates a reader, and moves to the first token of the document. */
  public DocumentReader(Tokens tokens) {
    this.tokens = tokens;
    this.token = tokens.next();
  }

  /** Sets the text that precedes the field's name in messages, such as {@code "tree 3, "}. */
  public void place(String place) {
    this.place = place;
  }

  public Token token() {
    return token;
  }

  @Override
  public long offset() {
    return tokens.offset();
  }

  public void beginObject(String what) {
    expect(Token.BEGIN_OBJECT, what, "an object");
  }

  public void beginArray(String what) {
    expect(Token.BEGIN_ARRAY, what, "an array");
  }

  /**
   * Moves to the first token of the next field's value in the present object, and returns the
   * field's name. Returns null at the end of the object.
   */
  public @Nullable String nextName() {
    token = tokens.next();
    if (token == Token.END_OBJECT) {
      return null;
    }
    if (token != Token.NAME) {
      throw failure("expected a name");
    }
    String name = tokens.text();
    token = tokens.next();
    return name;
  }

  /** Moves to the next element of the present array. Returns false at the end of the array. */
  public boolean nextElement() {
    token = tokens.next();
    if (token == Token.END_OF_DOCUMENT) {
      throw failure("the file ends inside an array");
    }
    return token != Token.END_ARRAY;
  }

  /** Skips the present value. */
  public void skip() {
    if (token == Token.BEGIN_OBJECT || token == Token.BEGIN_ARRAY) {
      tokens.skipChildren();
    }
  }

  /** Checks that nothing follows the document's value. */
  public void end() {
    token = tokens.next();
    if (token != Token.END_OF_DOCUMENT) {
      throw failure("unexpected content after the end of the document");
    }
  }

  public boolean bool(String what) {
    if (token != Token.TRUE && token != Token.FALSE) {
      throw failure(what + ": found " + found() + ", expected a boolean");
    }
    return token == Token.TRUE;
  }

  public String string(String what) {
    if (token != Token.STRING) {
      throw failure(what + ": found " + found() + ", expected a string");
    }
    return tokens.text();
  }

  /**
   * Returns the present value as an integer in [min, max]. The value is a number, or a string such
   * as XGBoost writes for its parameters.
   */
  public long integer(String what, long min, long max) {
    long value;
    try {
      value =
          token == Token.STRING
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

  public float floatValue(String what) {
    return number(what).floatValue();
  }

  /** Returns the present value, which must be a string, as a float. */
  public float floatInString() {
    return tokens.floatValue();
  }

  public double doubleValue(String what) {
    return number(what).doubleValue();
  }

  private Tokens number(String what) {
    if (token != Token.NUMBER) {
      throw failure(what + ": found " + found() + ", expected a number");
    }
    return tokens;
  }

  /**
   * Reads an array of integers in [min, max], and adds them to a list. True counts as 1, false as
   * 0.
   */
  public void integers(String what, int min, int max, IntList to) {
    beginArray(what);
    to.clear();
    while (nextElement()) {
      if (token == Token.TRUE || token == Token.FALSE) {
        to.add(token == Token.TRUE ? 1 : 0);
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

  /** Reads an array of feature names, of at most the number that the limits allow. */
  public List<String> strings(String what, EnsembleLimits limits) {
    beginArray(what);
    List<String> strings = new ArrayList<>();
    while (nextElement()) {
      check(what + ": features", strings.size() + 1L, Limit.FEATURES, limits);
      strings.add(string(what));
    }
    return strings;
  }

  private void expect(Token expected, String what, String wanted) {
    if (token != expected) {
      throw failure(what + ": found " + found() + ", expected " + wanted);
    }
  }

  private String found() {
    return switch (token) {
      case BEGIN_OBJECT -> "an object";
      case BEGIN_ARRAY -> "an array";
      case STRING -> "a string";
      case NUMBER -> "a number";
      case TRUE, FALSE -> "a boolean";
      case NULL -> "null";
      case NAME, END_OBJECT, END_ARRAY, END_OF_DOCUMENT -> "nothing";
    };
  }

  @Override
  public String placed(String what) {
    return place + what;
  }
}

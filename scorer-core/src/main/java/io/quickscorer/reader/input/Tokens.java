// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.input;

/**
 * A document of nested objects and arrays as a stream of tokens, in whichever encoding.
 *
 * <p>Implementations check nesting, lengths and grammar as they go, keep no more than the current
 * token, never recurse, and throw nothing but {@link
 * io.quickscorer.ensemble.InvalidModelException}.
 */
public interface Tokens {
  /** The kinds of tokens. */
  enum Token {
    BEGIN_OBJECT,
    END_OBJECT,
    BEGIN_ARRAY,
    END_ARRAY,
    NAME,
    STRING,
    NUMBER,
    TRUE,
    FALSE,
    NULL,
    END_OF_DOCUMENT
  }

  /** Moves to the next token. */
  Token next();

  /** Returns the text of a name or string. */
  String text();

  /** Returns the number, rounded once to float; may be infinite or NaN. */
  float floatValue();

  /** Returns the number, rounded once to double; may be infinite or NaN. */
  double doubleValue();

  /** Returns the number if it is an integer of 64 bits. */
  long longValue();

  /** Moves from a BEGIN token to the matching END. */
  void skipChildren();

  /** Returns the offset of the current token in bytes. */
  long offset();
}

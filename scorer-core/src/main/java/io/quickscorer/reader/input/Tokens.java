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

  /** Goes to the next token. */
  Token next();

  /** The text of a name or string. */
  String text();

  /** The number, rounded once to float; may be infinite or NaN. */
  float floatValue();

  /** The number, rounded once to double; may be infinite or NaN. */
  double doubleValue();

  /** The number if it is an integer of 64 bits. */
  long longValue();

  /** After a BEGIN token: goes to the matching END. */
  void skipChildren();

  /** Where the current token begins, in bytes. */
  long offset();
}

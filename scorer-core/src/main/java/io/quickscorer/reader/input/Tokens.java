// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.input;

import tools.jackson.core.JsonToken;

/**
 * A document of nested objects and arrays as a stream of tokens, for all encodings such as JSON.
 *
 * <p>Implementations check nesting, lengths and grammar while they read. They store only the
 * current token, are not recursive, and throw no exception other than {@link
 * io.quickscorer.ensemble.InvalidModelException}.
 */
interface Tokens {
  /**
   * Moves to the next token, and returns its kind. The kind of all numbers is {@link
   * DocumentReader#NUMBER}; that of the end is {@link DocumentReader#END_OF_DOCUMENT}.
   */
  JsonToken next();

  /** Returns the text of the current name or string. */
  String text();

  /** Returns the current number, rounded once to float. It can be infinite or NaN. */
  float floatValue();

  /** Returns the current number, rounded once to double. It can be infinite or NaN. */
  double doubleValue();

  /** Returns the current number, which must be an integer of 64 bits. */
  long longValue();

  /** Moves from the current START token to the matching END token. */
  void skipChildren();

  /** Returns the byte offset of the current token. */
  long offset();
}

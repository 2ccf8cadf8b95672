// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.input;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;

/** The current place in a file that is being read, for messages. */
public interface Place {
  /** Returns the current byte offset. */
  long offset();

  /** Returns a text with a prefix: the part of the model that is being read. */
  String placed(String what);

  /** Returns the exception for a failure at this place. */
  default InvalidModelException failure(String what) {
    return InvalidModelException.at(offset(), placed(what));
  }

  /**
   * Checks a count against a limit.
   *
   * @param what the name of the count, for the message
   * @throws InvalidModelException with this place, if {@code found} exceeds the limit
   */
  default void check(String what, long found, Limit limit, EnsembleLimits limits) {
    try {
      limits.check(placed(what), found, limit);
    } catch (InvalidModelException e) {
      throw e.at(offset());
    }
  }
}

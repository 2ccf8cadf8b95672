// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.input;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;

/** A position in a file that is being read, for messages about errors at this position. */
public interface Place {
  /** Returns the number of bytes before the current place in the file. */
  long offset();

  /** Returns {@code what}, preceded by the name of the part of the model that is being read. */
  String placed(String what);

  /**
   * Returns the exception for a failure at this place. Its message has the place and {@code what}.
   */
  default InvalidModelException failure(String what) {
    return InvalidModelException.at(offset(), placed(what));
  }

  /**
   * Checks that a count in the file does not exceed a limit.
   *
   * @throws InvalidModelException with this place, if {@code found} exceeds the limit
   */
  default void check(String what, long found, Limit limit, EnsembleLimits limits) {
    limits.check(placed(what), found, limit, offset());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.input;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;

/** Where a reader is in its file, for messages. */
public interface Place {
  /** The byte it is at. */
  long offset();

  /** A message with the part of the model that is being read in front. */
  String placed(String what);

  /** A failure here. */
  default InvalidModelException failure(String what) {
    return InvalidModelException.at(offset(), placed(what));
  }

  /** Checks a number against the limit on it. */
  default void check(String what, long found, Limit limit, EnsembleLimits limits) {
    try {
      limits.check(placed(what), found, limit);
    } catch (InvalidModelException e) {
      throw e.at(offset());
    }
  }
}

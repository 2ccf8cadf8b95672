// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.input;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;

/** The place of a reader in its file, for messages. */
public interface Place {
  /** Returns the offset of the current byte. */
  long offset();

  /** Returns a message preceded by the part of the model that is being read. */
  String placed(String what);

  /** Returns a failure at this place. */
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

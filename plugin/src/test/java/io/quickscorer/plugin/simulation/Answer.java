// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.model.node.ChangeFence;
import org.opensearch.ExceptionsHelper;
import org.opensearch.core.rest.RestStatus;

/**
 * The answer to an operation.
 *
 * @param outcome how it ended
 * @param text the result, or why it failed
 */
record Answer(Outcome outcome, String text) {
  /** How an operation ended. */
  enum Outcome {
    /** It was acknowledged. */
    DONE,
    /** It was refused for the state that it found: it has not taken place and will not. */
    REFUSED,
    /** There is none of that name. */
    MISSING,
    /** It has taken place once, or never, or will. */
    UNKNOWN
  }

  static Answer of(String result) {
    return new Answer(Outcome.DONE, result);
  }

  static Answer of(Exception failure) {
    RestStatus status = ExceptionsHelper.status(failure);
    String text = status.getStatus() + " " + ExceptionsHelper.unwrapCause(failure).getMessage();
    Outcome outcome =
        switch (status) {
          case NOT_FOUND -> Outcome.MISSING;
          case BAD_REQUEST, CONFLICT -> Outcome.REFUSED;
          default -> ChangeFence.isRefused(failure) ? Outcome.REFUSED : Outcome.UNKNOWN;
        };
    return new Answer(outcome, text);
  }

  @Override
  public String toString() {
    return outcome + " " + text;
  }
}

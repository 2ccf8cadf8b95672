// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.rest.RestStatus;

/**
 * Shortens the messages of failures. A response contains a failure's message and the messages of
 * its causes several times, so a message with a large value would need much memory.
 */
public final class Failures {
  private static final int MAX_MESSAGE = 2_000;

  private Failures() {}

  /**
   * Returns the failure, or a shorter one with the same status if its message or a cause's message
   * is too long.
   */
  public static Exception shortened(Exception failure) {
    if (!isLong(failure)) {
      return failure;
    }
    RestStatus status = ExceptionsHelper.status(failure);
    String message = cut(String.valueOf(failure.getMessage()));
    return status == RestStatus.BAD_REQUEST
        ? new IllegalArgumentException(message)
        : new OpenSearchStatusException(message, status);
  }

  /** Returns the exception, or a shorter one if its message or a cause's message is too long. */
  public static IllegalArgumentException shortened(IllegalArgumentException failure) {
    return isLong(failure)
        ? new IllegalArgumentException(cut(String.valueOf(failure.getMessage())))
        : failure;
  }

  private static boolean isLong(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      String message = each.getMessage();
      if (message != null && message.length() > MAX_MESSAGE) {
        return true;
      }
    }
    return false;
  }

  private static String cut(String message) {
    if (message.length() <= MAX_MESSAGE) {
      return message;
    }
    // Does not cut between the two halves of a surrogate pair, because a response cannot contain a
    // half.
    int end = MAX_MESSAGE - (Character.isHighSurrogate(message.charAt(MAX_MESSAGE - 1)) ? 1 : 0);
    return message.substring(0, end) + "…";
  }
}

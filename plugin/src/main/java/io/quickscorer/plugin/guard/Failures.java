// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.rest.RestStatus;

/**
 * Keeps the messages of failures short. An answer has a message several times, and those of its
 * causes, so a message that repeats a large value takes many times its memory.
 */
public final class Failures {
  private static final int MAX_MESSAGE = 2_000;

  private Failures() {}

  /** A failure as it is, or one of the same status without what is too long. */
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

  /** A refusal as it is, or without what is too long. */
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
    // No answer can hold half of a surrogate pair.
    int end = MAX_MESSAGE - (Character.isHighSurrogate(message.charAt(MAX_MESSAGE - 1)) ? 1 : 0);
    return message.substring(0, end) + "…";
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.rest.RestStatus;

/** Shortens long messages of exceptions, and marks exceptions as retriable. */
public final class Failures {
  /** Maximum length of a message in characters. A response contains each message several times. */
  private static final int MAX_MESSAGE = 2_000;

  /** Response header with the number of seconds after which a client may send the request again. */
  public static final String RETRY_AFTER = "Retry-After";

  /** The value of the header {@link #RETRY_AFTER}, in seconds. */
  public static final String SECONDS = "1";

  private Failures() {}

  /**
   * Returns whether a request that failed with an HTTP status may succeed if it is sent again soon.
   */
  public static boolean isTemporary(RestStatus status) {
    return status == RestStatus.SERVICE_UNAVAILABLE || status == RestStatus.TOO_MANY_REQUESTS;
  }

  /**
   * Adds the header {@code Retry-After} to an exception, if {@link #isTemporary} is true for its
   * status. Returns the exception.
   */
  public static <E extends Exception> E retriable(E failure) {
    if (failure instanceof OpenSearchException ours
        && isTemporary(ours.status())
        && ours.getHeader(RETRY_AFTER) == null) {
      ours.addHeader(RETRY_AFTER, SECONDS);
    }
    return failure;
  }

  /**
   * Returns the message of the first root cause of a failure; if the server finds none, that of the
   * failure's own cause. The server finds none if a phase of a search failed on the coordinating
   * node.
   */
  public static String message(Throwable failure) {
    OpenSearchException[] causes = OpenSearchException.guessRootCauses(failure);
    if (causes.length > 0) {
      return String.valueOf(causes[0].getMessage());
    }
    Throwable cause = failure.getCause();
    return String.valueOf((cause == null ? failure : cause).getMessage());
  }

  /**
   * Returns the exception. If its message or a cause's message is too long, returns a new exception
   * with a short message, the same status and no cause.
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

  /** Returns the exception as {@link #shortened(Exception)} does. */
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
    // Does not cut a surrogate pair, because a response cannot contain half of one.
    int end = MAX_MESSAGE - (Character.isHighSurrogate(message.charAt(MAX_MESSAGE - 1)) ? 1 : 0);
    return message.substring(0, end) + "…";
  }
}

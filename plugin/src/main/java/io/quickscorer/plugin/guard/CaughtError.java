// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import java.util.Arrays;
import java.util.function.Supplier;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.rest.RestStatus;

/**
 * An exception that replaces an {@link Error}. The error itself is never its cause: the server
 * searches the causes of exceptions for errors and halts the node.
 */
public final class CaughtError extends OpenSearchStatusException {
  private static final long serialVersionUID = 1;

  /** Frames of the error's stack that are kept; an overflow has 1,024. */
  private static final int FRAMES = 24;

  /**
   * The share of the heap, as a divisor, that is free after a collection if a single allocation was
   * too large.
   */
  private static final int ROOM = 8;

  private CaughtError(RestStatus status, String what, String why) {
    super("{}: {}", status, what, why);
  }

  /**
   * Returns the exception for an error.
   *
   * @param what was processed, as the subject of a message
   * @return status 400 for a stack overflow, 429 for an allocation that is larger than the free
   *     heap, 500 for others
   * @throws VirtualMachineError the given one, if the JVM itself is at its end: the heap is full,
   *     or an internal error
   */
  static CaughtError of(Supplier<String> what, Error error) {
    CaughtError caught =
        switch (error) {
          case StackOverflowError e ->
              new CaughtError(RestStatus.BAD_REQUEST, what.get(), "nested too deep");
          case OutOfMemoryError e when hasRoom() ->
              new CaughtError(
                  RestStatus.TOO_MANY_REQUESTS,
                  what.get(),
                  "needs more memory at once than is available [" + e.getMessage() + "]");
          case VirtualMachineError e -> throw e;
          default ->
              new CaughtError(
                  RestStatus.INTERNAL_SERVER_ERROR, what.get(), "failed by [" + error + "]");
        };
    StackTraceElement[] stack = error.getStackTrace();
    caught.setStackTrace(Arrays.copyOf(stack, Math.min(FRAMES, stack.length)));
    return caught;
  }

  /**
   * Returns whether the heap has free space now. The JVM collects all garbage before it reports
   * that memory is out.
   */
  private static boolean hasRoom() {
    Runtime runtime = Runtime.getRuntime();
    long used = runtime.totalMemory() - runtime.freeMemory();
    return runtime.maxMemory() - used > runtime.maxMemory() / ROOM;
  }

  /** Loads the classes that {@link #of} needs, which can't be loaded on a stack that is full. */
  static void prepare() {
    of(() -> "nothing", new StackOverflowError());
  }
}

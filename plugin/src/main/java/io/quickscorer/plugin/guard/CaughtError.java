// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import java.util.Arrays;
import java.util.function.Supplier;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.rest.RestStatus;

/**
 * An exception that replaces an {@link Error}. The error is not its cause, because the server halts
 * the node if an exception has an error as a cause.
 */
public final class CaughtError extends OpenSearchStatusException {
  private static final long serialVersionUID = 1;

  /** Maximum number of an error's stack frames in the exception; a stack overflow has 1,024. */
  private static final int FRAMES = 24;

  /** The heap is treated as full if less than 1/{@value} of it is free. */
  private static final int ROOM = 8;

  private CaughtError(RestStatus status, String what, String why) {
    super("{} {}", status, what, why);
  }

  /**
   * Converts an error to an exception.
   *
   * @param what returns the name of the code that failed, as the subject of the message
   * @return an exception with status 400 for a stack overflow, 429 if an allocation was larger than
   *     the free heap, or 500 for other errors
   * @throws VirtualMachineError the error itself, if the heap is full or the JVM is broken
   */
  static CaughtError of(Supplier<String> what, Error error) {
    CaughtError caught =
        switch (error) {
          case StackOverflowError e ->
              new CaughtError(RestStatus.BAD_REQUEST, what.get(), "is nested too deep");
          case OutOfMemoryError e when hasRoom() ->
              new CaughtError(
                  RestStatus.TOO_MANY_REQUESTS,
                  what.get(),
                  "needs a single allocation that is larger than the free memory ["
                      + e.getMessage()
                      + "]");
          case VirtualMachineError e -> throw e;
          default ->
              new CaughtError(
                  RestStatus.INTERNAL_SERVER_ERROR, what.get(), "failed with [" + error + "]");
        };
    StackTraceElement[] stack = error.getStackTrace();
    caught.setStackTrace(Arrays.copyOf(stack, Math.min(FRAMES, stack.length)));
    return caught;
  }

  /** Returns whether the heap has room. All garbage was collected before the error. */
  private static boolean hasRoom() {
    Runtime runtime = Runtime.getRuntime();
    long used = runtime.totalMemory() - runtime.freeMemory();
    return runtime.maxMemory() - used > runtime.maxMemory() / ROOM;
  }

  /** Loads the classes that {@link #of} needs, because that could fail after a stack overflow. */
  static void prepare() {
    of(() -> "nothing", new StackOverflowError());
  }
}

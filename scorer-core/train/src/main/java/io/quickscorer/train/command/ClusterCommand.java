// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;

/** A command that prints a message and ends if a cluster or a trainer refuses a request. */
abstract class ClusterCommand implements Callable<Integer> {
  /**
   * Runs the command, and returns the exit status.
   *
   * @throws IllegalStateException if a cluster or a trainer refuses a request
   * @throws UncheckedIOException if a cluster does not respond
   */
  abstract int run() throws Failure;

  @Override
  public final Integer call() throws Failure {
    try {
      return run();
    } catch (IllegalStateException | UncheckedIOException e) {
      throw Failure.usage(String.valueOf(e.getMessage()));
    }
  }
}

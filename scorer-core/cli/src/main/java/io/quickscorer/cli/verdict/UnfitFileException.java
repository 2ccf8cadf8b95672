// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.verdict;

import java.io.IOException;

/** A file that holds no rows, or no scores; the message names the line. */
final class UnfitFileException extends IOException {
  private static final long serialVersionUID = 1L;

  UnfitFileException(long line, String message) {
    super("line " + line + ": " + message);
  }
}

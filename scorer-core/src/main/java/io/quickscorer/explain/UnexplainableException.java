// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

/**
 * An ensemble whose contributions are not defined, because its file does not say how much training
 * data reached each node; names the tree.
 */
public final class UnexplainableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnexplainableException(String message) {
    super(message);
  }
}

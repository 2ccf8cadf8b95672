// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

/**
 * Thrown for an ensemble without defined contributions, for example because its file does not say
 * how much training data reached each node; the message names the tree.
 */
public final class UnexplainableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnexplainableException(String message) {
    super(message);
  }
}

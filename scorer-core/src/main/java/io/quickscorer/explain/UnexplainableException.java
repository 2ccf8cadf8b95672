// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

/**
 * Thrown if the contributions of an ensemble are not defined. For example, its file may not contain
 * the amount of training data that reached each node. The message contains the reason and, if a
 * tree is the reason, its number.
 */
public final class UnexplainableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnexplainableException(String message) {
    super(message);
  }
}

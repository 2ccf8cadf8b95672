// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;

/**
 * Thrown if a named algorithm does not support an ensemble or is not available. The message
 * contains the reason.
 */
public final class UnsupportedEnsembleException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public UnsupportedEnsembleException(String message) {
    super(message);
  }

  /**
   * Creates an exception whose message contains the first tree with more than {@code maxLeaves}
   * leaves.
   *
   * @param name the name of the algorithm
   */
  public static UnsupportedEnsembleException tooManyLeaves(
      String name, TreeEnsemble ensemble, int maxLeaves) {
    int number = 0;
    for (Tree tree : ensemble.trees()) {
      if (tree.leaves() > maxLeaves) {
        return new UnsupportedEnsembleException(
            name
                + ": tree "
                + number
                + " has "
                + tree.leaves()
                + " leaves, at most "
                + maxLeaves
                + " allowed");
      }
      number++;
    }
    throw new IllegalArgumentException(
        "found no tree with more than " + maxLeaves + " leaves, expected at least one");
  }
}

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
   * Checks that no tree has more than {@code maxLeaves} leaves.
   *
   * @param name the name of the algorithm
   * @throws UnsupportedEnsembleException if a tree has more; the message contains the first one
   */
  public static void checkLeaves(String name, TreeEnsemble ensemble, int maxLeaves) {
    int number = 0;
    for (Tree tree : ensemble.trees()) {
      if (tree.leaves() > maxLeaves) {
        throw new UnsupportedEnsembleException(
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
  }
}

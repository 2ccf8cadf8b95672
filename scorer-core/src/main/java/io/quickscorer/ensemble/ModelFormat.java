// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

/**
 * A format of model files, by the name users write, e.g. {@code lightgbm_text}. Which formats are
 * read, and what sets each apart, is said by the table {@code ModelFormats} of the readers alone.
 *
 * @param label in lower case
 */
public record ModelFormat(String label) {
  /** The peculiarities of the models of a format. */
  public enum Trait {
    /** Features have numbers for names, from 1, and only those that a model tests are known. */
    FEATURES_FROM_ONE,
    /** A value that sparse data leaves out is missing, not 0. */
    ABSENT_IS_MISSING,
    /** Scores lack a constant that such files do not tell. */
    WITHOUT_BASE_SCORE
  }

  /** Found out from the content. */
  public static final ModelFormat AUTO = new ModelFormat("auto");

  @Override
  public String toString() {
    return label;
  }
}

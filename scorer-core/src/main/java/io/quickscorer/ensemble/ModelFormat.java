// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

/**
 * A format of model files, by the name users write, e.g. {@code lightgbm_text}. The readers' table
 * {@code ModelFormats} lists the formats that are read and their traits.
 *
 * @param label in lower case
 */
public record ModelFormat(String label) {
  /** Properties in which formats' models differ. */
  public enum Trait {
    /** Feature names are numbers from 1, and only features that a model tests are known. */
    FEATURES_FROM_ONE,
    /** Values that sparse data leaves out are missing, not 0. */
    ABSENT_IS_MISSING,
    /** Scores lack a constant that the files do not contain. */
    WITHOUT_BASE_SCORE
  }

  /** The format is detected from the content. */
  public static final ModelFormat AUTO = new ModelFormat("auto");

  @Override
  public String toString() {
    return label;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

/**
 * The name of a format of model files as users write it, for example {@code lightgbm_text}. The
 * table {@code ModelFormats} lists the supported formats and their traits.
 *
 * @param label the name, in lower case
 */
public record ModelFormat(String label) {
  /** Properties that the models of some formats have. */
  public enum Trait {
    /** Feature names are numbers from 1, and the file contains the names of used features only. */
    FEATURES_FROM_ONE,
    /** Values that are absent in sparse data count as missing, not as 0. */
    ABSENT_IS_MISSING,
    /**
     * The files do not contain the model's base score, so that all scores differ from the trainer's
     * by a constant.
     */
    WITHOUT_BASE_SCORE
  }

  /** The name by which a caller requests that the format is detected from the file's content. */
  public static final ModelFormat AUTO = new ModelFormat("auto");

  @Override
  public String toString() {
    return label;
  }
}

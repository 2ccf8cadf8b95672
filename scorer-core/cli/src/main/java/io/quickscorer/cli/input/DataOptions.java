// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.input;

import io.quickscorer.ensemble.TreeEnsemble;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The command-line options for reading documents. */
public final class DataOptions {
  /** The meaning of a feature that a line of SVMlight's format does not contain. */
  enum Absent {
    ZERO,
    MISSING
  }

  /** The meaning of the fields of categorical features in a table: codes or values. */
  enum CategoriesAs {
    CODES,
    VALUES
  }

  @Option(
      names = "--first-feature",
      paramLabel = "ID",
      description =
          "The id of the model's first feature in SVMlight lines, 0 or 1. By default detected"
              + " from the ids of the file; required if both are possible.")
  private @Nullable Integer firstFeature;

  @Option(
      names = "--absent",
      description =
          "${COMPLETION-CANDIDATES}: the meaning of a feature that an SVMlight line lacks. By"
              + " default missing for XGBoost models and zero for others, which is how the"
              + " trainers load such files.")
  private @Nullable Absent absent;

  @Option(
      names = "--categories-as",
      paramLabel = "FORM",
      description =
          "${COMPLETION-CANDIDATES}: whether a table contains categories as codes, which the"
              + " trainers' libraries expect, or as values, as in a data frame. Values are"
              + " converted to codes by the model's own lists, which quickscorer inspect shows."
              + " By default codes, but values with --categories.")
  private @Nullable CategoriesAs categoriesAs;

  public void check() throws Failure {
    if (firstFeature != null && firstFeature != 0 && firstFeature != 1) {
      throw Failure.usage("--first-feature: " + firstFeature + ", expected 0 or 1");
    }
  }

  /**
   * Opens a file of documents with the options of the command line.
   *
   * @param hasTexts whether the user gave the category texts of the model's features
   */
  public Rows open(Path data, TreeEnsemble ensemble, boolean hasTexts) throws Failure {
    boolean values = categoriesAs == null ? hasTexts : categoriesAs == CategoriesAs.VALUES;
    if (values && ensemble.categories().isEmpty()) {
      throw Failure.usage("--categories-as values: the model has no category lists");
    }
    Boolean absentIsMissing = absent == null ? null : absent == Absent.MISSING;
    return DataFile.open(data, ensemble, values, firstFeature, absentIsMissing);
  }
}

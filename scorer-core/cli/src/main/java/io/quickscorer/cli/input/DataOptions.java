// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.input;

import io.quickscorer.ensemble.TreeEnsemble;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a command is to read its documents. */
public final class DataOptions {
  /** The value of a feature that an SVMlight line does not give. */
  enum Absent {
    ZERO,
    MISSING
  }

  /** The form of a table's fields of categorical features. */
  enum CategoriesAs {
    CODES,
    VALUES
  }

  @Option(
      names = "--first-feature",
      paramLabel = "ID",
      description =
          "The id that SVMlight lines give the model's first feature, 0 or 1; by default found out"
              + " from the ids of the file, and asked for where both fit.")
  private @Nullable Integer firstFeature;

  @Option(
      names = "--absent",
      description =
          "${COMPLETION-CANDIDATES}: what a feature is that an SVMlight line does not give; by"
              + " default missing for XGBoost models and zero for others, as the trainers load such"
              + " files.")
  private @Nullable Absent absent;

  @Option(
      names = "--categories-as",
      paramLabel = "FORM",
      description =
          "${COMPLETION-CANDIDATES}: whether a table's fields are the codes of categories, as the"
              + " trainers' libraries take them, or their values, as in a data frame, which become"
              + " codes by the model's own lists (quickscorer inspect shows these). By default"
              + " codes, but values with --categories.")
  private @Nullable CategoriesAs categoriesAs;

  public void check() throws Failure {
    if (firstFeature != null && firstFeature != 0 && firstFeature != 1) {
      throw Failure.usage("--first-feature: expected 0 or 1");
    }
  }

  /**
   * @param told whether the command was told what categories' codes stand for
   */
  public Rows open(Path data, TreeEnsemble ensemble, boolean told) throws Failure {
    boolean values = categoriesAs == null ? told : categoriesAs == CategoriesAs.VALUES;
    if (values && ensemble.categories().isEmpty()) {
      throw Failure.usage("--categories-as values: the model has no category lists");
    }
    Boolean absentIsMissing = absent == null ? null : absent == Absent.MISSING;
    return DataFile.open(data, ensemble, values, firstFeature, absentIsMissing);
  }
}

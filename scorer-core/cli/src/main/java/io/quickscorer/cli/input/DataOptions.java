// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.input;

import io.quickscorer.ensemble.TreeEnsemble;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a command is to read its documents. */
public final class DataOptions {
  /** What a feature is that an SVMlight line does not give. */
  enum Absent {
    ZERO,
    MISSING
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

  public void check() throws Failure {
    if (firstFeature != null && firstFeature != 0 && firstFeature != 1) {
      throw Failure.usage("--first-feature: expected 0 or 1");
    }
  }

  /**
   * @param categories by feature, the texts that a table has in the place of numbers
   */
  public Rows open(Path data, TreeEnsemble ensemble, Map<String, List<String>> categories)
      throws Failure {
    Boolean absentIsMissing = absent == null ? null : absent == Absent.MISSING;
    return DataFile.open(data, ensemble, categories, firstFeature, absentIsMissing);
  }
}

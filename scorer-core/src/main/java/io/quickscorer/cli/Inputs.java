package io.quickscorer.cli;

import io.quickscorer.ensemble.TreeEnsemble;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The arguments by which every command is told its model and its documents. */
final class Inputs {
  /** What {@code DATA} may be; for the commands' descriptions. */
  static final String DATA =
      "DATA holds LETOR/SVMlight lines, \"label [qid:query] feature:value ... [# comment]\", or a"
          + " table with a header of feature names, tab or comma separated, in which an empty field"
          + " is missing. It may be gzipped. Values are rounded to float.";

  /** What a feature is that an SVMlight line does not give. */
  enum Absent {
    ZERO,
    MISSING
  }

  @Parameters(index = "0", paramLabel = "MODEL", description = "Model file, may be gzipped.")
  private Path model = Path.of("");

  @Parameters(index = "1", paramLabel = "DATA", description = "Documents, may be gzipped.")
  private Path data = Path.of("");

  @Option(
      names = "--format",
      defaultValue = "auto",
      description = "The model's format; found out from its content by default.")
  private String format = "auto";

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

  TreeEnsemble readModel() throws Failure {
    if (firstFeature != null && firstFeature != 0 && firstFeature != 1) {
      throw Failure.usage("--first-feature: expected 0 or 1");
    }
    return ModelFile.read(model, format);
  }

  Rows openData(TreeEnsemble ensemble) throws Failure {
    Boolean absentIsMissing = absent == null ? null : absent == Absent.MISSING;
    return DataFile.open(data, ensemble, firstFeature, absentIsMissing);
  }

  /** A model that is valid but not fit for the command. */
  Failure unfit(String message) {
    return Failure.model(model.toString(), message);
  }

  /** Documents that could not be read to their end. */
  Failure unreadable(IOException e) {
    return Failure.io(data, e);
  }
}

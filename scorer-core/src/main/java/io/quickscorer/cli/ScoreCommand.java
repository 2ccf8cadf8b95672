package io.quickscorer.cli;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.ScorerCompiler;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quickscorer score}: prints one score per document. */
@Command(
    name = "score",
    description = {
      "Prints the score of each document of DATA, one per line, with all its digits.",
      "",
      "DATA holds LETOR/SVMlight lines, \"label [qid:query] feature:value ... [# comment]\", or a"
          + " table with a header of feature names, tab or comma separated, in which an empty field"
          + " is missing. It may be gzipped. Values are rounded to float."
    },
    mixinStandardHelpOptions = true)
final class ScoreCommand implements Callable<Integer> {
  private static final int BATCH = 1024;

  /** What is printed. */
  enum Output {
    /** The sum over the trees. */
    RAW,
    /** What the trainer's predict returns. */
    TRANSFORMED
  }

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
      names = "--output",
      defaultValue = "raw",
      description = "${COMPLETION-CANDIDATES}: the sum over the trees, or what predict returns.")
  private Output output = Output.RAW;

  @Option(names = "--engine", defaultValue = "auto", description = "Name of an algorithm.")
  private String engine = "auto";

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

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Failure {
    if (firstFeature != null && firstFeature != 0 && firstFeature != 1) {
      throw Failure.usage("--first-feature: expected 0 or 1");
    }
    TreeEnsemble ensemble = ModelFile.read(model, format);
    EnsembleScorer scorer = scorer(ensemble);
    Boolean absentIsMissing = absent == null ? null : absent == Absent.MISSING;
    try (Rows rows = DataFile.open(data, ensemble, firstFeature, absentIsMissing)) {
      score(scorer, rows);
    } catch (IOException e) {
      throw Failure.io(data, e);
    }
    return 0;
  }

  private EnsembleScorer scorer(TreeEnsemble ensemble) throws Failure {
    try {
      return ScorerCompiler.compile(ensemble, Algorithm.of(engine));
    } catch (UnsupportedEnsembleException e) {
      throw Failure.usage("--engine " + engine + ": " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--engine: " + e.getMessage());
    }
  }

  private void score(EnsembleScorer scorer, Rows rows) throws IOException, Failure {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    TreeEnsemble ensemble = scorer.ensemble();
    FeatureMatrix matrix = new FeatureMatrix(ensemble.featureNames().size(), BATCH);
    Scratch scratch = scorer.newScratch();
    double[] scores = new double[BATCH];
    StringBuilder lines = new StringBuilder();
    try {
      int documents;
      while ((documents = fill(matrix, rows)) > 0) {
        scorer.score(matrix, scratch, scores);
        lines.setLength(0);
        for (int d = 0; d < documents; d++) {
          append(lines, ensemble, scores[d]);
        }
        out.print(lines);
      }
    } finally {
      out.flush();
    }
  }

  private static int fill(FeatureMatrix matrix, Rows rows) throws IOException, Failure {
    matrix.reset(BATCH);
    int documents = 0;
    float[] row;
    while (documents < BATCH && (row = rows.next()) != null) {
      for (int f = 0; f < row.length; f++) {
        matrix.set(documents, f, row[f]);
      }
      documents++;
    }
    for (int d = documents; d < BATCH; d++) {
      for (int f = 0; f < matrix.features(); f++) {
        matrix.set(d, f, 0);
      }
    }
    return documents;
  }

  private void append(StringBuilder lines, TreeEnsemble ensemble, double score) {
    double value = output == Output.RAW ? score : ensemble.transform().apply(score);
    if (ensemble.accumulator() == Accumulator.FLOAT) {
      lines.append((float) value);
    } else {
      lines.append(value);
    }
    lines.append('\n');
  }
}

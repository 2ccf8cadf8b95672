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
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code quickscorer score}: prints one score per document. */
@Command(
    name = "score",
    description = {
      "Prints the score of each document of DATA, one per line, with all its digits.",
      "",
      Inputs.DATA
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

  @Mixin private Inputs inputs = new Inputs();

  @Option(
      names = "--output",
      defaultValue = "raw",
      description = "${COMPLETION-CANDIDATES}: the sum over the trees, or what predict returns.")
  private Output output = Output.RAW;

  @Option(names = "--engine", defaultValue = "auto", description = "Name of an algorithm.")
  private String engine = "auto";

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Failure {
    TreeEnsemble ensemble = inputs.readModel();
    EnsembleScorer scorer = scorer(ensemble);
    try (Rows rows = inputs.openData(ensemble)) {
      score(scorer, rows);
    } catch (IOException e) {
      throw inputs.unreadable(e);
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
      while ((documents = rows.fill(matrix, BATCH)) > 0) {
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

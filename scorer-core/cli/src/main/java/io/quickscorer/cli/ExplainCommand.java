// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.cli.input.Inputs;
import io.quickscorer.cli.input.Rows;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.explain.Explainer;
import io.quickscorer.explain.UnexplainableException;
import io.quickscorer.explain.Workspace;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code quickscorer explain}: prints each feature's contribution to each document's raw score. */
@Command(
    name = "explain",
    description = {
      "Prints the contribution of each feature to the raw score of each document of DATA, as the"
          + " trainer's predict_contrib does (path-dependent TreeSHAP). The output is a"
          + " tab-separated table: a column for each feature, a column expected_value, and a column"
          + " raw_score, which is the sum of the others.",
      "",
      Inputs.DATA
    },
    mixinStandardHelpOptions = true)
final class ExplainCommand implements Callable<Integer> {
  private static final int BATCH = FeatureMatrix.BLOCK;

  @Mixin private Inputs inputs = new Inputs();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Failure {
    TreeEnsemble ensemble = inputs.readModel();
    Explainer explainer;
    try {
      explainer = Explainer.compile(ensemble);
    } catch (UnexplainableException e) {
      throw inputs.unfit(String.valueOf(e.getMessage()));
    }
    try (Rows rows = inputs.openData(ensemble)) {
      explain(explainer, rows);
    } catch (IOException e) {
      throw inputs.unreadable(e);
    }
    return 0;
  }

  private void explain(Explainer explainer, Rows rows) throws IOException, Failure {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    TreeEnsemble ensemble = explainer.ensemble();
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble, Algorithm.AUTO);
    Scratch scratch = scorer.newScratch();
    Workspace workspace = explainer.newWorkspace();
    FeatureMatrix matrix = new FeatureMatrix(ensemble.featureNames().size(), BATCH);
    double[] scores = new double[BATCH];
    out.print(header(ensemble));
    try {
      int documents;
      while ((documents = rows.fill(matrix, BATCH)) > 0) {
        scorer.score(matrix, scratch, scores);
        for (int d = 0; d < documents; d++) {
          StringBuilder line = new StringBuilder();
          for (double contribution : explainer.contributions(matrix, d, workspace)) {
            line.append(contribution).append('\t');
          }
          line.append(explainer.expectedValue()).append('\t');
          out.print(line.append(ScoreOptions.digits(ensemble, scores[d])).append('\n'));
        }
      }
    } finally {
      out.flush();
    }
  }

  private static String header(TreeEnsemble ensemble) {
    StringBuilder header = new StringBuilder();
    for (String name : ensemble.featureNames()) {
      header.append(name.replaceAll("\\p{Cntrl}", " ")).append('\t');
    }
    return header.append("expected_value\traw_score\n").toString();
  }
}

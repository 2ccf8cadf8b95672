// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.cli.input.Inputs;
import io.quickscorer.cli.input.Rows;
import io.quickscorer.compile.Engines;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.papers.plan.BatchPlans;
import io.quickscorer.papers.plan.PlannedBatches;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of commands that score documents. This class also scores the documents. */
final class ScoreOptions {
  private static final int BATCH = 1024;
  private static final int MIN_BATCH = 16;

  /** Maximum number of feature values of a batch; a batch of {@link #MIN_BATCH} may have more. */
  private static final int MAX_VALUES = 1 << 25;

  /** The kind of score to print. */
  enum Output {
    /** The raw score, which is the sum over the trees. */
    RAW,
    /** The value that the trainer's {@code predict} returns. */
    TRANSFORMED
  }

  /** Receives the scores of the documents, in order. */
  interface Scores {
    /**
     * Receives the score of one document.
     *
     * @param document the index of the document in the matrix of its batch
     */
    void accept(TreeEnsemble ensemble, FeatureMatrix matrix, int document, double score)
        throws Failure;
  }

  @Mixin private Inputs inputs = new Inputs();

  @Option(
      names = "--output",
      defaultValue = "raw",
      description = "${COMPLETION-CANDIDATES}: the sum over the trees, or what predict returns.")
  private Output output = Output.RAW;

  @Option(
      names = "--engine",
      defaultValue = "auto",
      description = "Name of the engine; ${DEFAULT-VALUE} by default.")
  private String engine = "auto";

  @Option(
      names = "--plan",
      description = {
        "Engine, loop order and block sizes, instead of --engine. Example:"
            + " \"vqs-512 tau=256 DSD d=64\".",
        "Different plans by batch size: \"PLAN; from 17: PLAN\"."
      })
  private @Nullable String plan;

  Path model() {
    return inputs.model();
  }

  /** Returns whether raw scores (sums over the trees) are requested. */
  boolean raw() {
    return output == Output.RAW;
  }

  /** Scores all documents, and passes each score to a receiver. */
  void score(Scores to) throws Failure {
    TreeEnsemble ensemble = inputs.readModel();
    EnsembleScorer scorer = scorer(ensemble);
    try (Rows rows = inputs.openData(ensemble)) {
      score(scorer, rows, to);
    } catch (IOException e) {
      throw inputs.unreadable(e);
    }
  }

  private EnsembleScorer scorer(TreeEnsemble ensemble) throws Failure {
    if (plan != null) {
      try {
        return PlannedBatches.compile(ensemble, BatchPlans.parse(plan, Engines::named));
      } catch (IllegalArgumentException e) {
        throw Failure.usage("--plan: " + e.getMessage());
      }
    }
    try {
      return ScorerCompiler.compile(ensemble, Engines.named(engine));
    } catch (UnsupportedEnsembleException e) {
      throw Failure.usage("--engine " + engine + ": " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--engine: " + e.getMessage());
    }
  }

  private void score(EnsembleScorer scorer, Rows rows, Scores to) throws IOException, Failure {
    TreeEnsemble ensemble = scorer.ensemble();
    int features = ensemble.featureNames().size();
    int batch = Math.clamp(MAX_VALUES / Math.max(1, features), MIN_BATCH, BATCH);
    FeatureMatrix matrix = new FeatureMatrix(features, batch);
    Scratch scratch = scorer.newScratch();
    double[] scores = new double[batch];
    int documents;
    while ((documents = rows.fill(matrix, batch)) > 0) {
      scorer.score(matrix, scratch, scores);
      for (int d = 0; d < documents; d++) {
        double score = output == Output.RAW ? scores[d] : ensemble.transform().apply(scores[d]);
        to.accept(ensemble, matrix, d, score);
      }
    }
  }

  /**
   * Returns the shortest text that identifies a score: as a float if the trainer's scores are
   * floats, otherwise as a double.
   */
  static String digits(TreeEnsemble ensemble, double score) {
    return ensemble.scoreType() == Accumulator.FLOAT
        ? Float.toString((float) score)
        : Double.toString(score);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.verdict;

import io.quickscorer.cli.input.CategoryFields;
import io.quickscorer.cli.verdict.ExpectedScores.Distance;
import io.quickscorer.cli.verdict.ModelFolder.Kind;
import io.quickscorer.ensemble.ModelFormat.Trait;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.reader.ModelFormats;
import io.quickscorer.scorer.EnsembleScorer;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One possible interpretation of a data file and of the expected scores. Several are tried, because
 * the files do not state how they must be read.
 *
 * @param file the data file
 * @param samples the rows of the data file
 * @param first the id of the model's first feature
 * @param absent the value of a feature that a row lacks
 * @param values whether the file contains values of categories; if false, it contains codes
 * @param output the kind of the expected scores
 */
record Trial(Path file, Samples samples, int first, float absent, boolean values, Output output) {
  /**
   * Maximum difference between the link functions (such as the sigmoid) of Java and of the
   * trainer's C library, in units in the last place.
   */
  private static final long LINK_ULPS = 3;

  /** Number of digits in dumps of old XGBoost versions; newer ones print all digits of a float. */
  private static final int DUMP_DIGITS = 6;

  /** Maximum relative error of a number with {@link #DUMP_DIGITS} digits. */
  private static final double DUMP_ERROR = 5e-6;

  /** The kinds of expected scores. AVERAGE, the mean of the trees, is for old LightGBM forests. */
  enum Output {
    RAW,
    AVERAGE,
    TRANSFORMED
  }

  /**
   * Returns all ways to interpret a data file for a model; empty if its rows do not fit the model.
   *
   * @param kind the kind of the expected scores, according to the name of their file
   */
  static List<Trial> all(Path file, Samples samples, TreeEnsemble ensemble, Kind kind) {
    boolean missing = ModelFormats.has(ensemble.source().format(), Trait.ABSENT_IS_MISSING);
    List<Float> absent = new ArrayList<>(List.of(missing ? Float.NaN : 0f));
    if (samples.sparse()) {
      absent.add(missing ? 0f : Float.NaN);
    }
    List<Boolean> values = new ArrayList<>(List.of(false));
    if (ensemble.categories().values().stream()
        .anyMatch(list -> !list.isText() && !list.isCodes())) {
      values.add(true);
    }
    List<Trial> trials = new ArrayList<>();
    for (boolean listed : values) {
      for (float filled : absent) {
        for (int first : samples.firstFeatures(ensemble)) {
          for (Output output : outputs(ensemble, kind)) {
            trials.add(new Trial(file, samples, first, filled, listed, output));
          }
        }
      }
    }
    return trials;
  }

  private static List<Output> outputs(TreeEnsemble ensemble, Kind kind) {
    List<Output> outputs = new ArrayList<>();
    if (kind != Kind.TRANSFORMED) {
      outputs.add(Output.RAW);
    }
    if (kind == Kind.EITHER && ensemble.transform().divisor() != 1) {
      outputs.add(Output.AVERAGE);
    }
    boolean differs = !ensemble.transform().equals(OutputTransform.IDENTITY);
    if (kind == Kind.TRANSFORMED || kind == Kind.EITHER && differs) {
      outputs.add(Output.TRANSFORMED);
    }
    return outputs;
  }

  private FeatureMatrix matrix(TreeEnsemble ensemble) {
    return samples.matrix(CategoryFields.of(ensemble, values), first, absent);
  }

  private double output(TreeEnsemble ensemble, double raw) {
    return switch (output) {
      case RAW -> raw;
      case AVERAGE -> raw / ensemble.transform().divisor();
      case TRANSFORMED -> ensemble.transform().apply(raw);
    };
  }

  private double[] scores(EnsembleScorer scorer) {
    FeatureMatrix matrix = matrix(scorer.ensemble());
    double[] scores = new double[samples.rows()];
    scorer.score(matrix, scorer.newScratch(), scores);
    for (int row = 0; row < scores.length; row++) {
      scores[row] = output(scorer.ensemble(), scores[row]);
    }
    return scores;
  }

  /** Returns the difference between the model's scores and the expected scores. */
  Distance distance(EnsembleScorer scorer, ExpectedScores expected) {
    TreeEnsemble ensemble = scorer.ensemble();
    return expected.distance(
        scores(scorer),
        samples.undecided(ensemble, first, 0),
        ensemble.scoreType(),
        ensemble.initialScore(),
        output == Output.TRANSFORMED ? LINK_ULPS : 0);
  }

  /**
   * Returns the smallest number n for which the scores of the first n trees agree with the expected
   * scores in all rows; -1 if there is none.
   */
  int firstTrees(TreeEnsemble ensemble, ExpectedScores expected) {
    FeatureMatrix matrix = matrix(ensemble);
    int trees = ensemble.trees().size();
    boolean[] possible = new boolean[trees];
    Arrays.fill(possible, true);
    for (int row = 0; row < samples.rows(); row++) {
      TreeTrace trace = new TreeTrace(ensemble, matrix, row);
      boolean any = false;
      for (int tree = 0; tree < trees; tree++) {
        double score = output(ensemble, trace.score(tree));
        possible[tree] &= expected.agrees(row, score, ensemble.scoreType(), 0);
        any |= possible[tree];
      }
      if (!any) {
        return -1;
      }
    }
    int tree = 0;
    while (!possible[tree]) {
      tree++;
    }
    return tree + 1;
  }

  /** Returns the median of (expected score - model's score) over the compared rows; NaN if none. */
  double constant(EnsembleScorer scorer, ExpectedScores expected) {
    double[] scores = scores(scorer);
    boolean[] undecided = undecided(scorer.ensemble());
    double[] constants =
        IntStream.range(0, scores.length)
            .filter(row -> !undecided[row])
            .mapToDouble(row -> expected.value(row) - scores[row])
            .sorted()
            .toArray();
    return constants.length == 0 ? Double.NaN : constants[constants.length / 2];
  }

  /** Returns, for each row, whether rounding may change which leaves the row reaches. */
  private boolean[] undecided(TreeEnsemble ensemble) {
    return samples.undecided(ensemble, first, hasFewDigits(ensemble) ? DUMP_ERROR : 0);
  }

  /**
   * Returns the difference between the expected scores and the model's scores plus a constant.
   * Differences by rounding are allowed: the constant changes how float sums are rounded, and the
   * leaf values in the model's file may have few digits.
   */
  Distance distanceFrom(double constant, EnsembleScorer scorer, ExpectedScores expected) {
    TreeEnsemble ensemble = scorer.ensemble();
    double error = hasFewDigits(ensemble) ? DUMP_ERROR : 0;
    boolean[] undecided = undecided(ensemble);
    FeatureMatrix matrix = matrix(ensemble);
    double[] scores = scores(scorer);
    BitSet agreeing = new BitSet();
    double[] bounds = new double[scores.length];
    int rows = 0;
    int differing = -1;
    double worst = 0;
    long ulps = 0;
    for (int row = 0; row < scores.length; row++) {
      if (undecided[row]) {
        continue;
      }
      rows++;
      TreeTrace trace = new TreeTrace(ensemble, matrix, row);
      double bound = 0;
      double before = ensemble.initialScore();
      for (int tree = 0; tree < ensemble.trees().size(); tree++) {
        double sum = trace.score(tree);
        float size = (float) (Math.abs(sum) + Math.abs(constant));
        // The factor is 2 because the sums of the row that determined the constant were rounded
        // too.
        bound += 2 * Math.ulp(size) + 2 * error * Math.abs(sum - before);
        before = sum;
      }
      double score = scores[row] + constant;
      double off = Math.abs(score - expected.value(row));
      worst = off > worst ? off : worst;
      ulps = Math.max(ulps, ensemble.scoreType().ulps(score, expected.value(row)));
      bounds[row] = Math.max(bound, expected.bound(row, ensemble.scoreType(), 0));
      if (off <= bounds[row] || ensemble.scoreType().ulps(score, expected.value(row)) == 0) {
        agreeing.set(row);
      } else if (differing < 0) {
        differing = row;
      }
    }
    return new Distance(
        rows, rows - agreeing.cardinality(), ulps, worst, agreeing, bounds, differing);
  }

  private static boolean hasFewDigits(TreeEnsemble ensemble) {
    for (Tree tree : ensemble.trees()) {
      for (int leaf = 0; leaf < tree.leaves(); leaf++) {
        if (digits((float) tree.leafValue(leaf)) > DUMP_DIGITS) {
          return false;
        }
      }
    }
    return true;
  }

  private static int digits(float value) {
    return Float.isFinite(value)
        ? new BigDecimal(Float.toString(value)).stripTrailingZeros().precision()
        : 1;
  }
}

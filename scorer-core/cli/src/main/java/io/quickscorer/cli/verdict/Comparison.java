// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.verdict;

import io.quickscorer.cli.verdict.ExpectedScores.Distance;
import io.quickscorer.cli.verdict.ModelFolder.Expected;
import io.quickscorer.cli.verdict.ModelFolder.Kind;
import io.quickscorer.cli.verdict.Verdict.Result;
import io.quickscorer.ensemble.CategoryList;
import io.quickscorer.ensemble.ModelFormat.Trait;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelFormats;
import io.quickscorer.scorer.EnsembleScorer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares the scores of a model with expected scores, for the rows of several data files. */
final class Comparison {
  private static final int MAX_TRIALS = 64;

  /**
   * Minimum {@link ExpectedScores#evidence} that the rows of a data file belong to the expected
   * scores. Wrong rows reach it by chance with a probability of 2e-9.
   */
  private static final double EVIDENCE = 20;

  private static final String TOO_NEAR =
      ": the scores are almost equal, so the scores of other rows would agree too";

  /** If a data file's name does not match the model's, at most one of this many rows may differ. */
  private static final int MIN_ROWS_PER_DIFFERENCE = 10;

  private final Path shown;
  private final EnsembleScorer scorer;
  private final ExpectedScores scores;
  private final Expected expected;
  private final boolean named;

  /** The compared {@link Trial}s; first the one whose scores are closest to the expected ones. */
  private final List<Trial> tried = new ArrayList<>();

  private @Nullable Distance nearest;

  /**
   * Creates a comparison.
   *
   * @param shown the model's file as the verdict shows it
   * @param scorer scores rows with the model
   * @param scores the expected scores
   * @param expected the file of expected scores
   * @param named whether the names of the data files match the model's
   */
  Comparison(
      Path shown, EnsembleScorer scorer, ExpectedScores scores, Expected expected, boolean named) {
    this.shown = shown;
    this.scorer = scorer;
    this.scores = scores;
    this.expected = expected;
    this.named = named;
  }

  /** Returns the verdict "not compared" for a model, with the reason. */
  static Verdict none(Path shown, EnsembleScorer scorer, String reason) {
    String format = scorer.ensemble().source().format().label();
    return Verdict.without(shown, format, Result.NOT_COMPARED, reason);
  }

  /**
   * Compares the scores for the rows of a data file. Returns why a comparison is impossible, or an
   * empty string if it was made.
   */
  String add(Path file, Samples samples) {
    if (samples.rows() != scores.rows()) {
      return "found "
          + samples.rows()
          + " rows, expected one for each of "
          + scores.rows()
          + " scores";
    }
    List<Trial> trials = Trial.all(file, samples, scorer.ensemble(), expected.kind());
    for (Trial trial : trials) {
      if (isDone()) {
        return "";
      }
      Distance distance = trial.distance(scorer, scores);
      boolean improved = nearest == null || isBetter(distance, nearest);
      nearest = improved ? distance : nearest;
      tried.add(improved ? 0 : tried.size(), trial);
    }
    return trials.isEmpty() ? "its columns are not the model's features" : "";
  }

  /** Returns whether no further data file needs to be tried. */
  boolean isDone() {
    return tried.size() == MAX_TRIALS || nearest != null && agrees(nearest);
  }

  private static boolean isBetter(Distance left, Distance right) {
    return left.differing() < right.differing()
        || left.differing() == right.differing() && left.ulps() < right.ulps();
  }

  private boolean agrees(Distance distance) {
    return distance.agrees() && distance.rows() > 0 && isEvidence(distance);
  }

  /**
   * Returns whether the rows belong to the expected scores: the data file's name matches the
   * model's, or enough scores agree.
   */
  private boolean isEvidence(Distance distance) {
    return named || evidence(distance) >= EVIDENCE;
  }

  private double evidence(Distance distance) {
    return scores.evidence(distance.agreeing(), distance.bounds());
  }

  /**
   * Returns whether agreement within the bounds proves little: the expected scores are so close to
   * each other that the scores of other rows would agree, too.
   */
  private boolean isWithinBounds(Distance distance) {
    double differing = scores.evidence(distance.agreeing(), new double[scores.rows()]);
    return evidence(distance) < Math.min(EVIDENCE, differing) / 2;
  }

  /** Returns the verdict; null if no data file seems to contain the rows of the expected scores. */
  @Nullable Verdict verdict() {
    if (nearest == null) {
      return null;
    }
    Trial trial = tried.getFirst();
    if (nearest.rows() == 0) {
      return named
          ? none(shown, scorer, "in every row, rounding a value to float leads to another leaf")
          : null;
    }
    if (agrees(nearest) && nearest.exact()) {
      return of(trial, Result.EXACT, "", nearest);
    }
    if (scores.isCoarse()) {
      String reason = expected.file().getFileName() + ": the scores have too few digits to compare";
      return named || agrees(nearest) ? none(shown, scorer, reason) : null;
    }
    if (agrees(nearest)) {
      return isWithinBounds(nearest)
          ? none(shown, scorer, expected.file().getFileName() + TOO_NEAR)
          : of(trial, Result.WITHIN_BOUND, "", nearest);
    }
    Verdict explained = explained();
    if (explained != null) {
      return explained;
    }
    if (!isEvidence(nearest)
        || !named && nearest.differing() > nearest.rows() / MIN_ROWS_PER_DIFFERENCE) {
      return null;
    }
    String reason =
        "first difference in row " + (nearest.first() + 1) + " of " + trial.file().getFileName();
    if (scorer.ensemble().categories().values().stream().anyMatch(CategoryList::isText)) {
      return none(
          shown,
          scorer,
          reason + "; the scores may be for texts of categories, but the rows contain codes");
    }
    if (!isDump()) {
      return of(trial, Result.DIFFERS, reason, nearest);
    }
    if (expected.kind() != Kind.RAW) {
      return none(shown, scorer, "a dump lacks the objective; compare raw scores");
    }
    return of(
        trial,
        Result.DIFFERS,
        reason + ", by more than a constant; a dump also lacks the weights of dropout",
        nearest);
  }

  private boolean isDump() {
    return ModelFormats.has(scorer.ensemble().source().format(), Trait.WITHOUT_BASE_SCORE);
  }

  /**
   * Returns a verdict if a constant, or use of fewer trees, explains the scores; otherwise null.
   */
  private @Nullable Verdict explained() {
    TreeEnsemble ensemble = scorer.ensemble();
    for (Trial trial : tried) {
      if (isDump()) {
        double constant = trial.constant(scorer, scores);
        Distance distance = trial.distanceFrom(constant, scorer, scores);
        if (distance.agrees() && distance.rows() > 0) {
          String reason = "a dump lacks the base score; compared up to the constant ";
          reason += (float) constant;
          double evidence = evidence(distance);
          return unlessByChance(trial, Result.LOSSY_FORMAT, reason, distance, evidence);
        }
      }
      int trees = trial.firstTrees(ensemble, scores);
      if (trees > 0) {
        String all = " of " + ensemble.trees().size() + " trees";
        String reason = "the scores are those of the first " + trees + all;
        Distance distance = trial.distance(scorer, scores);
        BitSet every = new BitSet();
        every.set(0, scores.rows());
        double evidence = scores.evidence(every, distance.bounds());
        return unlessByChance(trial, Result.FIRST_TREES, reason, distance, evidence);
      }
    }
    return null;
  }

  /**
   * Returns a verdict for a difference with a known explanation. If the evidence is too weak to
   * exclude chance, returns "not compared", or null if the data file's name does not match the
   * model's.
   */
  private @Nullable Verdict unlessByChance(
      Trial trial, Result result, String reason, Distance distance, double evidence) {
    if (evidence >= EVIDENCE) {
      return of(trial, result, reason, distance);
    }
    return named
        ? of(
            trial,
            Result.NOT_COMPARED,
            reason + ", but too few scores differ for a verdict",
            distance)
        : null;
  }

  private Verdict of(Trial trial, Result result, String reason, Distance distance) {
    return new Verdict(
        shown,
        scorer.ensemble().source().format().label(),
        result,
        reason,
        expected.file(),
        trial.file(),
        distance,
        scores.rows() - distance.rows());
  }
}

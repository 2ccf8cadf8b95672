// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import io.quickscorer.cli.input.Values;
import io.quickscorer.cli.verdict.TreeTrace;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Compares scores with the trainer's, and collects text about the first document that differs. */
abstract class ScoreComparison {
  private static final int SUSPECTS = 3;

  final TreeEnsemble ensemble;
  private long rows;
  private long differing;
  private long worst;
  private final List<String> first = new ArrayList<>();

  private ScoreComparison(TreeEnsemble ensemble) {
    this.ensemble = ensemble;
  }

  /**
   * Returns a comparison of scores, of scores after each tree, or of the leaves that documents
   * reach, depending on the first line of the file.
   *
   * @param line the numbers in the first line of the file
   * @param raw whether the expected scores are sums over the trees
   */
  static ScoreComparison of(TreeEnsemble ensemble, String[] line, boolean raw) {
    if (line.length == 1) {
      return new OfScores(ensemble, raw);
    }
    for (String number : line) {
      if (!number.matches("-?[0-9]+")) {
        return new OfStages(ensemble);
      }
    }
    return new OfLeaves(ensemble);
  }

  /**
   * Compares the score of a document with the document's line in the file of expected scores.
   *
   * @param numbers the numbers in the document's line
   */
  final void add(FeatureMatrix matrix, int document, double score, String[] numbers) {
    rows++;
    compare(matrix, document, score, numbers);
  }

  abstract void compare(FeatureMatrix matrix, int document, double score, String[] numbers);

  /**
   * Records the difference of a document's scores, in ulps. Returns whether this document is the
   * first one with a difference above 0.
   */
  final boolean differs(long ulps) {
    worst = Math.max(worst, ulps);
    return ulps != 0 && differing++ == 0;
  }

  /** Adds a line of text about the first document that differs. */
  final void say(String what) {
    first.add(first.isEmpty() ? "first differing row " + rows + ": " + what : what);
  }

  /** Parses a score, which may be NaN, but not empty. */
  private static double number(String text) {
    if (text.isEmpty()) {
      throw new NumberFormatException();
    }
    return Values.number(text);
  }

  final String digits(double score) {
    return ScoreOptions.digits(ensemble, score);
  }

  long differing() {
    return differing;
  }

  /**
   * Returns the largest difference so far from the trainer's scores, in units in the last place.
   */
  long worst() {
    return worst;
  }

  /** Returns lines of text about the first document that differs; empty if no document differs. */
  List<String> first() {
    return first;
  }

  /** Compares final scores with the trainer's. Final scores do not show which tree differs. */
  private static final class OfScores extends ScoreComparison {
    private final boolean raw;

    OfScores(TreeEnsemble ensemble, boolean raw) {
      super(ensemble);
      this.raw = raw;
    }

    @Override
    void compare(FeatureMatrix matrix, int document, double score, String[] numbers) {
      double wanted = number(numbers[0]);
      if (differs(ensemble.scoreType().ulps(score, wanted))) {
        say(digits(score) + ", expected " + digits(wanted));
        if (raw && !ensemble.trees().isEmpty()) {
          TreeTrace trace = new TreeTrace(ensemble, matrix, document);
          int trees = ensemble.trees().size();
          for (int tree = 0; tree < trees - 1; tree++) {
            if (ensemble.scoreType().ulps(trace.score(tree), wanted) == 0) {
              say(
                  "the expected score is that of the first "
                      + (tree + 1)
                      + " of "
                      + trees
                      + " trees");
            }
          }
          trace.suspects(wanted, SUSPECTS).forEach(this::say);
        }
      }
    }
  }

  /** Compares the scores after each tree with the trainer's. */
  private static final class OfStages extends ScoreComparison {
    OfStages(TreeEnsemble ensemble) {
      super(ensemble);
    }

    @Override
    void compare(FeatureMatrix matrix, int document, double score, String[] numbers) {
      TreeTrace trace = new TreeTrace(ensemble, matrix, document);
      long ulps = 0;
      int first = -1;
      for (int tree = 0; tree < numbers.length; tree++) {
        double wanted = number(numbers[tree]);
        long off = ensemble.scoreType().ulps(trace.score(tree), wanted);
        ulps = Math.max(ulps, off);
        first = first < 0 && off != 0 ? tree : first;
      }
      if (differs(ulps)) {
        say(
            "tree "
                + first
                + ", leaf "
                + trace.leaf(first)
                + ": the score up to this tree is "
                + digits(trace.score(first))
                + ", expected "
                + digits(number(numbers[first])));
      }
    }
  }

  /**
   * Compares the leaves that documents reach with the trainer's. The trainer may number leaves
   * differently, so two documents must share a leaf here if and only if they share one in the
   * trainer.
   */
  private static final class OfLeaves extends ScoreComparison {
    /** For each tree, a map from this library's leaf indices to the trainer's indices. */
    private final List<Map<Integer, Integer>> expectedOfOwn = new ArrayList<>();

    /** For each tree, a map from the trainer's leaf indices to this library's indices. */
    private final List<Map<Integer, Integer>> ownOfExpected = new ArrayList<>();

    OfLeaves(TreeEnsemble ensemble) {
      super(ensemble);
      ensemble
          .trees()
          .forEach(
              tree -> {
                expectedOfOwn.add(new HashMap<>());
                ownOfExpected.add(new HashMap<>());
              });
    }

    @Override
    void compare(FeatureMatrix matrix, int document, double score, String[] numbers) {
      TreeTrace trace = new TreeTrace(ensemble, matrix, document);
      int first = -1;
      for (int tree = 0; tree < numbers.length; tree++) {
        int own = trace.leaf(tree);
        int other = Integer.parseInt(numbers[tree]);
        Integer known = expectedOfOwn.get(tree).putIfAbsent(own, other);
        Integer knownOwn = ownOfExpected.get(tree).putIfAbsent(other, own);
        boolean same = (known == null || known == other) && (knownOwn == null || knownOwn == own);
        first = first < 0 && !same ? tree : first;
      }
      if (differs(first < 0 ? 0 : 1)) {
        say(
            "tree "
                + first
                + ": the rows in leaf "
                + trace.leaf(first)
                + " are not the rows with the expected leaf "
                + numbers[first]);
      }
    }
  }
}

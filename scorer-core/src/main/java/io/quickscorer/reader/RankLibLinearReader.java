// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.LinearTerms;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.input.DoubleList;
import io.quickscorer.reader.input.IntList;
import io.quickscorer.reader.input.Numbers;
import java.util.Locale;
import java.util.Set;

/**
 * Reads RankLib's linear models (Coordinate Ascent, AdaRank, Linear Regression). A file has comment
 * lines and then one line of {@code feature:weight} pairs; features are numbered from 1.
 *
 * <p>RankLib adds in double, in the order of the file; a missing value counts as 0. In a linear
 * regression, the weight of feature 0 is the constant. RankLib mistakenly writes the weight of the
 * first feature in place of the constant. Like RankLib's own reader, this class uses the number in
 * the file as the constant.
 */
final class RankLibLinearReader {
  private static final String REGRESSION = "LINEAR REGRESSION";
  private static final Set<String> KINDS = Set.of(REGRESSION, "COORDINATE ASCENT", "ADARANK");

  private final BoundedInput input;
  private final String kind;
  private final EnsembleLimits limits;
  private final boolean regression;
  private final IntList features = new IntList();
  private final DoubleList weights = new DoubleList();
  private double constant;
  private boolean hasConstant;

  private RankLibLinearReader(BoundedInput input, String kind, EnsembleLimits limits) {
    this.input = input;
    this.kind = kind;
    this.limits = limits;
    this.regression = kind.toUpperCase(Locale.ROOT).equals(REGRESSION);
  }

  /** Returns whether {@code kind}, from the first line of a RankLib file, names a linear model. */
  static boolean isLinear(String kind) {
    return KINDS.contains(kind.toUpperCase(Locale.ROOT));
  }

  /**
   * Reads the line that contains a linear model's weights.
   *
   * @param kind the name of the model's kind in the first line of the file
   * @param start the byte offset of the line
   */
  static TreeEnsemble read(BoundedInput input, String kind, int start, EnsembleLimits limits) {
    return new RankLibLinearReader(input, kind, limits).read(start);
  }

  private TreeEnsemble read(int start) {
    int end = input.indexOf('\n', start, input.length());
    if (input.skipWhiteSpace(end) != input.length()) {
      throw InvalidModelException.at(end, "unexpected content after the line of weights");
    }
    int comment = input.indexOf('#', start, end);
    int at = input.skipWhiteSpace(start);
    while (at < comment) {
      int next = at;
      while (next < comment && input.at(next) > ' ') {
        next++;
      }
      readPair(at, next);
      at = input.skipWhiteSpace(next);
    }
    if (features.size() == 0 || hasConstant != regression) {
      throw InvalidModelException.at(
          start,
          regression
              ? "expected weights and the constant, such as 0:0.5"
              : "expected weights, each as feature:weight");
    }
    int largest = 0;
    for (int term = 0; term < features.size(); term++) {
      largest = Math.max(largest, features.get(term));
    }
    int[] indices = features.toArray();
    for (int term = 0; term < indices.length; term++) {
      indices[term]--;
    }
    return TreeEnsemble.builder(
            RankLibReader.numberedNames(largest),
            new ModelSource(RankLibReader.FORMAT.format(), "", kind))
        .linear(LinearTerms.of(indices, weights.toArray()))
        .initialScore(constant)
        .build();
  }

  private void readPair(int start, int end) {
    int colon = input.indexOf(':', start, end);
    String place = "weight " + features.size();
    if (colon == end) {
      throw InvalidModelException.at(start, place + ": expected feature:weight");
    }
    long feature = Numbers.longOf(input.text(start, colon), start);
    double weight = Numbers.doubleOf(input.text(colon + 1, end), colon + 1);
    if (regression && feature == 0 && !hasConstant) {
      constant = weight;
      hasConstant = true;
      return;
    }
    if (feature < 1) {
      throw InvalidModelException.at(
          start, place + ": feature " + feature + ", expected 1 or more");
    }
    limits.check(place + ": feature", feature, Limit.FEATURES, start);
    limits.check("weights", features.size() + 1L, Limit.NODES, start);
    features.add((int) feature);
    weights.add(weight);
  }
}

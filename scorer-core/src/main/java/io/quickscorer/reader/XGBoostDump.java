// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.common.FeatureNames;
import io.quickscorer.reader.input.Place;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds an ensemble from the trees of an XGBoost dump.
 *
 * <p>A dump lacks the base score, dropout weights and the number of classes, and usually the
 * objective; scores start at 0. If all names have the form {@code f<number>}, the features are
 * {@code f0, f1, ...} up to the largest number. Otherwise, they are the names in the order in which
 * they occur.
 */
final class XGBoostDump {
  /** A note for the user, which applies to every dump. */
  public static final String NOTE =
      "a dump lacks the base score and dropout weights: raw scores differ from the trainer's by the"
          + " base score, and models trained with dropout are scored without it";

  /** A note for the user, which applies to a dump that does not contain the objective. */
  public static final String CLASSES_NOTE =
      "a dump does not distinguish the trees of several classes or targets: for such a model"
          + " the score is their sum, which is meaningless; upload the model's own file instead";

  /** A note for the user, which applies to a dump with splits on indicator features. */
  public static final String INDICATORS_NOTE =
      "a dump lacks the thresholds of indicator features (type i): such a feature counts as present"
          + " if its value is above 0, otherwise as absent";

  /** The message of the exception for a dump of a linear model. */
  static final String LINEAR =
      "dumps of gblinear models are not supported: weights are rounded and the base score is"
          + " missing; use the saved model";

  private final Place place;
  private final EnsembleLimits limits;
  private final XGBoostDumpNodes nodes;
  private final Map<String, Integer> names = new LinkedHashMap<>();
  private final Deque<XGBoostTree> trees = new ArrayDeque<>();

  XGBoostDump(Place place, EnsembleLimits limits) {
    this.place = place;
    this.limits = limits;
    this.nodes = new XGBoostDumpNodes(place, names, limits);
  }

  /** Returns the object that collects the nodes of the present tree. */
  XGBoostDumpNodes nodes() {
    return nodes;
  }

  /** Checks that one more tree does not exceed the limits. */
  void checkNext() {
    place.check("trees", trees.size() + 1L, Limit.TREES, limits);
  }

  void add(XGBoostTree tree) {
    trees.add(tree);
  }

  /** Returns the number of trees that were added so far. */
  int size() {
    return trees.size();
  }

  /**
   * Builds the ensemble of all trees that were added.
   *
   * @param objective the objective as the file spells it; empty if the file does not contain it
   */
  TreeEnsemble build(ModelFormat format, String objective, OutputTransform transform) {
    int[] order = indexedOrder();
    List<String> featureNames = new ArrayList<>(names.keySet());
    if (order.length > 0) {
      featureNames = FeatureNames.indexed(1 + Arrays.stream(order).max().orElse(0));
    }
    TreeEnsemble.Builder ensemble =
        TreeEnsemble.builder(
            featureNames, new ModelSource(format, "", objective, notes(objective)));
    TreeBuilder builder = new TreeBuilder(limits, featureNames.size(), false);
    List<Tree> built = new ArrayList<>(trees.size());
    while (!trees.isEmpty()) {
      XGBoostTree raw = trees.remove();
      for (int node = 0; order.length > 0 && node < raw.features().length; node++) {
        raw.features()[node] = raw.left()[node] < 0 ? 0 : order[raw.features()[node]];
      }
      built.add(raw.build(builder, built.size(), 1f));
    }
    return ensemble.trees(built).accumulator(Accumulator.FLOAT).transform(transform).build();
  }

  private List<String> notes(String objective) {
    List<String> notes = new ArrayList<>(List.of(NOTE));
    if (objective.isEmpty()) {
      notes.add(CLASSES_NOTE);
    }
    if (nodes.hasIndicators()) {
      notes.add(INDICATORS_NOTE);
    }
    return notes;
  }

  /**
   * If all feature names have the form {@code f<number>}, returns their numbers, in the order in
   * which the names first occur; otherwise an empty array.
   */
  private int[] indexedOrder() {
    int[] order = new int[names.size()];
    for (Map.Entry<String, Integer> name : names.entrySet()) {
      String digits = name.getKey().substring(Math.min(1, name.getKey().length()));
      boolean plain = digits.equals("0") || (!digits.startsWith("0") && !digits.startsWith("-"));
      if (!name.getKey().startsWith("f") || !plain || digits.length() > 9) {
        return new int[0];
      }
      try {
        order[name.getValue()] = Integer.parseInt(digits);
      } catch (NumberFormatException e) {
        return new int[0];
      }
      place.check(
          "feature f" + digits + ": features", order[name.getValue()] + 1L, Limit.FEATURES, limits);
    }
    return order;
  }
}

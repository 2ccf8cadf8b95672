// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.feature.BoundFeature;
import io.quickscorer.plugin.feature.FeatureDefinition;
import io.quickscorer.plugin.model.node.CompiledModel;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which column of an extracted matrix each feature of a model is. */
final class ModelColumns {
  private ModelColumns() {}

  /** Returns the number of columns of the model's matrix. */
  public static int width(CompiledModel model) {
    return model.scorer().ensemble().featureNames().size();
  }

  /**
   * Returns the columns for extraction into the model's own matrix. For each needed feature of the
   * group, this is the first of the ensemble's columns that read the feature.
   */
  static int[] own(CompiledModel model, List<BoundFeature> group) {
    int[] columns = none(group);
    int[] places = places(model, group);
    for (int f = places.length - 1; f >= 0; f--) {
      if (places[f] >= 0 && !(group.get(places[f]) instanceof BoundFeature.Unused)) {
        columns[places[f]] = f;
      }
    }
    return columns;
  }

  /**
   * Returns the columns for extraction for several purposes: the needed features have consecutive
   * columns.
   */
  public static int[] compact(List<BoundFeature> group) {
    int[] columns = new int[group.size()];
    int next = 0;
    for (int f = 0; f < columns.length; f++) {
      columns[f] = group.get(f) instanceof BoundFeature.Unused ? -1 : next++;
    }
    return columns;
  }

  /** Returns an array in which no feature has a column. */
  static int[] none(List<BoundFeature> group) {
    int[] columns = new int[group.size()];
    Arrays.fill(columns, -1);
    return columns;
  }

  /** Returns how many columns {@link #compact} assigned. */
  public static int count(int[] columns) {
    return (int) Arrays.stream(columns).filter(column -> column >= 0).count();
  }

  /** Returns for each feature of the ensemble its place in the group, -1 if it has none. */
  static int[] places(CompiledModel model, List<BoundFeature> group) {
    List<FeatureDefinition> set = model.features().features();
    int[] places = model.columns();
    if (isStartOf(set, group)) {
      return places;
    }
    Map<String, Integer> byName = new HashMap<>();
    for (int f = 0; f < group.size(); f++) {
      byName.putIfAbsent(group.get(f).name(), f);
    }
    return Arrays.stream(places)
        .map(place -> place < 0 ? -1 : byName.getOrDefault(set.get(place).name(), -1))
        .toArray();
  }

  private static boolean isStartOf(List<FeatureDefinition> set, List<BoundFeature> group) {
    if (set.size() > group.size()) {
      return false;
    }
    for (int f = 0; f < set.size(); f++) {
      if (!set.get(f).name().equals(group.get(f).name())) {
        return false;
      }
    }
    return true;
  }

  /**
   * Copies the extracted columns into the order of the ensemble.
   *
   * @param places per feature of the ensemble its place in the group, or -1
   * @param columns per feature of the group its column in {@code extracted}, or -1
   * @param to a matrix of the model's width; may be {@code extracted} itself
   */
  static void arrange(int[] places, int[] columns, FeatureMatrix extracted, FeatureMatrix to) {
    boolean same = to.values() == extracted.values();
    for (int f = 0; f < places.length; f++) {
      int from = places[f] < 0 ? -1 : columns[places[f]];
      if (from >= 0 && !(same && from == f)) {
        System.arraycopy(
            extracted.values(),
            extracted.column(from),
            to.values(),
            to.column(f),
            extracted.documents());
      }
    }
  }
}

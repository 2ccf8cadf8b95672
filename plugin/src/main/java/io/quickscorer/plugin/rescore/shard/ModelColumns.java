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

/**
 * Assigns the columns of matrices to features. In an array of columns, element f is the number of
 * the column for feature f of a group, or -1 if the feature has no column. A group is a list of
 * features that several models share.
 */
final class ModelColumns {
  private ModelColumns() {}

  /** Returns the number of columns in the matrix that a model scores. */
  public static int width(CompiledModel model) {
    return model.scorer().ensemble().featureNames().size();
  }

  /**
   * Returns, for each feature of the group, its column in the matrix that the model scores. So the
   * features are computed directly into this matrix. If several columns of the model contain the
   * same feature, the feature gets the first of these columns.
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

  /** Returns an array of columns in which the needed features have consecutive columns, from 0. */
  public static int[] compact(List<BoundFeature> group) {
    int[] columns = new int[group.size()];
    int next = 0;
    for (int f = 0; f < columns.length; f++) {
      columns[f] = group.get(f) instanceof BoundFeature.Unused ? -1 : next++;
    }
    return columns;
  }

  /** Returns an array of columns in which no feature has a column. */
  static int[] none(List<BoundFeature> group) {
    int[] columns = new int[group.size()];
    Arrays.fill(columns, -1);
    return columns;
  }

  /** Returns the number of different columns in an array from {@link #compact}. */
  public static int count(int[] columns) {
    return (int) Arrays.stream(columns).filter(column -> column >= 0).count();
  }

  /**
   * Returns, for each feature in the model's file, its index in the group, or -1 if the group lacks
   * it.
   */
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
   * Copies the columns of computed features to the columns of a model's matrix.
   *
   * @param places for each feature in the model's file, its index in the group, or -1
   * @param columns for each feature of the group, its column in {@code extracted}, or -1
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

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.measure;

import io.quickscorer.demo.corpus.Corpus.Fields;
import io.quickscorer.measure.EndToEndOptions.Cell;
import io.quickscorer.measure.MeasuredFeatures.Feature;
import io.quickscorer.measure.MeasuredFeatures.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Generates a benchmark's models from feature values that a node has logged, and uploads them. */
record MeasuredModels(EndToEndOptions options, Fields fields) {
  /** The kinds of features that the small, fast first model uses. */
  private static final Set<Kind> CHEAP_KINDS = Set.of(Kind.TITLE_MATCH, Kind.NUMBER);

  private static final int CHEAP_TREES = 50;
  private static final int CHEAP_LEAVES = 16;

  /** Number of queries whose feature values are logged; enough for distinct thresholds. */
  private static final int LOGGED_QUERIES = 10;

  private static final int LOGGED_HITS = 200;

  private static String set(int features) {
    return "f" + features;
  }

  /** Returns the name of the model for a combination of sizes. */
  static String model(Cell cell) {
    return set(cell.features()) + "_" + cell.model();
  }

  /**
   * Returns the name of the small first model that is used with models of {@code features}
   * features.
   */
  static String cheap(int features) {
    return "cheap" + features;
  }

  /** Uploads all models and their feature sets to the node of each build. */
  void put(List<MeasuredSide> sides, List<String> queries) {
    Set<String> done = new HashSet<>();
    Map<Integer, GeneratedForest> forests = new LinkedHashMap<>();
    for (Cell cell : options.cells()) {
      if (!done.add(model(cell))) {
        continue;
      }
      List<MeasuredNode> nodes = sides.stream().map(side -> side.node(cell)).toList();
      GeneratedForest forest =
          forests.computeIfAbsent(cell.features(), features -> forest(features, nodes, queries));
      String file = forest.file(cell.trees(), cell.leaves());
      nodes.forEach(node -> node.putModel(model(cell), set(cell.features()), file));
    }
  }

  /**
   * Uploads a feature set and, if the options ask for it, the small first model. Returns a
   * generator of models for the feature set.
   */
  private GeneratedForest forest(int features, List<MeasuredNode> nodes, List<String> queries) {
    nodes.forEach(node -> node.putFeatureSet(set(features), kind -> true));
    List<String> some = queries.subList(0, Math.min(LOGGED_QUERIES, queries.size()));
    List<float[]> rows = nodes.getLast().values(some, LOGGED_HITS, set(features));
    List<Feature> all = MeasuredFeatures.queries(fields, features);
    if (options.keep() > 0) {
      putCheapModel(cheap(features), all, rows, nodes);
    }
    return new GeneratedForest(all.stream().map(Feature::name).toList(), rows);
  }

  /**
   * Uploads the small first model and its feature set, which contains only features that are fast
   * to compute.
   */
  private static void putCheapModel(
      String name, List<Feature> all, List<float[]> rows, List<MeasuredNode> nodes) {
    List<String> names = new ArrayList<>();
    List<Integer> places = new ArrayList<>();
    for (int f = 0; f < all.size(); f++) {
      if (CHEAP_KINDS.contains(all.get(f).kind())) {
        names.add(all.get(f).name());
        places.add(f);
      }
    }
    List<float[]> cheapRows = new ArrayList<>();
    for (float[] row : rows) {
      float[] cheapRow = new float[places.size()];
      for (int f = 0; f < cheapRow.length; f++) {
        cheapRow[f] = row[places.get(f)];
      }
      cheapRows.add(cheapRow);
    }
    String file = new GeneratedForest(names, cheapRows).file(CHEAP_TREES, CHEAP_LEAVES);
    for (MeasuredNode node : nodes) {
      node.putFeatureSet(name, CHEAP_KINDS::contains);
      node.putModel(name, name, file);
    }
  }
}

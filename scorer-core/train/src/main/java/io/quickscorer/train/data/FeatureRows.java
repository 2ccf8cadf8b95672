// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * Training rows: the feature values of hits with their labels (grades), grouped by query.
 *
 * @param values the feature values of each row; NaN for a missing value
 * @param labels the grade of each row
 * @param groups the number of rows of each group, in the order of the rows; a group is a query or,
 *     with clicks, a search
 * @param positions the position, from 1, at which the user of a search saw the hit of each row;
 *     empty if the rows come from judgments
 */
public record FeatureRows(
    List<float[]> values, List<Integer> labels, List<Integer> groups, List<Integer> positions) {
  /** Creates training rows without positions, which come from judgments. */
  public FeatureRows(List<float[]> values, List<Integer> labels, List<Integer> groups) {
    this(values, labels, groups, List.of());
  }

  /**
   * The hits of a query.
   *
   * @param ids the ids of the hits
   * @param values the feature values of each hit
   */
  public record Hits(JudgedQuery query, List<String> ids, List<float[]> values) {}

  /**
   * Returns the hits of some queries, read from the lines of a feature log and in their order.
   * Queries without hits are left out.
   *
   * @throws IllegalStateException if a query has two hits with the same id
   */
  public static List<Hits> read(List<JudgedQuery> queries, List<FeatureLog.Line> lines) {
    Map<String, JudgedQuery> byId = new HashMap<>();
    queries.forEach(query -> byId.put(query.id(), query));
    Map<String, Hits> byQuery = new LinkedHashMap<>();
    Map<String, Set<String>> ids = new HashMap<>();
    for (FeatureLog.Line line : lines) {
      JudgedQuery query = byId.get(line.query());
      if (query == null) {
        continue;
      }
      Hits hits =
          byQuery.computeIfAbsent(
              query.id(), q -> new Hits(query, new ArrayList<>(), new ArrayList<>()));
      if (!ids.computeIfAbsent(query.id(), q -> new HashSet<>()).add(line.id())) {
        throw new IllegalStateException(
            "query ["
                + query.id()
                + "] has two hits with the id ["
                + line.id()
                + "], which several indices contain; log one index");
      }
      hits.ids.add(line.id());
      hits.values.add(line.values());
    }
    return List.copyOf(byQuery.values());
  }

  static float[] values(JsonNode features) {
    float[] values = new float[features.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = features.get(i).isNull() ? Float.NaN : features.get(i).floatValue();
    }
    return values;
  }

  /** Returns the hits of a search response, with the feature values that the plugin logged. */
  public static Hits read(JudgedQuery query, JsonNode response) {
    List<String> ids = new ArrayList<>();
    List<float[]> values = new ArrayList<>();
    for (JsonNode hit : response.at("/hits/hits")) {
      ids.add(hit.get("_id").asString());
      values.add(values(hit.at("/fields/_quickscorer/0/features")));
    }
    return new Hits(query, ids, values);
  }

  /**
   * Returns training rows for the hits of queries. A query is left out if all its hits have the
   * same label (grade).
   */
  public static FeatureRows of(List<Hits> logged) {
    FeatureRows rows = new FeatureRows(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (Hits hits : logged) {
      List<Integer> labels = hits.ids().stream().map(hits.query()::label).toList();
      if (labels.stream().distinct().count() > 1) {
        rows.values.addAll(hits.values());
        rows.labels.addAll(labels);
        rows.groups.add(labels.size());
      }
    }
    return rows;
  }

  /** Returns a sentence for each feature with the same value in all rows, by the feature's name. */
  public static Map<String, String> alike(List<Hits> hits, List<String> names) {
    Map<String, String> sentences = new LinkedHashMap<>();
    for (int f = 0; f < names.size(); f++) {
      int feature = f;
      List<Float> values =
          hits.stream()
              .flatMap(query -> query.values().stream())
              .map(row -> row[feature])
              .distinct()
              .limit(2)
              .toList();
      if (values.size() == 1) {
        sentences.put(
            names.get(f),
            "feature ["
                + names.get(f)
                + "] is "
                + (Float.isNaN(values.getFirst()) ? "missing" : values.getFirst())
                + " in all rows");
      }
    }
    return sentences;
  }

  /**
   * Returns a copy of these rows in which each feature outside of {@code features} has the value 0.
   */
  public FeatureRows only(BitSet features) {
    if (features.cardinality() == featureCount()) {
      return this;
    }
    // Rows of one document in several searches share the array of their values.
    Map<float[], float[]> kept = new IdentityHashMap<>();
    List<float[]> some = new ArrayList<>();
    for (float[] row : values) {
      some.add(
          kept.computeIfAbsent(
              row,
              all -> {
                float[] few = new float[all.length];
                features.stream().forEach(f -> few[f] = all[f]);
                return few;
              }));
    }
    return new FeatureRows(some, labels, groups, positions);
  }

  public int count() {
    return values.size();
  }

  public int featureCount() {
    return values.getFirst().length;
  }

  /** Returns a sample of at most {@code size} rows, evenly spaced. */
  public List<float[]> sample(int size) {
    int step = Math.max(1, count() / size);
    return IntStream.range(0, Math.min(size, count())).mapToObj(i -> values.get(i * step)).toList();
  }

  /** Returns the values of all rows in one array, row after row. */
  public static float[] flat(List<float[]> rows, int featureCount) {
    float[] flat = new float[rows.size() * featureCount];
    for (int i = 0; i < rows.size(); i++) {
      System.arraycopy(rows.get(i), 0, flat, i * featureCount, featureCount);
    }
    return flat;
  }
}

package io.quickscorer.demo;

import io.quickscorer.demo.corpus.JudgedQuery;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Feature values of hits with their labels, query after query, as a trainer of rankings takes them.
 *
 * @param values row after row; missing is NaN
 * @param labels one per row
 * @param groups how many rows each query has, in order
 */
public record FeatureRows(List<float[]> values, List<Integer> labels, List<Integer> groups) {
  /** One query's hits with their values. */
  public record Hits(JudgedQuery query, List<String> ids, List<float[]> values) {}

  /** Reads the values that the rescore clause logs beside each hit. */
  public static Hits read(JudgedQuery query, JsonNode response) {
    List<String> ids = new ArrayList<>();
    List<float[]> values = new ArrayList<>();
    for (JsonNode hit : response.at("/hits/hits")) {
      JsonNode logged = hit.at("/fields/_quickscorer/0/features");
      float[] row = new float[logged.size()];
      for (int i = 0; i < row.length; i++) {
        row[i] = logged.get(i).isNull() ? Float.NaN : logged.get(i).floatValue();
      }
      ids.add(hit.get("_id").asString());
      values.add(row);
    }
    return new Hits(query, ids, values);
  }

  /**
   * Joins the hits with the queries' labels. Queries whose hits all have one label teach no order
   * and are left out.
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

  int count() {
    return values.size();
  }

  int featureCount() {
    return values.getFirst().length;
  }

  /** All values in one array, row after row. */
  static float[] flat(List<float[]> rows, int featureCount) {
    float[] flat = new float[rows.size() * featureCount];
    for (int i = 0; i < rows.size(); i++) {
      System.arraycopy(rows.get(i), 0, flat, i * featureCount, featureCount);
    }
    return flat;
  }
}

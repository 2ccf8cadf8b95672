// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import java.util.AbstractList;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;
import org.apache.lucene.search.Explanation;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.document.DocumentField;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;

/**
 * The values that this plugin adds to the hits of a response. Converts the values to the form that
 * users get, and estimates the memory of values and of explanations.
 */
public final class ShownHits {
  public static final String FIELD = "_quickscorer";

  public static final String FEATURES = "features";

  /** Estimated bytes of the maps and names that contain the logged values of one hit. */
  private static final int ROW_BYTES = 600;

  /** Maximum length, in bytes, of a float as JSON text, including a comma. */
  private static final int TEXT_BYTES = 16;

  /** Estimated bytes of one line of an explanation, both as an object and as text. */
  private static final int EXPLANATION_BYTES = 200;

  private ShownHits() {}

  /**
   * Adds a hit's feature values and scores to the hit's JSON object in the response.
   *
   * @param models the number of models that scored the hit; those that rank have the first indices
   * @param features returns the hit's feature values to log
   * @param score returns the score of a model, by the model's index
   */
  public static void fill(
      Map<String, Object> row,
      ClauseOptions options,
      BoundClause bound,
      int models,
      Supplier<float[]> features,
      IntToDoubleFunction score) {
    if (options.log()) {
      row.put(FEATURES, features.get());
    }
    if (models > 0) {
      row.put("score", score.applyAsDouble(0));
    }
    int ranking = options.names().models().size();
    if (ranking > 1) {
      row.put("scores", scores(bound, 0, ranking, score));
    }
    if (options.log() && models > ranking) {
      row.put("shadow_scores", scores(bound, ranking, models, score));
    }
  }

  private static Map<String, Object> scores(
      BoundClause bound, int from, int to, IntToDoubleFunction score) {
    Map<String, Object> scores = new LinkedHashMap<>();
    for (int m = from; m < to; m++) {
      scores.put(bound.models().get(m).name(), score.applyAsDouble(m));
    }
    return scores;
  }

  /** Returns the estimated heap bytes of a hit's logged values, from their number. */
  public static long rowBytes(int features) {
    return ROW_BYTES + (long) Float.BYTES * features;
  }

  /** Returns the estimated heap bytes of an explanation, from the number of its lines. */
  static long explanationBytes(long parts) {
    return parts * EXPLANATION_BYTES;
  }

  /** Returns the estimated bytes of the hits' values and explanations, as text in the response. */
  public static long textBytes(SearchHits hits) {
    long bytes = 0;
    for (SearchHit hit : hits.getHits()) {
      DocumentField field = hit.field(FIELD);
      if (field != null) {
        for (Object row : field.getValues()) {
          bytes += ROW_BYTES + (long) TEXT_BYTES * features(row);
        }
      }
      bytes += bytes(hit.getExplanation());
      for (SearchHits inner : innerHits(hit)) {
        bytes += textBytes(inner);
      }
    }
    return bytes;
  }

  private static int features(Object row) {
    Object features = row instanceof Map<?, ?> map ? map.get(FEATURES) : null;
    return features instanceof float[] values ? values.length : 0;
  }

  private static long bytes(@Nullable Explanation explanation) {
    if (explanation == null) {
      return 0;
    }
    long bytes = 0;
    Deque<Explanation> open = new ArrayDeque<>();
    open.push(explanation);
    while (!open.isEmpty()) {
      Explanation part = open.pop();
      bytes += EXPLANATION_BYTES + part.getDescription().length();
      for (Explanation detail : part.getDetails()) {
        open.push(detail);
      }
    }
    return bytes;
  }

  /** Converts the logged values of hits to the form for users, in which a missing value is null. */
  public static void write(SearchHits hits) {
    for (SearchHit hit : hits.getHits()) {
      DocumentField field = hit.field(FIELD);
      if (field != null) {
        field.getValues().forEach(ShownHits::write);
      }
      innerHits(hit).forEach(ShownHits::write);
    }
  }

  private static Collection<SearchHits> innerHits(SearchHit hit) {
    return hit.getInnerHits() == null ? List.of() : hit.getInnerHits().values();
  }

  @SuppressWarnings("unchecked") // this plugin created the rows
  private static void write(Object row) {
    if (row instanceof Map<?, ?> map && map.get(FEATURES) instanceof float[] values) {
      ((Map<String, Object>) map).put(FEATURES, new FeatureValues(values));
    }
  }

  /**
   * A hit's logged values as a list, in which a missing value is null; stored as an array with NaN.
   */
  public static final class FeatureValues extends AbstractList<@Nullable Float> {
    private final float[] values;

    /**
     * Creates the list.
     *
     * @param values the values, which are not copied; NaN for a missing one
     */
    FeatureValues(float[] values) {
      this.values = values;
    }

    /** Returns the array of values itself, not a copy; NaN for a missing one. */
    public float[] values() {
      return values;
    }

    @Override
    public @Nullable Float get(int feature) {
      float value = values[feature];
      return Float.isNaN(value) ? null : value;
    }

    @Override
    public int size() {
      return values.length;
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.model.ModelId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;

/**
 * Counts, on one node, how often each model of an alias was selected, and how similar the rankings
 * of the models of one search were. Safe for use by several threads.
 */
public final class ComparisonStats {
  /**
   * Maximum number of counters of each kind. If it is reached, new aliases or pairs of models are
   * not counted.
   */
  static final int MAX_ENTRIES = 1_000;

  private final Map<Draw, Long> draws = new ConcurrentHashMap<>();
  private final Map<Versions, ComparisonCounts.Agreeing> agreements = new ConcurrentHashMap<>();

  /** A model that an alias selected for a search. */
  record Draw(String alias, String model) {}

  /**
   * Two versions of models that scored the same lists of hits.
   *
   * @param ranking the version whose ranking the searches used
   * @param other the version of another model in the search, which may be a shadow model (it only
   *     scores in the background)
   * @param experiment the name of the experiment in the searches; empty for none
   */
  record Versions(ModelId ranking, ModelId other, String experiment) {}

  /** Counts a search for which an alias selected a model. */
  public void drawn(String alias, String model) {
    count(draws, new Draw(alias, model), 1L, Long::sum);
  }

  /**
   * Compares the rankings of one list of hits by all models of a search, and adds the results to
   * the counters.
   *
   * @param experiment the name of the experiment in the search; empty for none
   * @param models the models of the search, at least two, which uses the ranking of the first one
   * @param scores the scores: {@code scores[m][i]} is the score of document i by model m
   */
  public void scored(String experiment, List<ModelId> models, double[][] scores) {
    if (scores[0].length < 2) {
      return;
    }
    int[] ranking = Agreement.ranking(scores[0]);
    for (int m = 1; m < scores.length; m++) {
      Agreement agreement = Agreement.of(ranking, Agreement.ranking(scores[m]));
      Versions pair = new Versions(models.getFirst(), models.get(m), experiment);
      count(
          agreements,
          pair,
          ComparisonCounts.Agreeing.of(pair, agreement),
          ComparisonCounts.Agreeing::and);
    }
  }

  private static <K, C> void count(Map<K, C> counts, K key, C one, BinaryOperator<C> adding) {
    if (counts.containsKey(key) || counts.size() < MAX_ENTRIES) {
      counts.merge(key, one, adding);
    }
  }

  /**
   * Removes the counters of aliases and models that no longer exist; {@code kept} returns whether a
   * name exists.
   */
  public void retainNames(Predicate<String> kept) {
    draws.keySet().removeIf(draw -> !kept.test(draw.alias) || !kept.test(draw.model));
  }

  /** Removes the counters of versions that do not exist; {@code kept} says whether one exists. */
  void retain(Predicate<ModelId> kept) {
    agreements.keySet().removeIf(pair -> !kept.test(pair.ranking) || !kept.test(pair.other));
  }

  /** Resets the counters of an experiment to 0. */
  public void forget(String experiment) {
    agreements.keySet().removeIf(pair -> pair.experiment.equals(experiment));
  }

  ComparisonCounts counts() {
    Map<String, Map<String, Long>> byAlias = new TreeMap<>();
    draws.forEach(
        (draw, count) ->
            Objects.requireNonNull(byAlias.computeIfAbsent(draw.alias, alias -> new TreeMap<>()))
                .put(draw.model, count));
    return new ComparisonCounts(byAlias, List.copyOf(agreements.values()));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.model.ModelId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Counts on one node what tells models from each other in searches: which models aliases stood for,
 * how far the rankings of models of one clause agreed, and whose hits were clicked where two were
 * interleaved. Safe for use by several threads.
 */
public final class ComparisonStats {
  /** Entries of a kind; what comes after them is not counted. */
  static final int MAX_ENTRIES = 1_000;

  private final Map<Draw, LongAdder> draws = new ConcurrentHashMap<>();
  private final Map<Versions, AgreementCounter> agreements = new ConcurrentHashMap<>();
  private final Map<Teams, TeamCounter> teams = new ConcurrentHashMap<>();

  /** A model that an alias stood for. */
  record Draw(String alias, String model) {}

  /**
   * Two versions of one clause.
   *
   * @param ranking the one that ranks
   * @param other another one, or a shadow
   * @param experiment of the clause; "" for none
   */
  record Versions(ModelId ranking, ModelId other, String experiment) {}

  /**
   * Two names whose rankings are interleaved, in the order of the alphabet; the same name twice is
   * an {@link IllegalArgumentException}.
   *
   * @param experiment of the clause; "" for none
   */
  public record Teams(String first, String second, String experiment) {
    public Teams {
      if (first.compareTo(second) >= 0) {
        throw new IllegalArgumentException("expected two names in the order of the alphabet");
      }
    }

    /** In whatever order. */
    public static Teams of(String a, String b, String experiment) {
      return a.compareTo(b) < 0 ? new Teams(a, b, experiment) : new Teams(b, a, experiment);
    }
  }

  private static final class TeamCounter {
    private final LongAdder searches = new LongAdder();
    private final LongAdder clicks = new LongAdder();
    private final LongAdder firstWins = new LongAdder();
    private final LongAdder secondWins = new LongAdder();
    private final LongAdder ties = new LongAdder();

    void add(ComparisonCounts.Wins more) {
      searches.add(more.searches());
      clicks.add(more.clicks());
      firstWins.add(more.first());
      secondWins.add(more.second());
      ties.add(more.ties());
    }
  }

  /** A search said an alias and got that model. */
  public void drawn(String alias, String model) {
    count(draws, new Draw(alias, model), draw -> new LongAdder(), LongAdder::increment);
  }

  /**
   * All models of a clause scored one window.
   *
   * @param experiment of the clause; "" for none
   * @param scores per model of each document, the first model's ranked
   */
  public void scored(String experiment, List<ModelId> models, double[][] scores) {
    // Where all shards are ranked together they score nothing themselves.
    if (scores.length < 2 || scores[0].length < 2) {
      return;
    }
    int[] ranking = Agreement.ranking(scores[0]);
    for (int m = 1; m < scores.length; m++) {
      Agreement agreement = Agreement.of(ranking, Agreement.ranking(scores[m]));
      count(
          agreements,
          new Versions(models.getFirst(), models.get(m), experiment),
          pair -> new AgreementCounter(),
          counter -> counter.add(agreement));
    }
  }

  /** The first page of a search was interleaved. */
  public void interleaved(Teams pair) {
    count(teams, pair, p -> new TeamCounter(), counter -> counter.searches.increment());
  }

  /**
   * Hits of one interleaved search were clicked.
   *
   * @param first how many that the first team picked
   * @param second likewise of the second
   */
  public void clicked(Teams pair, int first, int second) {
    count(
        teams,
        pair,
        p -> new TeamCounter(),
        counter -> {
          counter.clicks.add((long) first + second);
          (first > second ? counter.firstWins : second > first ? counter.secondWins : counter.ties)
              .increment();
        });
  }

  /** Counts what was counted before: draws, and what came of interleaving. */
  void add(ComparisonCounts before) {
    before
        .draws()
        .forEach(
            (alias, models) ->
                models.forEach(
                    (model, number) ->
                        count(
                            draws,
                            new Draw(alias, model),
                            draw -> new LongAdder(),
                            counter -> counter.add(number))));
    for (ComparisonCounts.Wins wins : before.wins()) {
      count(teams, wins.teams(), pair -> new TeamCounter(), counter -> counter.add(wins));
    }
  }

  private static <K, C> void count(
      Map<K, C> counters, K key, Function<K, C> make, Consumer<C> counting) {
    @Nullable C known = counters.get(key);
    if (known == null && counters.size() < MAX_ENTRIES) {
      known = counters.computeIfAbsent(key, make);
    }
    if (known != null) {
      counting.accept(known);
    }
  }

  /** Forgets the agreement of versions that are not there. */
  void retain(Predicate<ModelId> there) {
    agreements.keySet().removeIf(pair -> !there.test(pair.ranking) || !there.test(pair.other));
  }

  /** Forgets draws and wins of names that are not there. */
  void retainNames(Predicate<String> there) {
    draws.keySet().removeIf(draw -> !there.test(draw.alias) || !there.test(draw.model));
    teams.keySet().removeIf(pair -> !there.test(pair.first) || !there.test(pair.second));
  }

  /** Forgets what was counted for an experiment. */
  public void forget(String experiment) {
    agreements.keySet().removeIf(pair -> pair.experiment.equals(experiment));
    teams.keySet().removeIf(pair -> pair.experiment.equals(experiment));
  }

  /** The counters as they stand. */
  ComparisonCounts counts() {
    Map<String, Map<String, Long>> byAlias = new TreeMap<>();
    draws.forEach(
        (draw, count) ->
            Objects.requireNonNull(byAlias.computeIfAbsent(draw.alias, alias -> new TreeMap<>()))
                .put(draw.model, count.sum()));
    List<ComparisonCounts.Agreeing> agreeing =
        agreements.entrySet().stream().map(e -> e.getValue().read(e.getKey())).toList();
    List<ComparisonCounts.Wins> wins =
        teams.entrySet().stream()
            .sorted(
                Map.Entry.comparingByKey(
                    Comparator.comparing(Teams::first)
                        .thenComparing(Teams::second)
                        .thenComparing(Teams::experiment)))
            .map(
                e ->
                    new ComparisonCounts.Wins(
                        e.getKey(),
                        e.getValue().searches.sum(),
                        e.getValue().clicks.sum(),
                        e.getValue().firstWins.sum(),
                        e.getValue().secondWins.sum(),
                        e.getValue().ties.sum()))
            .toList();
    return new ComparisonCounts(byAlias, agreeing, wins);
  }
}

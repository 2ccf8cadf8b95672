// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/**
 * A split of queries into training queries and held-out queries. Queries with the same words are
 * always in the same part.
 *
 * @param training the training queries
 * @param test the held-out queries
 * @param nearDuplicates the ids of held-out queries that are similar to a training query: of all
 *     different words in the two queries, more than half are in both
 */
public record HeldOut(
    List<JudgedQuery> training, List<JudgedQuery> test, Set<String> nearDuplicates) {
  private static final int PERCENT_TRAINING = 60;
  private static final double NEAR = 0.5;

  /**
   * Splits the queries that have a relevant document. Near-duplicates (queries that share many
   * words) may be in different parts.
   *
   * @param maxTraining maximum number of training queries
   * @param maxTest maximum number of held-out queries
   */
  public static HeldOut split(List<JudgedQuery> queries, int maxTraining, int maxTest) {
    List<JudgedQuery> training = new ArrayList<>();
    List<JudgedQuery> test = new ArrayList<>();
    for (JudgedQuery query : queries) {
      if (!query.hasGoodAnswer()) {
        continue;
      }
      if (hash(query) % 100 < PERCENT_TRAINING) {
        training.add(query);
      } else {
        test.add(query);
      }
    }
    training = spread(training, maxTraining);
    test = spread(test, maxTest);
    return new HeldOut(training, test, nearDuplicates(training, test));
  }

  /**
   * Splits queries into training and held-out queries. Near-duplicates (queries that share many
   * words) are in the same part, and so are two queries with the same near-duplicate. Equal lists
   * of queries are always split in the same way.
   *
   * @param share the share of the queries to hold out, 0 to 1; fewer queries are held out if no
   *     further group of near-duplicates fits
   */
  public static HeldOut together(List<JudgedQuery> queries, double share) {
    List<JudgedQuery> judged = queries.stream().filter(JudgedQuery::hasGoodAnswer).toList();
    List<List<JudgedQuery>> groups = groups(judged);
    groups.sort(
        Comparator.comparingLong((List<JudgedQuery> group) -> hash(group.getFirst()))
            .thenComparing(group -> group.getFirst().id()));
    long room = Math.round(share * judged.size());
    List<JudgedQuery> training = new ArrayList<>();
    List<JudgedQuery> test = new ArrayList<>();
    for (List<JudgedQuery> group : groups) {
      (test.size() + group.size() <= room ? test : training).addAll(group);
    }
    return new HeldOut(training, test, Set.of());
  }

  /**
   * Returns groups of near-duplicates: queries that share more than half of their words, so that a
   * query of one word does not connect all queries of two words that contain it. A group keeps the
   * order of {@code queries}.
   */
  private static List<List<JudgedQuery>> groups(List<JudgedQuery> queries) {
    int[] parents = IntStream.range(0, queries.size()).toArray();
    List<Set<String>> words = queries.stream().map(HeldOut::words).toList();
    Map<String, List<Integer>> byWord = new HashMap<>();
    for (int q = 0; q < parents.length; q++) {
      Set<Integer> candidates = new TreeSet<>();
      for (String word : words.get(q)) {
        List<Integer> with = byWord.computeIfAbsent(word, w -> new ArrayList<>());
        candidates.addAll(with);
        with.add(q);
      }
      for (int other : candidates) {
        if (similarity(words.get(q), words.get(other)) > NEAR) {
          int a = root(parents, q);
          int b = root(parents, other);
          parents[Math.max(a, b)] = Math.min(a, b);
        }
      }
    }
    Map<Integer, List<JudgedQuery>> groups = new LinkedHashMap<>();
    for (int q = 0; q < parents.length; q++) {
      groups.computeIfAbsent(root(parents, q), r -> new ArrayList<>()).add(queries.get(q));
    }
    return new ArrayList<>(groups.values());
  }

  private static int root(int[] parents, int query) {
    int at = query;
    while (parents[at] != at) {
      parents[at] = parents[parents[at]];
      at = parents[at];
    }
    return at;
  }

  private static long hash(JudgedQuery query) {
    CRC32 hash = new CRC32();
    hash.update(String.join(" ", new TreeSet<>(words(query))).getBytes(StandardCharsets.UTF_8));
    return hash.getValue();
  }

  /**
   * Returns at most {@code max} queries, evenly spaced in the list, because query files are often
   * sorted.
   */
  private static List<JudgedQuery> spread(List<JudgedQuery> queries, int max) {
    if (queries.size() <= max) {
      return queries;
    }
    List<JudgedQuery> taken = new ArrayList<>();
    for (int i = 0; i < max; i++) {
      taken.add(queries.get((int) ((long) i * queries.size() / max)));
    }
    return taken;
  }

  private static Set<String> nearDuplicates(List<JudgedQuery> training, List<JudgedQuery> test) {
    Map<String, List<Set<String>>> byWord = new HashMap<>();
    for (JudgedQuery query : training) {
      Set<String> words = words(query);
      words.forEach(word -> byWord.computeIfAbsent(word, w -> new ArrayList<>()).add(words));
    }
    Set<String> near = new HashSet<>();
    for (JudgedQuery query : test) {
      Set<String> words = words(query);
      boolean found =
          words.stream()
              .map(word -> byWord.getOrDefault(word, List.of()))
              .flatMap(Collection::stream)
              .anyMatch(other -> similarity(words, other) > NEAR);
      if (found) {
        near.add(query.id());
      }
    }
    return near;
  }

  /** Returns the number of words in both sets divided by the number of words in either set. */
  private static double similarity(Set<String> a, Set<String> b) {
    long shared = a.stream().filter(b::contains).count();
    return (double) shared / (a.size() + b.size() - shared);
  }

  /**
   * Returns the words of a query. Combining marks are parts of words, because they are the vowels
   * of many scripts.
   */
  private static Set<String> words(JudgedQuery query) {
    String text = Normalizer.normalize(query.text(), Normalizer.Form.NFC);
    return new HashSet<>(
        List.of(text.toLowerCase(Locale.ROOT).strip().split("[^\\p{L}\\p{M}\\p{N}]+")));
  }
}

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
 * Which queries a model learns from and which it is judged by. The split is by the set of a query's
 * words, so that the same words in another order never stand on both sides. Queries that share most
 * words still may; those held-out queries are named, so that the figures can be given without them
 * too.
 *
 * @param training at most so many as were asked for, in no meaningful order
 * @param test likewise; every one has a good answer
 * @param nearDuplicates ids of test queries that share at least half of all their words with some
 *     training query
 */
public record HeldOut(
    List<JudgedQuery> training, List<JudgedQuery> test, Set<String> nearDuplicates) {
  private static final int PERCENT_TRAINING = 60;
  private static final double NEAR = 0.5;

  public static HeldOut split(List<JudgedQuery> queries, int mostTraining, int mostTest) {
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
    training = spread(training, mostTraining);
    test = spread(test, mostTest);
    return new HeldOut(training, test, nearDuplicates(training, test));
  }

  /**
   * Splits so that near-duplicates, and theirs in turn, stand on one side: groups of queries are
   * dealt out in the order of a hash, to the held-out side as long as they fit. The same queries
   * are always split alike.
   *
   * @param share of the queries that is held out, 0 to 1; less is if a group is larger
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

  /** Near-duplicates joined; each group's first is the first of the list. */
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
        if (similarity(words.get(q), words.get(other)) >= NEAR) {
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
   * At most so many, taken evenly over the list: files of queries are often sorted by something.
   */
  private static List<JudgedQuery> spread(List<JudgedQuery> queries, int most) {
    if (queries.size() <= most) {
      return queries;
    }
    List<JudgedQuery> taken = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      taken.add(queries.get((int) ((long) i * queries.size() / most)));
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
              .anyMatch(other -> similarity(words, other) >= NEAR);
      if (found) {
        near.add(query.id());
      }
    }
    return near;
  }

  /** Shared words by all words (Jaccard). */
  private static double similarity(Set<String> a, Set<String> b) {
    long shared = a.stream().filter(b::contains).count();
    return (double) shared / (a.size() + b.size() - shared);
  }

  /** Combining marks belong to words: many scripts write vowels by them, NFD writes accents. */
  private static Set<String> words(JudgedQuery query) {
    String text = Normalizer.normalize(query.text(), Normalizer.Form.NFC);
    return new HashSet<>(
        List.of(text.toLowerCase(Locale.ROOT).strip().split("[^\\p{L}\\p{M}\\p{N}]+")));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo;

import io.quickscorer.demo.corpus.JudgedQuery;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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
record HeldOut(List<JudgedQuery> training, List<JudgedQuery> test, Set<String> nearDuplicates) {
  private static final int PERCENT_TRAINING = 60;
  private static final double NEAR = 0.5;

  static HeldOut split(List<JudgedQuery> queries, int mostTraining, int mostTest) {
    List<JudgedQuery> training = new ArrayList<>();
    List<JudgedQuery> test = new ArrayList<>();
    for (JudgedQuery query : queries) {
      if (!query.hasGoodAnswer()) {
        continue;
      }
      CRC32 hash = new CRC32();
      hash.update(String.join(" ", new TreeSet<>(words(query))).getBytes(StandardCharsets.UTF_8));
      if (hash.getValue() % 100 < PERCENT_TRAINING) {
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

  private static Set<String> words(JudgedQuery query) {
    return new HashSet<>(List.of(query.text().toLowerCase(Locale.ROOT).strip().split("\\W+")));
  }
}

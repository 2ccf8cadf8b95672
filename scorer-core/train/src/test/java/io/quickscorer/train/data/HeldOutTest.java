// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class HeldOutTest {
  private static final List<JudgedQuery> QUERIES = queries();

  private static List<JudgedQuery> queries() {
    List<JudgedQuery> queries = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      add(queries, "word" + i + " other" + i);
      add(queries, "Other" + i + "  word" + i);
      add(queries, "word" + i + " third" + i + " fourth" + i);
    }
    queries.add(JudgedQuery.of("hopeless", "word1 other1", Map.of("d", 0)));
    return queries;
  }

  private static void add(List<JudgedQuery> queries, String text) {
    queries.add(JudgedQuery.of("q" + queries.size(), text, Map.of("d", 1)));
  }

  private static Set<Set<String>> wordSets(List<JudgedQuery> queries) {
    return queries.stream()
        .map(
            query -> (Set<String>) new TreeSet<>(List.of(query.text().toLowerCase().split("\\s+"))))
        .collect(Collectors.toSet());
  }

  @Test
  void sameWordsNeverStandOnBothSides() {
    HeldOut split = HeldOut.split(QUERIES, 10_000, 10_000);
    assertEquals(QUERIES.size() - 1, split.training().size() + split.test().size());
    Set<Set<String>> both = wordSets(split.training());
    both.retainAll(wordSets(split.test()));
    assertEquals(Set.of(), both);
    assertTrue(split.training().size() > 750 && split.test().size() > 450, "about 60 to 40");
  }

  @Test
  void splitIsTheSameEveryTimeAndBounded() {
    assertEquals(HeldOut.split(QUERIES, 100, 50), HeldOut.split(QUERIES, 100, 50));
    HeldOut split = HeldOut.split(QUERIES, 100, 50);
    assertEquals(100, split.training().size());
    assertEquals(50, split.test().size());
  }

  @Test
  void nearDuplicatesShareHalfTheirWordsWithATrainingQuery() {
    JudgedQuery test = heldOut("alpha beta gamma");
    List<JudgedQuery> queries = new ArrayList<>(List.of(test));
    queries.addAll(training(test.text(), "delta"));
    HeldOut near = HeldOut.split(queries, 100, 100);
    assertEquals(Set.of(test.id()), near.nearDuplicates(), "three of four words");
    HeldOut far = HeldOut.split(List.of(test, training("alpha", "epsilon").getFirst()), 100, 100);
    assertFalse(far.nearDuplicates().contains(test.id()), "one of four words");
  }

  /** A query with these words that falls on the held-out side. */
  private static JudgedQuery heldOut(String words) {
    JudgedQuery query = JudgedQuery.of("test", words, Map.of("d", 1));
    for (int i = 0; HeldOut.split(List.of(query), 1, 1).test().isEmpty(); i++) {
      query = JudgedQuery.of("test", words.replace("gamma", "gamma" + i), Map.of("d", 1));
    }
    return query;
  }

  /** A query of these words and one more that falls on the training side. */
  private static List<JudgedQuery> training(String words, String more) {
    JudgedQuery query = JudgedQuery.of("training", words + " " + more, Map.of("d", 1));
    for (int i = 0; HeldOut.split(List.of(query), 1, 1).training().isEmpty(); i++) {
      query = JudgedQuery.of("training", words + " " + more + i, Map.of("d", 1));
    }
    return List.of(query);
  }

  @Test
  void nearDuplicatesStandOnOneSide() {
    List<JudgedQuery> queries = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      add(queries, "alpha" + i + " beta" + i);
      add(queries, "beta" + i + " gamma" + i + " alpha" + i);
      add(queries, "gamma" + i + " delta" + i + " beta" + i + " alpha" + i);
    }
    HeldOut split = HeldOut.together(queries, 0.3);
    assertEquals(270, split.test().size());
    assertEquals(630, split.training().size());
    assertEquals(split, HeldOut.together(queries, 0.3));
    Set<String> learnt = new TreeSet<>();
    split.training().forEach(query -> learnt.addAll(List.of(query.text().split(" "))));
    for (JudgedQuery query : split.test()) {
      for (String word : query.text().split(" ")) {
        assertFalse(learnt.contains(word), word);
      }
    }
  }

  @Test
  void marksBelongToWords() {
    assertNear(true, "cafe\u0301 paris", "caf\u00e9 paris", "NFD and NFC are the same words");
    // Two words of Hindi: split at their vowel signs they would share two of three letters.
    assertNear(
        false, "\u0915\u093f\u0924\u093e\u092c", "\u0915\u093e\u0924\u093e", "words are whole");
  }

  @Test
  void aWordDoesNotConnectAllQueriesWithIt() {
    assertNear(false, "red", "red shoe", "half of the words");
    assertNear(true, "red shoe", "red shoe new", "more than half of the words");
  }

  /** Of two near-duplicates none is held out, as both would have to be. */
  private static void assertNear(boolean expected, String a, String b, String message) {
    List<JudgedQuery> queries = new ArrayList<>();
    add(queries, a);
    add(queries, b);
    assertEquals(expected ? 0 : 1, HeldOut.together(queries, 0.5).test().size(), message);
  }
}

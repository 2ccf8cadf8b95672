// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

import io.quickscorer.cli.input.Failure;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Converts ratings to the whole grades that trainers accept. If all ratings are whole numbers up to
 * 30, the grades are equal to the ratings. Otherwise, up to 31 different ratings are replaced by
 * their ranks (lowest = 0), or by 1 if all ratings are equal. More than 31 different ratings are
 * scaled linearly to 0 to 4. Ratings below 0 count as 0.
 */
final class Grades {
  /** The highest grade for which LightGBM has a default gain. */
  private static final int MAX_GRADE = 30;

  /** The highest grade if more than 31 different ratings are scaled to grades. */
  private static final int CLASSES = 4;

  /** Maximum number of conflicting ratings that a message lists. */
  private static final int MAX_NAMED = 5;

  private final Judgments.Conflict onConflict;
  private final Map<String, Map<String, Rating>> byQuery = new LinkedHashMap<>();
  private final List<String> conflicts = new ArrayList<>();
  private int repeated;
  private int negative;

  Grades(Judgments.Conflict onConflict) {
    this.onConflict = onConflict;
  }

  /**
   * All ratings of one document for one query; {@code place} is file and line of the last rating.
   */
  private record Rating(double last, double sum, int count, String place) {}

  /**
   * Adds a rating of a document for a query. {@code place} is the rating's place in the file, for
   * messages.
   */
  void add(String query, String document, double rating, String place) {
    double counted = Math.max(0, rating);
    negative += rating < 0 ? 1 : 0;
    Map<String, Rating> ratings = byQuery.computeIfAbsent(query, q -> new LinkedHashMap<>());
    Rating earlier = ratings.get(document);
    if (earlier == null) {
      ratings.put(document, new Rating(counted, counted, 1, place));
      return;
    }
    if (earlier.last == counted) {
      repeated++;
    } else {
      conflicts.add(
          place
              + ": document ["
              + document
              + "] of query ["
              + query
              + "] has grade "
              + text(counted)
              + ", and "
              + text(earlier.last)
              + " in "
              + earlier.place);
    }
    ratings.put(document, new Rating(counted, earlier.sum + counted, earlier.count + 1, place));
  }

  /**
   * Returns the judged queries in the order in which they were first added.
   *
   * @param texts the texts of queries by id; a query without a text has its id as text
   * @param params the parameters of queries by id
   * @throws Failure with the conflicting ratings, if conflicts are errors
   */
  Judgments judgments(Map<String, String> texts, Map<String, Map<String, Object>> params)
      throws Failure {
    if (onConflict == Judgments.Conflict.ERROR && !conflicts.isEmpty()) {
      int more = conflicts.size() - MAX_NAMED;
      throw Failure.usage(
          String.join("; ", conflicts.subList(0, Math.min(MAX_NAMED, conflicts.size())))
              + (more > 0 ? "; and " + more + " more" : "")
              + "; give each document one grade, or use --on-conflict LAST or MEAN");
    }
    TreeSet<Double> different = new TreeSet<>();
    byQuery
        .values()
        .forEach(ratings -> ratings.values().forEach(rating -> different.add(worth(rating))));
    List<JudgedQuery> queries = new ArrayList<>();
    byQuery.forEach(
        (id, ratings) -> {
          Map<String, Integer> grades = new HashMap<>();
          ratings.forEach(
              (document, rating) -> grades.put(document, grade(worth(rating), different)));
          queries.add(
              new JudgedQuery(
                  id,
                  texts.getOrDefault(id, id),
                  grades,
                  grades,
                  params.getOrDefault(id, Map.of())));
        });
    return new Judgments(
        queries, repeated, conflicts.size(), described(different), loss(different));
  }

  private double worth(Rating rating) {
    return onConflict == Judgments.Conflict.MEAN ? rating.sum / rating.count : rating.last;
  }

  private static boolean areGrades(TreeSet<Double> different) {
    return different.isEmpty()
        || different.last() <= MAX_GRADE && different.stream().allMatch(r -> r == Math.rint(r));
  }

  private static int grade(double rating, TreeSet<Double> different) {
    if (areGrades(different)) {
      return (int) rating;
    }
    if (different.size() == 1) {
      return 1;
    }
    return different.size() <= MAX_GRADE + 1
        ? different.headSet(rating).size()
        : (int) Math.round(CLASSES * rating / different.last());
  }

  private String described(TreeSet<Double> different) {
    String ratings = different.stream().map(Grades::text).collect(Collectors.joining(", "));
    String below = negative > 0 ? "; " + negative + " below 0 count as 0" : "";
    if (areGrades(different)) {
      return "grades " + ratings + ", not converted" + below;
    }
    if (different.size() > MAX_GRADE + 1) {
      return different.size()
          + " different grades from "
          + text(different.first())
          + " to "
          + text(different.last())
          + " become 0 to "
          + CLASSES
          + below;
    }
    String grades =
        different.stream()
            .map(rating -> String.valueOf(grade(rating, different)))
            .collect(Collectors.joining(", "));
    return "grades " + ratings + " become " + grades + below;
  }

  private static @Nullable String loss(TreeSet<Double> different) {
    if (areGrades(different)) {
      return null;
    }
    if (different.size() > MAX_GRADE + 1) {
      return "they are scaled and rounded";
    }
    String gains = different.stream().map(Grades::text).collect(Collectors.joining(","));
    return "the order is kept, but the distances are not"
        + (different.first() == 0
            ? "; to keep the distances too, add -P label_gain=" + gains + " (LightGBM)"
            : "");
  }

  private static String text(double rating) {
    return BigDecimal.valueOf(rating).stripTrailingZeros().toPlainString();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.data.FeatureRows;
import io.quickscorer.train.data.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reads searches, each with its own clicks, as training rows: one row per shown hit. */
public final class SingleSearches {
  /** The columns of the table with the searches. */
  static final List<String> COLUMNS =
      List.of("session", "query", "document", "position", "clicked");

  /** Maximum number of feature values. Trainers get the values of all rows as one array. */
  private static final int MAX_VALUES = 2_000_000_000;

  private final Map<Exposures.Pair, float[]> logged;
  private final Set<String> queries;
  private final Map<String, Set<String>> ids;
  private final Map<String, TreeMap<Integer, Hit>> searches = new LinkedHashMap<>();
  private final Map<String, Long> leftOut = new TreeMap<>();

  /**
   * A shown hit.
   *
   * @param values the feature values
   * @param grade the grade that the click on the hit gives; 0 without a click
   */
  private record Hit(float[] values, int grade) {}

  /**
   * Creates a reader of searches.
   *
   * @param hits the logged hits of the training queries
   * @param ids the {@code _id}s of documents, by the ids in click events; empty if these ids are
   *     {@code _id}s
   */
  public SingleSearches(List<FeatureRows.Hits> hits, Map<String, Set<String>> ids) {
    this.ids = Map.copyOf(ids);
    logged = Exposures.features(hits);
    queries = logged.keySet().stream().map(Exposures.Pair::query).collect(Collectors.toSet());
  }

  /**
   * Reads a table with one line per shown hit, and returns the searches whose hits have different
   * grades.
   *
   * @param gapless whether to leave out the hits after the first position without logged features,
   *     for trainers that number the positions themselves
   */
  public FeatureRows read(Path file, boolean gapless) throws Failure {
    Table.read(file, COLUMNS, this::add);
    FeatureRows rows =
        new FeatureRows(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (TreeMap<Integer, Hit> search : searches.values()) {
      int end = 1;
      while (gapless && search.containsKey(end)) {
        end++;
      }
      Map<Integer, Hit> hits = gapless ? search.headMap(end) : search;
      leave("hits after a hit without logged features", search.size() - hits.size());
      if (hits.values().stream().map(Hit::grade).distinct().count() < 2) {
        leave("searches whose hits were all clicked, or none", 1);
        continue;
      }
      hits.forEach(
          (position, hit) -> {
            rows.values().add(hit.values);
            rows.labels().add(hit.grade);
            rows.positions().add(position);
          });
      rows.groups().add(hits.size());
    }
    if (rows.groups().isEmpty()) {
      throw Failure.usage(
          file
              + ": found no search to learn from, expected searches with logged hits of which some"
              + " were clicked and others not; left out: "
              + leftOut);
    }
    if ((long) rows.count() * rows.featureCount() > MAX_VALUES) {
      throw Failure.usage(
          file
              + ": "
              + rows.count()
              + " hits with "
              + rows.featureCount()
              + " features each, expected at most "
              + MAX_VALUES
              + " feature values; provide fewer searches");
    }
    return rows;
  }

  private void add(Table.Row row) {
    String query = SearchReader.normal(row.text("query"));
    double clicked = row.number("clicked", 0);
    if (row.text("session").isEmpty() || row.position() == 0 || !(clicked <= 1)) {
      leave("lines without a session, a position of at least 1, or [clicked] from 0 to 1", 1);
    } else if (!queries.contains(query)) {
      leave("hits of queries that are not training queries", 1);
    } else {
      String document = row.text("document");
      int grade = clicked == 0 ? 0 : Math.max(1, ClickJudgments.grade(clicked, 1));
      Optional<Hit> hit =
          ids.getOrDefault(document, Set.of(document)).stream()
              .map(id -> logged.get(new Exposures.Pair(query, id)))
              .filter(Objects::nonNull)
              .findFirst()
              .map(values -> new Hit(values, grade));
      String search = row.text("session") + "\t" + query;
      if (hit.isEmpty()) {
        leave("hits without logged features", 1);
      } else if (searches
              .computeIfAbsent(search, s -> new TreeMap<>())
              .putIfAbsent(row.position(), hit.get())
          != null) {
        leave("hits at the position of another hit of the search", 1);
      }
    }
  }

  private void leave(String reason, long number) {
    if (number > 0) {
      leftOut.merge(reason, number, Long::sum);
    }
  }

  /** Returns the numbers of lines, hits and searches that were left out, by reason. */
  public Map<String, Long> leftOut() {
    return leftOut;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.data.FeatureRows;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads single searches with their clicks as training rows, from which a trainer learns both a
 * ranking and the attention to each position. For use by one thread.
 */
public final class SingleSearches {
  /** The columns of the table with the searches. */
  static final List<String> COLUMNS =
      List.of("session", "query", "document", "position", "clicked");

  /**
   * Maximum number of feature values of all rows together. Trainers get the values as one array.
   */
  private static final int MAX_VALUES = 2_000_000_000;

  private final Map<String, Map<String, float[]>> logged = new HashMap<>();
  private final Map<String, Set<String>> ids;
  private final Map<String, TreeMap<Integer, Hit>> searches = new LinkedHashMap<>();
  private final Map<String, Long> leftOut = new TreeMap<>();

  /**
   * A hit that was shown: its feature values, and the grade of the click on it; 0 if it was not
   * clicked.
   */
  private record Hit(float[] values, int grade) {}

  /**
   * Creates a reader of searches, which uses the feature values of logged hits.
   *
   * @param hits the logged hits of the training queries
   * @param ids the {@code _id}s of documents by their ids in events; an id that is absent here is
   *     also the {@code _id}
   */
  public SingleSearches(List<FeatureRows.Hits> hits, Map<String, Set<String>> ids) {
    this.ids = Map.copyOf(ids);
    for (FeatureRows.Hits query : hits) {
      Map<String, float[]> values =
          logged.computeIfAbsent(SearchReader.normal(query.query().text()), q -> new HashMap<>());
      for (int hit = 0; hit < query.ids().size(); hit++) {
        values.put(query.ids().get(hit), query.values().get(hit));
      }
    }
  }

  /**
   * Reads a table with one line per shown hit.
   *
   * @param gapless whether to use only the hits before the first position without logged features,
   *     for trainers that count the positions themselves
   * @return the rows of the searches that have hits with different grades
   * @throws Failure if a line has another number of cells than the header, if columns are missing,
   *     or if there are too many hits
   */
  public FeatureRows read(Path file, boolean gapless) throws Failure {
    Records.readTable(file, COLUMNS, this::add);
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
    if (rows.count() > 0 && (long) rows.count() * rows.featureCount() > MAX_VALUES) {
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

  private void add(Records.Row row) {
    String query = SearchReader.normal(row.text("query"));
    double clicked = row.number("clicked", 0);
    Map<String, float[]> values = logged.get(query);
    if (row.text("session").isEmpty() || row.position() == 0 || !(clicked <= 1)) {
      leave("lines without a session, a position of at least 1, or [clicked] from 0 to 1", 1);
    } else if (values == null) {
      leave("hits of queries that are not training queries", 1);
    } else {
      String document = row.text("document");
      float[] features =
          ids.getOrDefault(document, Set.of(document)).stream()
              .filter(values::containsKey)
              .findFirst()
              .map(values::get)
              .orElse(null);
      if (features == null) {
        leave("hits without logged features", 1);
      } else if (searches
              .computeIfAbsent(row.text("session") + "\t" + query, search -> new TreeMap<>())
              .putIfAbsent(row.position(), new Hit(features, grade(clicked)))
          != null) {
        leave("hits at the position of another hit of the search", 1);
      }
    }
  }

  private static int grade(double clicked) {
    return clicked == 0 ? 0 : Math.max(1, ClickJudgments.grade(clicked, 1));
  }

  private void leave(String reason, long number) {
    if (number > 0) {
      leftOut.merge(reason, number, Long::sum);
    }
  }

  /** Returns the numbers of lines, hits and searches that were left out, by the reason. */
  public Map<String, Long> leftOut() {
    return leftOut;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import io.quickscorer.train.data.FeatureRows;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts how often each document was shown and clicked at each position, for each query. */
final class Exposures {
  private final Map<Pair, List<Counts>> pairs = new LinkedHashMap<>();

  long searches;

  /** A query's text and a document's id. */
  record Pair(String query, String document) {}

  /**
   * How often one document was shown and clicked at one position, for one query.
   *
   * @param position the position, from 1
   * @param shown how often the document was shown
   * @param clicked the sum of the credits (weights) of the clicks, at most {@code shown}
   */
  record Counts(int position, double shown, double clicked) {}

  /**
   * Adds a document that searches showed at one position.
   *
   * @param times number of searches that showed the document
   * @param credit the sum of the credits (weights) of the clicks on the document
   */
  void add(String query, String document, int position, double times, double credit) {
    List<Counts> places =
        pairs.computeIfAbsent(new Pair(query, document), pair -> new ArrayList<>(1));
    for (int p = 0; p < places.size(); p++) {
      Counts at = places.get(p);
      if (at.position == position) {
        places.set(p, new Counts(position, at.shown + times, at.clicked + credit));
        return;
      }
    }
    places.add(new Counts(position, times, credit));
  }

  /** Returns the counts of each pair of query and document, with one element per position. */
  Map<Pair, List<Counts>> pairs() {
    return pairs;
  }

  /** Returns the feature values of logged hits, by query and document. */
  static Map<Pair, float[]> features(List<FeatureRows.Hits> logged) {
    Map<Pair, float[]> features = new HashMap<>();
    for (FeatureRows.Hits hits : logged) {
      String query = SearchReader.normal(hits.query().text());
      for (int hit = 0; hit < hits.ids().size(); hit++) {
        features.put(new Pair(query, hits.ids().get(hit)), hits.values().get(hit));
      }
    }
    return features;
  }

  static double clicked(List<Counts> places) {
    return places.stream().mapToDouble(Counts::clicked).sum();
  }

  /** Returns the numbers of impressions and of documents as text. */
  static String data(Collection<List<Counts>> documents) {
    double shown = documents.stream().flatMap(List::stream).mapToDouble(Counts::shown).sum();
    return Math.round(shown) + " impressions of " + documents.size() + " documents";
  }
}

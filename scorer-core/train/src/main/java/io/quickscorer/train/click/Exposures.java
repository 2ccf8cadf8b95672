// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How often each document was shown at each position for each query, and how often it was clicked
 * there. For use by one thread.
 */
final class Exposures {
  private final Map<Pair, Counts> pairs = new LinkedHashMap<>();
  private int searches;

  /** A query's text and a document's id. */
  record Pair(String query, String document) {}

  /** The counts of one pair, an entry per position at which it was shown. */
  static final class Counts {
    private final List<Integer> positions = new ArrayList<>();
    private final List<double[]> counts = new ArrayList<>();

    int size() {
      return positions.size();
    }

    /** From 1. */
    int position(int entry) {
      return positions.get(entry);
    }

    double shown(int entry) {
      return counts.get(entry)[0];
    }

    /** Clicks, each counted by its credit; at most {@link #shown}. */
    double clicked(int entry) {
      return counts.get(entry)[1];
    }

    double clicked() {
      return counts.stream().mapToDouble(count -> count[1]).sum();
    }

    private void add(int position, double credit) {
      int entry = positions.indexOf(position);
      if (entry < 0) {
        entry = positions.size();
        positions.add(position);
        counts.add(new double[2]);
      }
      counts.get(entry)[0]++;
      counts.get(entry)[1] += credit;
    }
  }

  /**
   * A document was shown once.
   *
   * @param position from 1
   * @param credit 0 if it was not clicked, at most 1
   */
  void add(String query, String document, int position, double credit) {
    pairs.computeIfAbsent(new Pair(query, document), pair -> new Counts()).add(position, credit);
  }

  void countSearch() {
    searches++;
  }

  /** Searches whose hits these are. */
  int searches() {
    return searches;
  }

  Map<Pair, Counts> pairs() {
    return pairs;
  }
}

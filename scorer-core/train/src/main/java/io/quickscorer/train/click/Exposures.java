// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Counts for each query how often each document was shown and clicked at each position. For use by
 * one thread.
 */
final class Exposures {
  private final Map<Pair, Counts> pairs = new LinkedHashMap<>();
  private long searches;

  /** A query's text and a document's id. */
  record Pair(String query, String document) {}

  /**
   * The counts for one pair of query and document, with an entry for each position at which the
   * document was shown.
   */
  static final class Counts {
    private int[] positions = new int[2];
    private double[] shown = new double[2];
    private double[] clicked = new double[2];
    private int size;
    private double allClicked;

    int size() {
      return size;
    }

    /** Returns the position to which an entry belongs, from 1. */
    int position(int entry) {
      return positions[entry];
    }

    double shown(int entry) {
      return shown[entry];
    }

    /** Returns the sum of the credits of the clicks in an entry; at most {@link #shown}. */
    double clicked(int entry) {
      return clicked[entry];
    }

    double clicked() {
      return allClicked;
    }

    double shown() {
      return Arrays.stream(shown).sum();
    }

    private void add(int position, double times, double credit) {
      int entry = 0;
      while (entry < size && positions[entry] != position) {
        entry++;
      }
      if (entry == positions.length) {
        positions = Arrays.copyOf(positions, 2 * size);
        shown = Arrays.copyOf(shown, 2 * size);
        clicked = Arrays.copyOf(clicked, 2 * size);
      }
      if (entry == size) {
        positions[entry] = position;
        size++;
      }
      shown[entry] += times;
      clicked[entry] += credit;
      allClicked += credit;
    }
  }

  /**
   * Adds a document that one search showed.
   *
   * @param position the position, from 1
   * @param credit the credit of the click, at most 1; 0 if the document was not clicked
   */
  void add(String query, String document, int position, double credit) {
    add(query, document, position, 1, credit);
  }

  /**
   * Adds a document that several searches showed at one position.
   *
   * @param credit the sum of the credits of all clicks, at most {@code times}
   */
  void add(String query, String document, int position, double times, double credit) {
    pairs
        .computeIfAbsent(new Pair(query, document), pair -> new Counts())
        .add(position, times, credit);
  }

  void countSearches(long more) {
    searches += more;
  }

  /** Returns the number of searches that showed the documents. */
  long searches() {
    return searches;
  }

  /** Returns the number of impressions and documents as text. */
  static String data(Stream<Counts> documents) {
    List<Counts> all = documents.toList();
    double shown = all.stream().mapToDouble(Counts::shown).sum();
    return Math.round(shown) + " impressions of " + all.size() + " documents";
  }

  Map<Pair, Counts> pairs() {
    return pairs;
  }
}

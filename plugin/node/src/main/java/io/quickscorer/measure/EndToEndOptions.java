// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.measure;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The options of the benchmark, from system properties {@code endtoend.*}. The first value of each
 * list is its base value. Each other value is measured together with the base values of the other
 * lists.
 *
 * @param windows numbers of hits that are ranked on each shard
 * @param models numbers of trees and of leaves per tree, such as {@code 1000x64}
 * @param searches number of searches per kind of search in each round
 * @param fresh number of searches to measure on a node that has just started; may be 0
 * @param copies number of times that the corpus is indexed
 * @param corpus the folder of a corpus, or null for a generated corpus
 * @param threads maximum numbers of threads that rank the hits of a shard; 0 means the node's
 *     setting
 * @param shards numbers of shards of the index; if one is above 1, ranking across shards (global
 *     scope) is measured, too
 * @param keep number of hits that a small, fast first model selects for the second model; 0 for no
 *     first model
 * @param beside number of hits that one model ranks, to compare with the two models; 0 for no
 *     comparison
 * @param data a folder in which the index remains for later runs, or null
 * @param before the zip of another build of the plugin to compare with, or null
 * @param output the folder for the figures
 */
record EndToEndOptions(
    List<Integer> windows,
    List<String> models,
    List<Integer> features,
    List<Integer> segments,
    List<Integer> shards,
    List<Integer> clients,
    List<Integer> threads,
    int rounds,
    int searches,
    int fresh,
    int copies,
    int keep,
    int beside,
    @Nullable Path corpus,
    @Nullable Path data,
    @Nullable Path before,
    Path output) {
  /**
   * A combination of sizes for which searches are measured.
   *
   * @param window number of hits that are ranked on each shard
   * @param model the number of trees and of leaves per tree, such as {@code 1000x64}
   */
  record Cell(int window, String model, int features, int segments, int shards, int clients) {
    @Override
    public String toString() {
      return window
          + " hits, "
          + model
          + ", "
          + features
          + " features, "
          + segments
          + (segments == 1 ? " segment, " : " segments, ")
          + (shards == 1 ? "" : shards + " shards, ")
          + clients
          + (clients == 1 ? " client" : " clients");
    }

    int trees() {
      return Integer.parseInt(model.split("x", 2)[0]);
    }

    int leaves() {
      return Integer.parseInt(model.split("x", 2)[1]);
    }
  }

  static EndToEndOptions read() {
    return new EndToEndOptions(
        numbers("windows"),
        list("models"),
        numbers("features"),
        numbers("segments"),
        numbers("shards"),
        numbers("clients"),
        numbers("threads"),
        number("rounds"),
        number("searches"),
        number("fresh"),
        number("copies"),
        number("keep"),
        number("beside"),
        path("corpus"),
        path("data"),
        path("before"),
        Path.of(text("output")));
  }

  private static String text(String name) {
    return System.getProperty("endtoend." + name, "");
  }

  private static @Nullable Path path(String name) {
    return text(name).isEmpty() ? null : Path.of(text(name)).toAbsolutePath();
  }

  private static int number(String name) {
    try {
      return Integer.parseInt(text(name));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "endtoend." + name + ": expected whole numbers, found [" + text(name) + "]", e);
    }
  }

  private static List<String> list(String name) {
    if (text(name).isBlank()) {
      throw new IllegalArgumentException("endtoend." + name + " is empty, expected a list");
    }
    return Stream.of(text(name).split(",")).map(String::strip).toList();
  }

  private static List<Integer> numbers(String name) {
    try {
      return list(name).stream().map(Integer::valueOf).toList();
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "endtoend." + name + ": expected whole numbers, found [" + text(name) + "]", e);
    }
  }

  /**
   * Returns the combinations to measure: first all base values, then each other value together with
   * base values.
   */
  List<Cell> cells() {
    int[] sizes = {
      windows.size(), models.size(), features.size(), segments.size(), shards.size(), clients.size()
    };
    int[] places = new int[sizes.length];
    List<Cell> cells = new ArrayList<>();
    cells.add(cell(places));
    for (int list = 0; list < sizes.length; list++) {
      for (int place = 1; place < sizes[list]; place++) {
        places[list] = place;
        cells.add(cell(places));
      }
      places[list] = 0;
    }
    return cells;
  }

  /** Returns the combination of the values at these places of the lists. */
  private Cell cell(int[] places) {
    return new Cell(
        windows.get(places[0]),
        models.get(places[1]),
        features.get(places[2]),
        segments.get(places[3]),
        shards.get(places[4]),
        clients.get(places[5]));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.measure;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The options of the benchmark, from system properties {@code endtoend.*}. The first value of each
 * list is the base; the others vary one at a time.
 *
 * @param models trees and leaves, such as {@code 1000x64}
 * @param searches per way and round
 * @param fresh searches of a node that has just started; 0 for none
 * @param copies number of times that the corpus is indexed
 * @param corpus a folder, or null for a generated corpus
 * @param threads maximum threads for a window of the plugin, each a separate way; 0 for the node's
 *     setting
 * @param shards of the index; if one of the numbers is above 1, the ranking over all shards is
 *     measured as well
 * @param keep hits that a cheap model keeps for the model; 0 for no such stages
 * @param beside another window that is measured with the stages, or 0
 * @param data a folder that keeps the index for further runs, or null
 * @param before the zip of another build of the plugin, or null
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
  /** One combination. */
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

    private Cell withWindow(int other) {
      return new Cell(other, model, features, segments, shards, clients);
    }

    private Cell withModel(String other) {
      return new Cell(window, other, features, segments, shards, clients);
    }

    private Cell withFeatures(int other) {
      return new Cell(window, model, other, segments, shards, clients);
    }

    private Cell withSegments(int other) {
      return new Cell(window, model, features, other, shards, clients);
    }

    private Cell withShards(int other) {
      return new Cell(window, model, features, segments, other, clients);
    }

    private Cell withClients(int other) {
      return new Cell(window, model, features, segments, shards, other);
    }

    /** Trees of the model. */
    int trees() {
      return Integer.parseInt(model.split("x", 2)[0]);
    }

    /** Leaves of each tree. */
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
      throw new IllegalArgumentException("endtoend." + name + ": " + text(name), e);
    }
  }

  private static List<String> list(String name) {
    if (text(name).isBlank()) {
      throw new IllegalArgumentException("endtoend." + name + " is empty");
    }
    return Stream.of(text(name).split(",")).map(String::strip).toList();
  }

  private static List<Integer> numbers(String name) {
    try {
      return list(name).stream().map(Integer::valueOf).toList();
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("endtoend." + name + ": " + text(name), e);
    }
  }

  /** The base, then each other value of each list in its place. */
  List<Cell> cells() {
    Cell base =
        new Cell(
            windows.getFirst(),
            models.getFirst(),
            features.getFirst(),
            segments.getFirst(),
            shards.getFirst(),
            clients.getFirst());
    List<Cell> cells = new ArrayList<>();
    cells.add(base);
    add(cells, windows, base::withWindow);
    add(cells, models, base::withModel);
    add(cells, features, base::withFeatures);
    add(cells, segments, base::withSegments);
    add(cells, shards, base::withShards);
    add(cells, clients, base::withClients);
    return cells;
  }

  private static <T> void add(List<Cell> cells, List<T> values, Function<T, Cell> cell) {
    values.stream().skip(1).map(cell).forEach(cells::add);
  }

  int maxWindow() {
    return windows.stream().mapToInt(Integer::intValue).max().orElseThrow();
  }

  int maxShards() {
    return shards.stream().mapToInt(Integer::intValue).max().orElseThrow();
  }

  int maxSegments() {
    return segments.stream().mapToInt(Integer::intValue).max().orElseThrow();
  }
}

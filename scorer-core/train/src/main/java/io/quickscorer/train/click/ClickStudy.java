// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.cluster.ClusterClient;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** A computation over records of User Behavior Insights, or over tables of hits that were shown. */
public abstract class ClickStudy {
  final EventReader events;
  private final List<String> columns;

  /**
   * @param columns that tables must have
   */
  ClickStudy(EventReader events, List<String> columns) {
    this.events = events;
    this.columns = columns;
  }

  /** Adds a record. */
  abstract void add(JsonNode record);

  /** Adds a line of a table. */
  abstract void add(ClickTable.Row row);

  /**
   * Adds the records of a file.
   *
   * @throws Failure that names a line that is not a JSON object
   */
  public void read(Path file) throws Failure {
    Records.read(file, this::add);
  }

  /**
   * Adds the lines of a table.
   *
   * @throws Failure that names a line without a cell per column, or the missing columns
   */
  public void readTable(Path file) throws Failure {
    ClickTable.read(file, columns, this::add);
  }

  /**
   * Adds the records of an index.
   *
   * @param filters queries that records must match
   * @throws IllegalStateException if the cluster refuses it
   */
  public void read(ClusterClient client, String index, ArrayNode filters) {
    Records.read(client, index, filters, this::add);
  }

  /** Returns lines on the records left out. */
  static Stream<String> lines(Map<String, Long> leftOut) {
    return leftOut.entrySet().stream()
        .map(entry -> "      left out: " + entry.getValue() + " " + entry.getKey());
  }

  /** Returns the result as lines for a console. */
  public abstract List<String> report();

  /** Returns the result as a page that loads nothing else. */
  public abstract String page();
}

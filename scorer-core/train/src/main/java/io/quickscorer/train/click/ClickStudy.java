// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.cli.page.Html;
import io.quickscorer.train.cluster.ClusterClient;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** An analysis of clicks in records of User Behavior Insights, or in tables of shown hits. */
public abstract class ClickStudy {
  final EventReader events;
  private final List<String> columns;

  /**
   * Creates a study without records.
   *
   * @param columns the columns that tables must have
   */
  ClickStudy(EventReader events, List<String> columns) {
    this.events = events;
    this.columns = columns;
  }

  /** Adds one record of User Behavior Insights to the analysis. */
  abstract void add(JsonNode record);

  /** Adds one line of a table to the analysis. */
  abstract void add(Records.Row row);

  /**
   * Adds the records of a file with one JSON object per line.
   *
   * @throws Failure with the line, if it is not a JSON object
   */
  public void read(Path file) throws Failure {
    Records.read(file, this::add);
  }

  /**
   * Adds the lines of a table file to the analysis.
   *
   * @throws Failure if a line has another number of cells than the header, or if columns are
   *     missing; the message names the line or the columns
   */
  public void readTable(Path file) throws Failure {
    Records.readTable(file, columns, this::add);
  }

  /**
   * Adds the records of an index in a cluster.
   *
   * @param filters query clauses that records must match
   * @throws IllegalStateException if the cluster refuses a request
   */
  public void read(ClusterClient client, String index, ArrayNode filters) {
    Records.read(client, index, filters, this::add);
  }

  /** Returns lines of text with the numbers of records left out, by reason. */
  static Stream<String> lines(Map<String, Long> leftOut) {
    return leftOut.entrySet().stream()
        .map(entry -> "      left out: " + entry.getValue() + " " + entry.getKey());
  }

  /** Returns the result as lines of text for a console. */
  public abstract List<String> report();

  /** Appends the lines of the report to a page. */
  final void appendReport(StringBuilder page) {
    page.append("<pre>");
    report().forEach(line -> page.append(Html.escape(line.substring(4))).append('\n'));
    page.append("</pre>");
  }

  /** Returns the result as a self-contained HTML page. */
  public abstract String page();
}

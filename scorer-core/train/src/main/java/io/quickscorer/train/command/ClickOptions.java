// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.click.EventReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The command-line options that select the events to read and the actions that count as clicks. */
final class ClickOptions {
  @Option(
      names = "--events",
      paramLabel = "FILE",
      description =
          "A file of events as lines of JSON, may be gzipped, instead of an index; may be"
              + " repeated.")
  private List<Path> files = List.of();

  @Option(
      names = "--table",
      paramLabel = "FILE",
      description =
          "A table instead, separated by tabs or commas. Its header has the columns query,"
              + " document, clicked, position (for judge), session and team (for compare), and"
              + " if known shown. May be repeated.")
  private List<Path> tables = List.of();

  @Option(
      names = "--events-index",
      paramLabel = "NAME",
      description = "With --cluster: the index of the events (default: ${DEFAULT-VALUE}).")
  private String index = "ubi_events";

  @Option(
      names = "--application",
      paramLabel = "NAME",
      description = "With --cluster: only searches and events of this application.")
  private @Nullable String application;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "With --cluster: only from this time on, such as 2026-10-01 or now-7d.")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "With --cluster: only before this time.")
  private @Nullable String to;

  @Option(
      names = "--action",
      split = ",",
      paramLabel = "NAME=CREDIT",
      description =
          "The actions that count, with their weights, such as click=1,purchase=5 (default:"
              + " click=1). A hit counts once per search, with the highest weight of its actions.")
  private Map<String, Double> actions = Map.of("click", 1.0);

  @Option(
      names = "--max-searches",
      paramLabel = "N",
      description =
          "Maximum number of searches of one client that count (default: 50 for compare, 1000 for"
              + " judge).")
  private @Nullable Integer maxSearches;

  int maxSearches(int byDefault) {
    return maxSearches == null ? byDefault : maxSearches;
  }

  /** Returns the actions that count as clicks. Parameters: see {@link EventReader.Actions}. */
  EventReader.Actions actions(String team, String segment) {
    return new EventReader.Actions(actions, team, segment);
  }

  /** Returns whether all clicks are from tables, which have no fields of events. */
  boolean isOnlyTables() {
    return !tables.isEmpty() && files.isEmpty();
  }

  void check(ClusterOptions cluster) throws Failure {
    boolean some = !files.isEmpty() || !tables.isEmpty();
    if (cluster.isGiven() == some) {
      throw Failure.usage(
          "expected --cluster or files (--events, --table)" + (some ? ", not both" : ""));
    }
    if (maxSearches(1) < 1) {
      throw Failure.usage("--max-searches: " + maxSearches + ", expected 1 or more");
    }
    for (Map.Entry<String, Double> action : actions.entrySet()) {
      if (!(action.getValue() > 0 && Double.isFinite(action.getValue()))) {
        throw Failure.usage("--action: " + action + ": expected a credit above 0");
      }
    }
    if (some && (application != null || from != null || to != null)) {
      throw Failure.usage("--application, --from and --to: expected --cluster as well");
    }
  }

  /**
   * Reads all records and tables that the options name.
   *
   * @param searches the index of the searches; null if searches are not needed
   * @param others the names of further actions whose events are read
   */
  void read(ClusterOptions cluster, EventReader reader, @Nullable String searches, String... others)
      throws Failure {
    if (cluster.isGiven() && searches != null) {
      reader.read(cluster.client(), searches, searchFilters());
    }
    if (cluster.isGiven()) {
      reader.read(cluster.client(), index, eventFilters(others));
    }
    for (Path file : files) {
      reader.read(file);
    }
    for (Path file : tables) {
      reader.readTable(file);
    }
  }

  private List<Object> eventFilters(String... others) {
    List<Object> filters = timeFilters();
    List<String> names = Stream.concat(actions.keySet().stream(), Stream.of(others)).toList();
    filters.add(Map.of("terms", Map.of("action_name", names)));
    if (application != null) {
      filters.add(Map.of("term", Map.of("application", application)));
    }
    return filters;
  }

  /**
   * Returns clauses that select searches by time and application. A search without an application
   * matches every application.
   */
  private List<Object> searchFilters() {
    List<Object> filters = timeFilters();
    if (application != null) {
      Object same = Map.of("term", Map.of("application", application));
      Object any = Map.of("exists", Map.of("field", "application"));
      Object none = Map.of("bool", Map.of("must_not", any));
      filters.add(Map.of("bool", Map.of("should", List.of(same, none))));
    }
    return filters;
  }

  private List<Object> timeFilters() {
    Map<String, String> range = new HashMap<>();
    if (from != null) {
      range.put("gte", from);
    }
    if (to != null) {
      range.put("lt", to);
    }
    List<Object> filters = new ArrayList<>();
    if (!range.isEmpty()) {
      // The formats of UBI's own mappings do not include a date without a time.
      range.put("format", "strict_date_optional_time||epoch_millis");
      filters.add(Map.of("range", Map.of("timestamp", range)));
    }
    return filters;
  }
}

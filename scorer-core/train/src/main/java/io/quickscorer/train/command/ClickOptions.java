// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.click.ClickStudy;
import io.quickscorer.train.click.EventReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The command-line options for the click events to read, and for the actions that count as clicks.
 */
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
              + " document, position, clicked, and if known shown, session and team. May be"
              + " repeated.")
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

  /**
   * Returns a reader of the events that the options describe.
   *
   * @param team path of the field with the hit's team (model) in events; null if it is not needed
   * @param segment path of the field in events by which searches are grouped; null for no groups
   */
  EventReader reader(@Nullable String team, @Nullable String segment) {
    return new EventReader(actions, team, segment);
  }

  void check(ClusterOptions cluster) throws Failure {
    boolean some = !files.isEmpty() || !tables.isEmpty();
    if (cluster.isGiven() == some) {
      throw Failure.usage("expected either --cluster, or --events or --table");
    }
    for (Map.Entry<String, Double> action : actions.entrySet()) {
      if (!(action.getValue() > 0 && Double.isFinite(action.getValue()))) {
        throw Failure.usage("--action: " + action + ": expected a credit above 0");
      }
    }
    if (some && (application != null || from != null || to != null)) {
      throw Failure.usage("--application, --from and --to: expected --cluster");
    }
  }

  /**
   * Adds all records and tables that the options name to a study.
   *
   * @param searches the index of the searches; null if they are not needed
   * @param others the action names of the events to read in addition to the actions that count
   */
  void read(ClusterOptions cluster, ClickStudy study, @Nullable String searches, Set<String> others)
      throws Failure {
    try {
      if (cluster.isGiven() && searches != null) {
        study.read(cluster.client(), searches, ofSearches());
      }
      if (cluster.isGiven()) {
        study.read(cluster.client(), index, ofEvents(others));
      }
      for (Path file : files) {
        study.read(file);
      }
      for (Path file : tables) {
        study.readTable(file);
      }
    } catch (IllegalStateException | UncheckedIOException e) {
      throw Failure.usage(String.valueOf(e.getMessage()));
    }
  }

  /** Returns the query clauses that the events to read must match. */
  private ArrayNode ofEvents(Set<String> others) {
    ArrayNode filters = times();
    ArrayNode names = filters.addObject().putObject("terms").putArray("action_name");
    Stream.concat(actions.keySet().stream(), others.stream()).sorted().forEach(names::add);
    if (application != null) {
      filters.addObject().putObject("term").put("application", application);
    }
    return filters;
  }

  /**
   * Returns the query clauses that the searches to read must match. Searches without an application
   * match too.
   */
  private ArrayNode ofSearches() {
    ArrayNode filters = times();
    if (application != null) {
      ArrayNode either = filters.addObject().putObject("bool").putArray("should");
      either.addObject().putObject("term").put("application", application);
      ObjectNode none = either.addObject().putObject("bool").putObject("must_not");
      none.putObject("exists").put("field", "application");
    }
    return filters;
  }

  private ArrayNode times() {
    ArrayNode filters = FolderFiles.JSON.createArrayNode();
    if (from != null || to != null) {
      ObjectNode range = filters.addObject().putObject("range").putObject("timestamp");
      if (from != null) {
        range.put("gte", from);
      }
      if (to != null) {
        range.put("lt", to);
      }
    }
    return filters;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import io.quickscorer.cli.input.DataFile;
import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.cluster.ClusterClient;
import io.quickscorer.train.data.Table;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads clicks from records of User Behavior Insights (schema 1.0 to 1.3), or from tables of shown
 * hits. Counts the records that are left out, by reason.
 */
public abstract class EventReader {
  static final JsonMapper JSON = new JsonMapper();
  static final String OBJECT_ID = "event_attributes.object.object_id";
  private static final Pattern CONTROLS = Pattern.compile("\\p{gc=Cc}+");

  /** Halves of characters without the other half. UTF-8 cannot encode them. */
  private static final Pattern LONE_SURROGATES = Pattern.compile("\\p{gc=Cs}");

  /**
   * The usual forms of times that OpenSearch reads: a date, or a date and a time of day. Without a
   * time of day, it is midnight; without a zone, UTC.
   */
  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .optionalStart()
          .appendLiteral('T')
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .optionalEnd()
          .optionalStart()
          .appendOffset("+HH:MM", "Z")
          .optionalEnd()
          .optionalStart()
          .appendOffset("+HHmm", "Z")
          .optionalEnd()
          .parseDefaulting(ChronoField.HOUR_OF_DAY, 0)
          .parseDefaulting(ChronoField.OFFSET_SECONDS, 0)
          .toFormatter(Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT);

  /** Maximum number of records in one response of the cluster. */
  private static final int BATCH = 5_000;

  /**
   * Maximum number of reasons (why a record is left out) that have their own count; all further
   * reasons share one count.
   */
  private static final int MAX_REASONS = 50;

  /** Number of events that were read and whose action counts as a click. */
  long events;

  /** Number of clicks without a readable time. They are treated as later than all other clicks. */
  long undated;

  final Map<String, Long> eventsLeftOut = new TreeMap<>();
  final Map<String, Long> leftOut = new TreeMap<>();
  final Actions actions;
  final int maxSearches;
  private final List<String> columns;
  private final UUID salt = UUID.randomUUID();
  private final Map<Long, Integer> perClient = new HashMap<>();

  /**
   * The actions that count as clicks.
   *
   * @param credits the weight of each action, by the action's name
   * @param team the path of the field with the model that selected the hit; "" if it is not needed
   * @param segment the path of the field by which searches are grouped; "" for no groups
   */
  public record Actions(Map<String, Double> credits, String team, String segment) {}

  /**
   * An action of a user on a hit, such as a click or a purchase.
   *
   * @param search the id of the search
   * @param client a hash of the client's id; 0 if the id is unknown
   * @param document the id of the hit
   * @param team the model that selected the hit
   * @param credit the weight of the action
   * @param time ms since 1970; {@link Long#MAX_VALUE} if it is unknown
   * @param segment the group of the search
   */
  record Click(
      String search,
      long client,
      String document,
      String team,
      double credit,
      long time,
      String segment) {}

  /**
   * Creates a reader that has not read any records yet.
   *
   * @param maxSearches maximum number of searches of one client that count
   * @param columns the columns that tables must have
   */
  EventReader(Actions actions, int maxSearches, List<String> columns) {
    this.actions = actions;
    this.maxSearches = maxSearches;
    this.columns = columns;
  }

  abstract void add(Click click);

  abstract void add(Table.Row row);

  /**
   * Adds the click that an event contains. If it contains none, counts the event as left out and
   * records why.
   */
  void add(JsonNode event) {
    events++;
    String action = text(event, "action_name");
    String missing =
        Stream.of("action_name", "query_id", OBJECT_ID, actions.team)
            .filter(path -> !path.isEmpty() && text(event, path).isEmpty())
            .findFirst()
            .orElse("");
    Double credit = actions.credits.get(action);
    if (credit == null && !action.isEmpty()) {
      leaveEvent("of action [" + action + "]");
    } else if (credit == null || !missing.isEmpty()) {
      leaveEvent("without [" + missing + "]");
    } else {
      long time = time(event.path("timestamp"));
      undated += time == Long.MAX_VALUE ? 1 : 0;
      add(
          new Click(
              text(event, "query_id"),
              hash(text(event, "client_id")),
              text(event, OBJECT_ID),
              text(event, actions.team),
              credit,
              time,
              text(event, actions.segment)));
    }
  }

  final void leaveEvent(String reason) {
    boolean full = eventsLeftOut.size() >= MAX_REASONS && !eventsLeftOut.containsKey(reason);
    eventsLeftOut.merge(full ? "of further actions" : reason, 1L, Long::sum);
  }

  final void leave(String reason) {
    leftOut.merge(reason, 1L, Long::sum);
  }

  /** Counts one more search of a client. Returns whether the client has more than the maximum. */
  final boolean isTooMany(long client) {
    return client != 0 && perClient.merge(client, 1, Integer::sum) > maxSearches;
  }

  /** Returns a line of text for each reason, with the number of records left out for it. */
  static List<String> lines(Map<String, Long> leftOut) {
    return leftOut.entrySet().stream()
        .map(entry -> "      left out: " + entry.getValue() + " " + entry.getKey())
        .toList();
  }

  /** Returns a time in ms since 1970; {@link Long#MAX_VALUE} if it is not readable. */
  static long time(JsonNode timestamp) {
    long millis = timestamp.asLong(Long.MAX_VALUE);
    if (millis < Long.MAX_VALUE) {
      return millis;
    }
    try {
      return Instant.from(TIME.parse(text(timestamp))).toEpochMilli();
    } catch (DateTimeException | ArithmeticException e) {
      return Long.MAX_VALUE;
    }
  }

  /** Returns a hash of a client's id with a random salt, so that ids are not stored; 0 for "". */
  long hash(String client) {
    byte[] salted = (salt + client).getBytes(StandardCharsets.UTF_8);
    return client.isEmpty() ? 0 : UUID.nameUUIDFromBytes(salted).getMostSignificantBits();
  }

  /**
   * Adds the records of a file with one JSON object per line: a record, or a hit whose {@code
   * _source} is a record. Skips action lines of {@code _bulk}.
   *
   * @throws Failure with the line number, if a line is not a JSON object
   */
  public void read(Path file) throws Failure {
    DataFile.lines(
        file,
        (line, number) -> {
          if (!line.isBlank()) {
            JsonNode record = parse(line, number);
            JsonNode source = record.path("_source");
            if (source.isObject()) {
              add(source);
            } else if (record.size() != 1 || !(record.has("index") || record.has("create"))) {
              add(record);
            }
          }
        });
  }

  private static JsonNode parse(String line, long number) throws Failure {
    try {
      JsonNode record = JSON.readTree(line);
      if (record.isObject()) {
        return record;
      }
    } catch (JacksonException e) {
      throw Failure.data(number, "not JSON: " + e.getOriginalMessage());
    }
    throw Failure.data(number, "expected a JSON object");
  }

  /**
   * Adds the documents of an index as records.
   *
   * @param filters query clauses that records must match
   * @throws IllegalStateException if the cluster refuses a request, or some shards fail
   * @throws java.io.UncheckedIOException if the cluster does not respond
   */
  public void read(ClusterClient client, String index, List<Object> filters) {
    Object query = Map.of("bool", Map.of("filter", filters));
    Object search = Map.of("size", BATCH, "sort", List.of("_doc"), "query", query);
    client.scroll(index, JSON.writeValueAsString(search), hit -> add(hit.path("_source")));
  }

  /** Adds the records of a table, one per line. */
  public void readTable(Path file) throws Failure {
    Table.read(file, columns, this::add);
  }

  /**
   * Returns a field's value as text; "" if there is none. Tabs and line breaks become blanks, so
   * that the text can be written to a table; lone surrogates become U+FFFD, so that it can be
   * written at all.
   */
  static String text(JsonNode record, String path) {
    return text(at(record, path));
  }

  static String text(JsonNode value) {
    if (!value.isValueNode() || value.isNull()) {
      return "";
    }
    String line = CONTROLS.matcher(value.asString()).replaceAll(" ").strip();
    return LONE_SURROGATES.matcher(line).replaceAll("\ufffd");
  }

  /** Returns a value by field name; if no field has the name, by a path such as {@code a.b}. */
  static JsonNode at(JsonNode record, String path) {
    JsonNode value = record.path(path);
    if (value.isMissingNode()) {
      value = record;
      for (String name : path.split("\\.", -1)) {
        value = value.path(name);
      }
    }
    return value;
  }
}

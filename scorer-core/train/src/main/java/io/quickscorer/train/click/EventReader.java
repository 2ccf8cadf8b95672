// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import io.quickscorer.cli.input.DataFile;
import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.cluster.ClusterClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads events of User Behavior Insights (schema 1.0 to 1.3), from an index or from lines of JSON,
 * and counts by kind what it leaves out. For use by one thread.
 */
public final class EventReader {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String KEEP_ALIVE = "5m";

  /** Events of one answer of a cluster. */
  private static final int BATCH = 5_000;

  /** Names of actions are whatever events have. */
  private static final int MAX_REASONS = 50;

  private static final String[] OBJECT_ID = {"event_attributes", "object", "object_id"};

  private final Map<String, Double> credits;
  private final String[] team;
  private final String @Nullable [] segment;
  private final byte[] salt = new byte[16];
  private final Map<String, Long> leftOut = new TreeMap<>();
  private long events;
  private long undated;

  /**
   * @param credits of the actions that count, by their names
   * @param team names that lead to the model which picked the hit, with dots between them
   * @param segment likewise to what searches are divided by; null for nothing
   */
  public EventReader(Map<String, Double> credits, String team, @Nullable String segment) {
    this.credits = Map.copyOf(credits);
    this.team = team.split("\\.", -1);
    this.segment = segment == null ? null : segment.split("\\.", -1);
    new SecureRandom().nextBytes(salt);
  }

  /** How many events were read. */
  public long events() {
    return events;
  }

  /** How many events that count have no time that can be read; they are taken for the latest. */
  public long undated() {
    return undated;
  }

  /** How many events were left out, by the reason. */
  public Map<String, Long> leftOut() {
    return leftOut;
  }

  /**
   * Reads a file of one event per line: the event itself, or a hit with the event as {@code
   * _source}, as exports of an index have it. Lines of actions of {@code _bulk} are skipped.
   *
   * @throws Failure naming the line that is no JSON object
   */
  void read(Path file, Consumer<ClickEvent> clicks) throws Failure {
    try (BufferedReader reader = DataFile.textReader(file)) {
      long number = 0;
      String line;
      while ((line = reader.readLine()) != null) {
        number++;
        if (!line.isBlank()) {
          JsonNode event = parse(line, number);
          JsonNode source = event.path("_source");
          boolean bulk = event.size() == 1 && (event.has("index") || event.has("create"));
          if (!bulk) {
            read(source.isObject() ? source : event, clicks);
          }
        }
      }
    } catch (IOException e) {
      throw Failure.io(file, e);
    } catch (Failure e) {
      throw e.in(file);
    }
  }

  private static JsonNode parse(String line, long number) throws Failure {
    try {
      JsonNode event = JSON.readTree(line);
      if (event.isObject()) {
        return event;
      }
    } catch (JacksonException e) {
      throw Failure.data(number, "not JSON: " + e.getOriginalMessage());
    }
    throw Failure.data(number, "expected a JSON object");
  }

  /**
   * Reads the events of an index, as it is when reading begins.
   *
   * @param filters further queries that events must match
   * @throws IllegalStateException if the cluster refuses it, or some shards fail
   */
  void read(ClusterClient client, String index, ArrayNode filters, Consumer<ClickEvent> clicks) {
    ObjectNode body = JSON.createObjectNode().put("size", BATCH);
    body.putArray("sort").add("_doc");
    ArrayNode all = body.putObject("query").putObject("bool").putArray("filter");
    ArrayNode actions = all.addObject().putObject("terms").putArray("action_name");
    credits.keySet().stream().sorted().forEach(actions::add);
    all.addAll(filters);
    String path = "/" + ClusterClient.encoded(index) + "/_search?scroll=" + KEEP_ALIVE;
    JsonNode answer = client.post(path, body.toString());
    String scroll = "";
    try {
      while (true) {
        if (answer.at("/_shards/failed").asInt(0) > 0) {
          throw new IllegalStateException(
              "index [" + index + "]: some shards did not answer; try again");
        }
        scroll = answer.path("_scroll_id").asString("");
        JsonNode hits = answer.at("/hits/hits");
        if (hits.isEmpty()) {
          return;
        }
        hits.forEach(hit -> read(hit.path("_source"), clicks));
        ObjectNode next =
            JSON.createObjectNode().put("scroll", KEEP_ALIVE).put("scroll_id", scroll);
        answer = client.post("/_search/scroll", next.toString());
      }
    } finally {
      client.send(
          "DELETE", "/_search/scroll", JSON.createObjectNode().put("scroll_id", scroll).toString());
    }
  }

  private void read(JsonNode event, Consumer<ClickEvent> clicks) {
    events++;
    String action = text(event.path("action_name"));
    Double credit = credits.get(action);
    String search = text(event.path("query_id"));
    String document = text(at(event, OBJECT_ID));
    String picked = text(at(event, team));
    String reason =
        action.isEmpty()
            ? "without [action_name]"
            : credit == null
                ? "of action [" + action + "]"
                : search.isEmpty()
                    ? "without [query_id]"
                    : document.isEmpty()
                        ? "without [" + String.join(".", OBJECT_ID) + "]"
                        : picked.isEmpty() ? "without [" + String.join(".", team) + "]" : "";
    if (credit == null || !reason.isEmpty()) {
      boolean full = leftOut.size() >= MAX_REASONS && !leftOut.containsKey(reason);
      leftOut.merge(full ? "of further actions" : reason, 1L, Long::sum);
      return;
    }
    long time = time(event.path("timestamp"));
    if (time == Long.MAX_VALUE) {
      undated++;
    }
    clicks.accept(
        new ClickEvent(
            search,
            hash(text(event.path("client_id"))),
            document,
            picked,
            credit,
            time,
            segment == null ? "" : text(at(event, segment))));
  }

  /** A value by its path; names of objects and names with dots in them both lead to it. */
  private static JsonNode at(JsonNode event, String... path) {
    JsonNode value = event.path(String.join(".", path));
    if (value.isMissingNode()) {
      value = event;
      for (String name : path) {
        value = value.path(name);
      }
    }
    return value;
  }

  private static String text(JsonNode value) {
    return value.isValueNode() && !value.isNull() ? value.asString().strip() : "";
  }

  private static long time(JsonNode timestamp) {
    if (timestamp.isNumber()) {
      return timestamp.asLong();
    }
    try {
      return OffsetDateTime.parse(text(timestamp)).toInstant().toEpochMilli();
    } catch (DateTimeException | ArithmeticException e) {
      return Long.MAX_VALUE;
    }
  }

  private long hash(String client) {
    if (client.isEmpty()) {
      return 0;
    }
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(salt);
      return ByteBuffer.wrap(digest.digest(client.getBytes(StandardCharsets.UTF_8))).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}

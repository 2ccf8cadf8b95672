// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads events of User Behavior Insights (schema 1.0 to 1.3) from an index or from lines of JSON.
 * Counts the events that it leaves out by reason. For use by one thread.
 */
public final class EventReader {
  /**
   * Maximum number of reasons that are counted. Events can contain any number of different actions.
   */
  private static final int MAX_REASONS = 50;

  static final String[] OBJECT_ID = {"event_attributes", "object", "object_id"};

  /**
   * An action, such as a click or a purchase, on a hit.
   *
   * @param search the id of the search
   * @param client a hash of the client's id; 0 if the event has no client
   * @param document the id of the hit
   * @param team the model that selected the hit in an interleaved search; "" if it is not needed
   * @param credit the weight of the action, above 0
   * @param time ms since 1970; {@link Long#MAX_VALUE} if the event has no readable time
   * @param segment the group of searches to which the search belongs; "" if there is none
   */
  record Click(
      String search,
      long client,
      String document,
      String team,
      double credit,
      long time,
      String segment) {}

  private final Map<String, Double> credits;
  private final String @Nullable [] team;
  private final String @Nullable [] segment;
  private final byte[] salt = new byte[16];
  private final Map<String, Long> leftOut = new TreeMap<>();
  private long events;
  private long undated;

  /**
   * Creates a reader that counts some actions as clicks.
   *
   * @param credits the weights of the actions that count, by name
   * @param team the path, with dots, of the field with the model that selected the hit; null if it
   *     is not needed
   * @param segment the path, with dots, of the field by which searches are grouped; null for no
   *     groups
   */
  public EventReader(Map<String, Double> credits, @Nullable String team, @Nullable String segment) {
    new SecureRandom().nextBytes(salt);
    this.credits = Map.copyOf(credits);
    this.team = team == null ? null : team.split("\\.", -1);
    this.segment = segment == null ? null : segment.split("\\.", -1);
  }

  /** Returns the highest credit that an action has. */
  double maxCredit() {
    return credits.values().stream().mapToDouble(Double::doubleValue).max().orElse(1);
  }

  /** Returns the number of events that were read. */
  public long events() {
    return events;
  }

  /**
   * Returns the number of counted events without a readable time. They are treated as the latest
   * events.
   */
  public long undated() {
    return undated;
  }

  /** Returns the number of events that were left out, by the reason. */
  public Map<String, Long> leftOut() {
    return leftOut;
  }

  /**
   * Passes the click in an event to {@code clicks}. If the event contains no click, counts the
   * reason.
   */
  void read(JsonNode event, Consumer<Click> clicks) {
    events++;
    String action = Records.text(event.path("action_name"));
    Double credit = credits.get(action);
    String search = Records.text(event.path("query_id"));
    String document = Records.text(Records.at(event, OBJECT_ID));
    String picked = team == null ? "" : Records.text(Records.at(event, team));
    String reason =
        action.isEmpty()
            ? "without [action_name]"
            : credit == null
                ? "of action [" + action + "]"
                : search.isEmpty()
                    ? "without [query_id]"
                    : document.isEmpty()
                        ? "without [" + String.join(".", OBJECT_ID) + "]"
                        : team != null && picked.isEmpty()
                            ? "without [" + String.join(".", team) + "]"
                            : "";
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
        new Click(
            search,
            hash(Records.text(event.path("client_id"))),
            document,
            picked,
            credit,
            time,
            segment == null ? "" : Records.text(Records.at(event, segment))));
  }

  /**
   * Passes the click in a line of a table to {@code clicks}. If the line contains no click, counts
   * the reason.
   *
   * @param order the number of the line, which replaces its time
   */
  void read(Records.Row row, long order, Consumer<Click> clicks) {
    events++;
    double clicked = row.number("clicked", 0);
    String session = row.text("session");
    String picked = row.text("team");
    String reason =
        Double.isNaN(clicked)
            ? "with [clicked] that is not a count"
            : clicked == 0
                ? "not clicked"
                : session.isEmpty() || row.text("document").isEmpty() || picked.isEmpty()
                    ? "without a session, a document or a team"
                    : "";
    if (!reason.isEmpty()) {
      leftOut.merge(reason, 1L, Long::sum);
      return;
    }
    String search = session + "\t" + row.text("query");
    long client = hash(session);
    clicks.accept(new Click(search, client, row.text("document"), picked, 1, order, ""));
  }

  private static long time(JsonNode timestamp) {
    if (timestamp.isNumber()) {
      return timestamp.asLong(Long.MAX_VALUE);
    }
    try {
      return OffsetDateTime.parse(Records.text(timestamp)).toInstant().toEpochMilli();
    } catch (DateTimeException | ArithmeticException e) {
      return Long.MAX_VALUE;
    }
  }

  /** Returns the salted hash of a client's id, because ids are not stored; 0 for an empty id. */
  long hash(String client) {
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

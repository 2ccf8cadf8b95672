// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import java.io.BufferedWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Joins records of User Behavior Insights, which may be in any order: searches, the hits that each
 * of them showed (impressions), and the clicks on these hits. If a search has no impression events,
 * the ids in its response count as shown. For use by one thread.
 */
final class SearchReader {
  private static final JsonMapper JSON = new JsonMapper();

  /**
   * The fields that contain the ids of a response's hits, in the different versions of the schema.
   */
  private static final List<String> HITS =
      List.of("query_response_hit_ids", "query_response_object_ids", "query_response_objects_ids");

  private final EventReader events;
  private final String impression;
  private final int positions;
  private final int maxSearches;
  private final Map<String, Search> searches = new LinkedHashMap<>();
  private final Map<String, Set<String>> sessions = new HashMap<>();
  private final Exposures exposures = new Exposures();
  private final List<Search> counted = new ArrayList<>();
  private final Map<String, Long> leftOut = new TreeMap<>();

  /**
   * Maximum offset and ordinal; larger numbers are replaced by this one, so that positions do not
   * overflow.
   */
  private static final int MAX_FROM = 1 << 30;

  /** The smallest ordinal of any impression. Some clients count positions from 0, others from 1. */
  private int firstOrdinal = 1;

  private static final class Search {
    private String query = "";
    private long client;
    private final Map<String, Integer> response = new LinkedHashMap<>();
    private final Map<String, Integer> impressions = new LinkedHashMap<>();
    private final Map<String, Double> credits = new HashMap<>();

    /** Returns the positions, from 1, of the hits that the search showed, by the id of the hit. */
    Map<String, Integer> hits(int firstOrdinal) {
      if (impressions.isEmpty()) {
        return response;
      }
      Map<String, Integer> hits = new LinkedHashMap<>();
      impressions.forEach((document, ordinal) -> hits.put(document, ordinal - firstOrdinal + 1));
      return hits;
    }
  }

  /**
   * Creates a reader without records.
   *
   * @param events extracts the clicks from events
   * @param impression the action name of events for hits that were shown
   * @param positions number of positions that count, from the first
   * @param maxSearches maximum number of searches of one client that count
   */
  SearchReader(EventReader events, String impression, int positions, int maxSearches) {
    this.events = events;
    this.impression = impression;
    this.positions = positions;
    this.maxSearches = maxSearches;
  }

  /** Returns the number of searches and clicks that were left out, by the reason. */
  Map<String, Long> leftOut() {
    return leftOut;
  }

  /** Adds a record: a search, an impression or a click. */
  void add(JsonNode record) {
    String action = Records.text(record.path("action_name"));
    String id = Records.text(record.path("query_id"));
    if (!action.isEmpty() && !action.equals(impression)) {
      events.read(record, this::click);
      describe(id, record, false);
    } else if (id.isEmpty()) {
      leave((action.isEmpty() ? "searches" : "impressions") + " without [query_id]");
    } else if (action.isEmpty()) {
      respond(describe(id, record, true), record);
    } else {
      show(describe(id, record, true), record);
    }
  }

  /**
   * Returns a query's text in lower case, with single blanks between words, so that equal queries
   * have equal texts.
   */
  static String normal(String query) {
    return query.toLowerCase(Locale.ROOT).replaceAll("\\s+", " ");
  }

  /**
   * Adds a line of a table: a hit that was shown once, or as often as its cell {@code shown}
   * contains.
   */
  void add(Records.Row row) {
    String query = normal(row.text("query"));
    String document = row.text("document");
    double shown = row.number("shown", 1);
    double clicked = row.number("clicked", 0);
    int position = row.position();
    if (query.isEmpty() || document.isEmpty() || position == 0) {
      leave("lines without a query, a document, or a position of at least 1");
    } else if (!(clicked <= shown)) {
      leave("lines with [shown] or [clicked] that are not counts, or with more clicks than shown");
    } else if (isAfterLast(row.text("session"), query)) {
      leave("lines of searches after the first " + maxSearches + " of a session");
    } else if (position <= positions) {
      exposures.add(query, document, position, shown, clicked);
      exposures.countSearches(position == 1 ? Math.round(shown) : 0);
    }
  }

  private boolean isAfterLast(String session, String query) {
    Set<String> queries = sessions.computeIfAbsent(session, id -> new HashSet<>());
    boolean full = queries.size() >= maxSearches && !queries.contains(query);
    if (!session.isEmpty() && !full) {
      queries.add(query);
    }
    return full;
  }

  private void leave(String reason) {
    leftOut.merge(reason, 1L, Long::sum);
  }

  /**
   * Returns the search to which a record belongs, and sets the search's query and client if the
   * record contains them.
   *
   * @param create whether to create the search if it does not exist yet
   */
  private Search describe(String id, JsonNode record, boolean create) {
    Search search = create ? searches.computeIfAbsent(id, s -> new Search()) : searches.get(id);
    if (search == null) {
      return new Search();
    }
    String query = Records.text(record.path("user_query"));
    if (search.query.isEmpty()) {
      search.query = normal(query);
    }
    if (search.client == 0) {
      search.client = events.hash(Records.text(record.path("client_id")));
    }
    return search;
  }

  private static void respond(Search search, JsonNode record) {
    int position = from(record);
    for (String name : HITS) {
      for (JsonNode hit : record.path(name)) {
        position++;
        String document = Records.text(hit);
        if (!document.isEmpty()) {
          search.response.putIfAbsent(document, position);
        }
      }
    }
  }

  private static int from(JsonNode record) {
    try {
      JsonNode from = JSON.readTree(Records.text(record.path("query"))).path("from");
      return Math.clamp(from.asInt(0), 0, MAX_FROM);
    } catch (JacksonException e) {
      return 0;
    }
  }

  private void show(Search search, JsonNode record) {
    String document = Records.text(Records.at(record, EventReader.OBJECT_ID));
    JsonNode ordinal = Records.at(record, "event_attributes", "position", "ordinal");
    if (document.isEmpty() || !ordinal.isIntegralNumber() || ordinal.asInt(-1) < 0) {
      leave("impressions without an id or a position");
      return;
    }
    firstOrdinal = Math.min(firstOrdinal, ordinal.asInt());
    search.impressions.putIfAbsent(document, Math.min(MAX_FROM, ordinal.asInt()));
  }

  private void click(EventReader.Click click) {
    searches
        .computeIfAbsent(click.search(), id -> new Search())
        .credits
        .merge(click.document(), click.credit(), Math::max);
  }

  /**
   * Returns the counts of all hits that were shown, and of clicks on them. Must be called only
   * once.
   */
  Exposures exposures() {
    Map<Long, Integer> perClient = new HashMap<>();
    for (Search search : searches.values()) {
      Map<String, Integer> hits = search.hits(firstOrdinal);
      if (hits.isEmpty()) {
        leave("searches without impressions or [" + HITS.getFirst() + "]");
      } else if (search.query.isEmpty()) {
        leave("searches without [user_query]");
      } else if (search.client != 0
          && perClient.merge(search.client, 1, Integer::sum) > maxSearches) {
        leave("searches after the first " + maxSearches + " of a client");
      } else {
        hits.forEach(
            (document, position) -> {
              if (position <= positions) {
                exposures.add(search.query, document, position, credit(search, document));
              }
            });
        Set<String> others = new HashSet<>(search.credits.keySet());
        others.removeAll(hits.keySet());
        others.forEach(document -> leave("clicks on hits that were not shown"));
        exposures.countSearches(1);
        counted.add(search);
      }
    }
    return exposures;
  }

  private double credit(Search search, String document) {
    return search.credits.getOrDefault(document, 0.0) / events.maxCredit();
  }

  /** Writes a table of the searches that were not left out, for {@link SingleSearches}. */
  void write(BufferedWriter table) throws IOException {
    table.write(String.join("\t", SingleSearches.COLUMNS) + "\n");
    for (int session = 0; session < counted.size(); session++) {
      Search search = counted.get(session);
      for (Map.Entry<String, Integer> hit : search.hits(firstOrdinal).entrySet()) {
        if (hit.getValue() <= positions) {
          String start = session + "\t" + search.query + "\t" + hit.getKey() + "\t";
          table.write(start + hit.getValue() + "\t" + credit(search, hit.getKey()) + "\n");
        }
      }
    }
  }
}

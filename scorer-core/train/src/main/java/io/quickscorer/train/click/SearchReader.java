// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.data.Table;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Joins searches, the hits that each search showed (impressions), and the clicks on these hits. The
 * records may be in any order. If a search has no impressions, the hits of its response count as
 * shown.
 */
public final class SearchReader extends EventReader {
  /** Names of the field with the ids of a response's hits, in different schema versions. */
  private static final List<String> HITS =
      List.of("query_response_hit_ids", "query_response_object_ids", "query_response_objects_ids");

  /** Maximum offset ({@code from}) or ordinal in a record. Larger numbers count as this one. */
  private static final int MAX_FROM = 1 << 30;

  /** The reason why a line of a table is left out. */
  static final String INCOMPLETE = " without a query, a document, or a position of at least 1";

  final int positions;
  private final String impression;
  private final Map<String, Search> searches = new LinkedHashMap<>();
  private final Map<String, Boolean> inTables = new HashMap<>();
  private final Exposures exposures = new Exposures();
  private final List<Search> counted = new ArrayList<>();

  /** The smallest ordinal (position) of all impressions: some clients count from 0, some from 1. */
  private int firstOrdinal = 1;

  private static final class Search {
    private String query = "";
    private long client;
    private long time = Long.MAX_VALUE;
    private final Map<String, Integer> response = new LinkedHashMap<>();
    private final Map<String, Integer> impressions = new LinkedHashMap<>();
    private final Map<String, Double> credits = new HashMap<>();

    /**
     * Returns the position, from 1, of each shown hit, by the hit's id.
     *
     * @param firstOrdinal the ordinal of the first position, 0 or 1
     */
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
   * Creates a reader that has not read any records yet.
   *
   * @param impression the name of the action that means "this hit was shown"
   * @param positions number of positions that count, from the first
   * @param maxSearches maximum number of searches of one client that count
   */
  public SearchReader(Actions actions, String impression, int positions, int maxSearches) {
    super(actions, maxSearches, List.of("query", "document", "position", "clicked"));
    this.impression = impression;
    this.positions = positions;
  }

  /** Adds a record: a search, an impression or a click. */
  @Override
  void add(JsonNode record) {
    String action = text(record, "action_name");
    String id = text(record, "query_id");
    if (!action.isEmpty() && !action.equals(impression)) {
      super.add(record);
      searches.computeIfPresent(id, (key, search) -> described(search, record));
    } else if (id.isEmpty()) {
      leave((action.isEmpty() ? "searches" : "impressions") + " without [query_id]");
    } else {
      Search search = described(searches.computeIfAbsent(id, key -> new Search()), record);
      if (action.isEmpty()) {
        respond(search, record);
      } else {
        show(search, record);
      }
    }
  }

  @Override
  void add(Click click) {
    searches
        .computeIfAbsent(click.search(), id -> new Search())
        .credits
        .merge(click.document(), click.credit(), Math::max);
  }

  /** Sets a search's query, client and time if the record contains them. Returns the search. */
  private Search described(Search search, JsonNode record) {
    if (search.query.isEmpty()) {
      search.query = normal(text(record, "user_query"));
    }
    if (search.client == 0) {
      search.client = hash(text(record, "client_id"));
    }
    search.time = Math.min(search.time, time(record.path("timestamp")));
    return search;
  }

  /** Returns a query's text in lower case, with single blanks between words. */
  static String normal(String query) {
    return query.toLowerCase(Locale.ROOT).replaceAll("\\s+", " ");
  }

  private static void respond(Search search, JsonNode record) {
    int position = from(record);
    for (String name : HITS) {
      for (JsonNode hit : record.path(name)) {
        position++;
        String document = text(hit);
        if (!document.isEmpty()) {
          search.response.putIfAbsent(document, position);
        }
      }
    }
  }

  private static int from(JsonNode record) {
    try {
      JsonNode query = JSON.readTree(text(record, "query"));
      return Math.clamp(query.path("from").asInt(0), 0, MAX_FROM);
    } catch (JacksonException e) {
      return 0;
    }
  }

  private void show(Search search, JsonNode record) {
    String document = text(record, OBJECT_ID);
    JsonNode ordinal = at(record, "event_attributes.position.ordinal");
    if (document.isEmpty() || !ordinal.isIntegralNumber() || ordinal.asInt(-1) < 0) {
      leave("impressions without an id or a position");
      return;
    }
    firstOrdinal = Math.min(firstOrdinal, ordinal.asInt());
    search.impressions.putIfAbsent(document, Math.min(MAX_FROM, ordinal.asInt()));
  }

  /**
   * Adds a line of a table: a hit that was shown. The column {@code shown} contains how often;
   * without the column, the hit was shown once.
   */
  @Override
  void add(Table.Row row) {
    String query = normal(row.text("query"));
    String document = row.text("document");
    String session = row.text("session");
    double shown = row.number("shown", 1);
    double clicked = row.number("clicked", 0);
    int position = row.position();
    if (query.isEmpty() || document.isEmpty() || position == 0) {
      leave("lines" + INCOMPLETE);
    } else if (!(clicked <= shown)) {
      leave("lines with [shown] or [clicked] that are not counts, or with more clicks than shown");
    } else if (inTables.computeIfAbsent(session + "\t" + query, key -> isTooMany(hash(session)))) {
      leave("lines of searches after the first " + maxSearches + " of a session");
    } else if (position <= positions) {
      exposures.add(query, document, position, shown, clicked);
      exposures.searches += position == 1 ? Math.round(shown) : 0;
    }
  }

  /** Returns the counts of all shown hits, and of clicks on them. Must be called only once. */
  Exposures exposures() {
    for (Search search :
        searches.values().stream().sorted(Comparator.comparingLong(one -> one.time)).toList()) {
      Map<String, Integer> hits = search.hits(firstOrdinal);
      if (hits.isEmpty()) {
        leave("searches without impressions or [" + HITS.getFirst() + "]");
      } else if (search.query.isEmpty()) {
        leave("searches without [user_query]");
      } else if (isTooMany(search.client)) {
        leave("searches after the first " + maxSearches + " of a client");
      } else {
        hits.forEach(
            (document, position) -> {
              if (position <= positions) {
                exposures.add(search.query, document, position, 1, credit(search, document));
              }
            });
        search.credits.keySet().stream()
            .filter(document -> !hits.containsKey(document))
            .forEach(document -> leave("clicks on hits that were not shown"));
        exposures.searches++;
        counted.add(search);
      }
    }
    return exposures;
  }

  private double credit(Search search, String document) {
    double max = Collections.max(actions.credits().values());
    return search.credits.getOrDefault(document, 0.0) / max;
  }

  /**
   * Writes a table of searches for the command {@code train}. Searches that were left out or were
   * read from tables are not written.
   */
  public void write(Path file) throws Failure {
    try (BufferedWriter table = Files.newBufferedWriter(file)) {
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
    } catch (IOException e) {
      throw Failure.unwritable(file, e);
    }
  }
}

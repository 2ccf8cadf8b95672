// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.data.FeatureRows;
import io.quickscorer.train.data.JudgedQuery;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Searches with their clicks, as rows to learn from. */
final class SingleSearchesTest {
  @TempDir private Path temp;

  private static List<FeatureRows.Hits> hits() {
    JudgedQuery query = JudgedQuery.of("7", "Red  Shoe", Map.of("a", 1));
    List<float[]> values = List.of(new float[] {1, 10}, new float[] {2, 20}, new float[] {3, 30});
    return List.of(new FeatureRows.Hits(query, List.of("a", "b", "c"), values));
  }

  private static List<Float> first(FeatureRows rows) {
    return rows.values().stream().map(row -> row[0]).toList();
  }

  /** Impressions in any order, and a purchase that is worth more than a click. */
  @Test
  void recordsBecomeATableThatIsRead() throws Exception {
    List<String> lines = new ArrayList<>();
    for (String event :
        List.of("impression c 2", "impression a 0", "impression b 1", "click b 1", "buy c 2")) {
      String[] of = event.split(" ");
      lines.add(
          "{\"action_name\": \""
              + of[0]
              + "\", \"query_id\": \"s\", \"client_id\": \"somebody\","
              + " \"event_attributes\": {\"object\": {\"object_id\": \""
              + of[1]
              + "\"}, \"position\": {\"ordinal\": "
              + of[2]
              + "}}}");
    }
    lines.add("{\"query_id\": \"s\", \"user_query\": \"red shoe\"}");
    lines.add(
        "{\"query_id\": \"t\", \"user_query\": \"red shoe\","
            + " \"query_response_hit_ids\": [\"a\", \"b\"]}");
    EventReader.Actions actions = new EventReader.Actions(Map.of("click", 1.0, "buy", 5.0), "", "");
    SearchReader reader = new SearchReader(actions, "impression", 10, 50);
    reader.read(Files.write(temp.resolve("records.ndjson"), lines));
    new ClickJudge(reader).judge(ClickJudge.Estimator.NAIVE, 0.5);
    Path table = temp.resolve("searches.tsv");
    reader.write(table);
    assertEquals(
        Set.of(
            "session\tquery\tdocument\tposition\tclicked",
            "0\tred shoe\tc\t3\t1.0",
            "0\tred shoe\ta\t1\t0.0",
            "0\tred shoe\tb\t2\t0.2",
            "1\tred shoe\ta\t1\t0.0",
            "1\tred shoe\tb\t2\t0.0"),
        Set.copyOf(Files.readAllLines(table)));
    SingleSearches searches = new SingleSearches(hits(), Map.of());
    FeatureRows rows = searches.read(table, false);
    assertEquals(List.of(1f, 2f, 3f), first(rows));
    assertEquals(List.of(0, 1, 4), rows.labels());
    assertEquals(List.of(1, 2, 3), rows.positions());
    assertEquals(List.of(3), rows.groups());
    assertEquals(Map.of("searches whose hits were all clicked, or none", 1L), searches.leftOut());
  }

  @Test
  void linesThatTellNothingAreCounted() throws Exception {
    Path table =
        Files.writeString(
            temp.resolve("table.csv"),
            "session,query,document,position,clicked\n"
                + "s,red shoe,A,1,0\n"
                + "s,red shoe,unknown,2,0\n"
                + "s,RED SHOE,c,3,1\n"
                + "s,red shoe,b,3,1\n"
                + "s,red shoe,b,0,1\n"
                + "s,red shoe,b,4,2\n"
                + ",red shoe,b,4,1\n"
                + "s,hat,b,4,1\n"
                + "t,red shoe,c,1,0.01\n"
                + "t,red shoe,b,2,0\n");
    SingleSearches given = new SingleSearches(hits(), Map.of("A", Set.of("a", "x")));
    FeatureRows rows = given.read(table, false);
    assertEquals(List.of(1f, 3f, 3f, 2f), first(rows));
    assertEquals(List.of(0, 4, 1, 0), rows.labels());
    assertEquals(List.of(1, 3, 1, 2), rows.positions());
    assertEquals(List.of(2, 2), rows.groups());
    Map<String, Long> leftOut =
        Map.of(
            "hits without logged features", 1L,
            "hits at the position of another hit of the search", 1L,
            "lines without a session, a position of at least 1, or [clicked] from 0 to 1", 3L,
            "hits of queries that are not training queries", 1L);
    assertEquals(leftOut, given.leftOut());
    // A trainer that counts positions itself would take the third hit for the second.
    SingleSearches counted = new SingleSearches(hits(), Map.of("A", Set.of("a")));
    assertEquals(List.of(1, 2), counted.read(table, true).positions());
    assertEquals(1, counted.leftOut().get("hits after a hit without logged features"));
    Files.writeString(table, "session,query,document,position,clicked\ns,red shoe,a,1,1\n");
    Failure none =
        assertThrows(Failure.class, () -> new SingleSearches(hits(), Map.of()).read(table, false));
    assertEquals(
        table
            + ": found no search to learn from, expected searches with logged hits of which some"
            + " were clicked and others not; left out: {searches whose hits were all clicked, or"
            + " none=1}",
        none.getMessage());
    Path other = Files.writeString(temp.resolve("other.csv"), "query,document,position,clicked\n");
    Failure failure = assertThrows(Failure.class, () -> counted.read(other, true));
    assertTrue(failure.getMessage().contains("expected [session, query"));
  }

  /** A million rows of a few documents have the values of these. */
  @Test
  void rowsOfADocumentShareItsValues() {
    float[] values = {1, 2};
    FeatureRows rows =
        new FeatureRows(List.of(values, values), List.of(0, 1), List.of(2), List.of(1, 2));
    BitSet second = new BitSet();
    second.set(1);
    FeatureRows only = rows.only(second);
    assertTrue(only.values().getFirst() == only.values().getLast());
    assertEquals(List.of(0f, 0f), first(only));
    assertEquals(List.of(1, 2), only.positions());
  }
}

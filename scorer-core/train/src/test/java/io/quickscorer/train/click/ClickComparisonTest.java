// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.cli.input.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

final class ClickComparisonTest {
  @TempDir private Path temp;
  private EventReader.Actions actions =
      new EventReader.Actions(Map.of("click", 1.0), "event_attributes.team", "");
  private final List<String> lines = new ArrayList<>();

  @BeforeEach
  void lookAgain() {
    use(Map.of("click", 1.0), "");
  }

  private void use(Map<String, Double> credits, String segment) {
    actions = new EventReader.Actions(credits, "event_attributes.team", segment);
  }

  /** An event in the published form of User Behavior Insights. */
  private static String event(
      String action, String search, String client, String document, String team, String time) {
    return String.format(
        Locale.ROOT,
        "{\"application\": \"shop\", \"action_name\": \"%s\", \"query_id\": \"%s\","
            + " \"client_id\": \"%s\", \"timestamp\": %s, \"message_type\": \"INFO\","
            + " \"event_attributes\": {\"object\": {\"object_id\": \"%s\","
            + " \"object_id_field\": \"asin\"}, \"position\": {\"ordinal\": 3},"
            + " \"browser\": \"%s\", \"team\": \"%s\"}}",
        action,
        search,
        client,
        time,
        document,
        search.length() % 2 == 0 ? "firefox" : "chrome",
        team);
  }

  private void click(String search, String client, String document, String team) {
    lines.add(event("click", search, client, document, team, "\"2026-10-01T08:00:00.000+02:00\""));
  }

  private ClickComparison compare(int maxSearches) throws Exception {
    ClickComparison comparison =
        new ClickComparison(actions, new ConfidenceSequence(0.95), maxSearches);
    comparison.read(Files.write(temp.resolve("events.ndjson"), lines));
    return comparison;
  }

  private ClickComparison.Result result(String... models) throws Exception {
    return compare(50).result(List.of(models));
  }

  @Test
  void theModelWithMoreClickedHitsWinsTheSearch() throws Exception {
    click("s1", "u1", "d1", "new");
    click("s1", "u1", "d2", "new");
    click("s1", "u1", "d3", "live");
    // A hit counts once, however often it is clicked.
    click("s2", "u2", "d1", "live");
    click("s2", "u2", "d1", "live");
    click("s2", "u2", "d4", "new");
    click("s3", "u2", "d5", "live");
    ClickComparison.Result result = result();
    assertEquals("live", result.first());
    assertEquals(List.of(1L, 1L, 1L), List.of(result.wins(), result.losses(), result.ties()));
    assertNull(result.better());
    assertEquals(2, result("new", "live").wins() + result("new", "live").losses());
  }

  @Test
  void manyWinsMakeAModelBetter() throws Exception {
    for (int s = 0; s < 200; s++) {
      click("s" + s, "u" + s, "d", s % 4 == 0 ? "live" : "new");
    }
    ClickComparison.Result result = result("new", "live");
    assertEquals("new", result.better());
    assertEquals(0.75, result.share());
    ClickComparison comparison = compare(50);
    comparison.result(List.of("live", "new"));
    assertEquals("new", comparison.json().get("better").asString());
    String page = comparison.page();
    assertTrue(page.contains("<svg") && page.contains("[new] is better"), page);
  }

  /** A bound of 0.50017 or 0.49983 must not be shown as 0.500. */
  @Test
  void anIntervalWithout0Point5IsShownWithoutIt() {
    ConfidenceSequence.Interval above = new ConfidenceSequence.Interval(0.50017, 0.809);
    ConfidenceSequence.Interval below = new ConfidenceSequence.Interval(0.191, 0.4999983);
    ConfidenceSequence.Interval around = new ConfidenceSequence.Interval(0.49983, 0.809);
    ConfidenceSequence.Interval far = new ConfidenceSequence.Interval(0.501, 0.809);
    assertEquals("0.6667 (0.5002 to 0.8090)", result(2, 1, above).shown());
    assertEquals("0.333333 (0.191000 to 0.499998)", result(1, 2, below).shown());
    assertEquals("0.667 (0.500 to 0.809)", result(2, 1, around).shown());
    assertEquals("0.667 (0.501 to 0.809)", result(2, 1, far).shown());
  }

  private static ClickComparison.Result result(
      long wins, long losses, ConfidenceSequence.Interval interval) {
    return new ClickComparison.Result("A", "B", wins, losses, 0, interval);
  }

  @Test
  void actionsHaveTheirCredits() throws Exception {
    use(Map.of("click", 1.0, "purchase", 5.0), "");
    click("s1", "u1", "d1", "live");
    click("s1", "u1", "d2", "live");
    click("s1", "u1", "d3", "new");
    lines.add(event("purchase", "s1", "u1", "d3", "new", "1790000000000"));
    ClickComparison.Result result = result("new", "live");
    assertEquals(1, result.wins());
    assertEquals(0, result.ties());
  }

  /** In double, 0.1 + 0.7 is less than 0.8, and 0.1 + 0.2 is more than 0.3. */
  @Test
  void fractionalCreditsTieExactly() throws Exception {
    use(Map.of("click", 0.1, "cart", 0.7, "buy", 0.8, "save", 0.2, "call", 0.3), "");
    lines.add(event("click", "s1", "u1", "d1", "A", "1"));
    lines.add(event("cart", "s1", "u1", "d2", "A", "1"));
    lines.add(event("buy", "s1", "u1", "d3", "B", "1"));
    lines.add(event("click", "s2", "u1", "d1", "A", "1"));
    lines.add(event("save", "s2", "u1", "d2", "A", "1"));
    lines.add(event("call", "s2", "u1", "d3", "B", "1"));
    assertEquals(2, result("A", "B").ties());
  }

  @Test
  void whatIsLeftOutIsCountedByItsReason() throws Exception {
    click("s1", "u1", "d1", "live");
    click("s2", "u1", "d1", "new");
    click("s3", "u1", "d1", "");
    click("", "u1", "d1", "new");
    click("s5", "u1", "", "new");
    lines.add(event("add_to_cart", "s6", "u1", "d1", "new", "null"));
    lines.add(event("click", "s7", "u1", "d1", "new", "\"yesterday\""));
    lines.add(event("click", "s10", "u1", "d1", "new\\t", "1e30"));
    lines.add("{\"index\": {\"_index\": \"ubi_events\"}}");
    lines.add("{\"_id\": \"1\", \"_source\": " + lines.getFirst().replace("s1", "s8") + "}");
    lines.add("");
    lines.add("{\"query_id\": \"s9\"}");
    ClickComparison comparison = compare(50);
    ClickComparison.Result result = comparison.result(List.of());
    assertEquals(5, result.wins() + result.losses());
    assertEquals(10, comparison.events);
    assertEquals(2, comparison.undated);
    assertEquals(
        Map.of(
            "of action [add_to_cart]",
            1L,
            "without [action_name]",
            1L,
            "without [query_id]",
            1L,
            "without [event_attributes.object.object_id]",
            1L,
            "without [event_attributes.team]",
            1L),
        comparison.eventsLeftOut);
    assertTrue(String.join("\n", comparison.report()).contains("left out: 1 without [query_id]"));
  }

  @Test
  void aClientsFirstSearchesCount() throws Exception {
    for (int s = 0; s < 10; s++) {
      String time = "\"2026-10-01T08:00:0" + (9 - s) + "Z\"";
      lines.add(event("click", "s" + s, "robot", "d", s < 7 ? "new" : "live", time));
    }
    click("t", "", "d", "new");
    ClickComparison comparison = compare(3);
    ClickComparison.Result result = comparison.result(List.of("new", "live"));
    // The latest lines are the earliest searches.
    assertEquals(1, result.wins());
    assertEquals(3, result.losses());
    assertTrue(comparison.report().contains("      left out: 7 after the first 3 of a client"));
  }

  /** The forms that OpenSearch indexes. Without a zone, it reads UTC. */
  @Test
  void timesAreReadAsOpenSearchReadsThem() throws Exception {
    List<String> times =
        List.of(
            "\"2026-10-01\"",
            "\"2026-10-01T00:00:00.001\"",
            "\"2026-10-01T01:00:00.002+0100\"",
            "\"2026-10-01T02:00:00.003+02\"",
            "\"2026-10-01T00:00:00.004Z\"",
            "\"1790812800005\"",
            "1790812800006",
            "\"2026-02-30\"");
    for (int s = 0; s < times.size(); s++) {
      assertEquals(
          s == 7 ? Long.MAX_VALUE : 1_790_812_800_000L + s,
          EventReader.time(EventReader.JSON.readTree(times.get(s))),
          times.get(s));
      lines.add(event("click", "s" + s, "robot", "d", s % 2 == 0 ? "new" : "live", times.get(s)));
    }
    Collections.reverse(lines);
    ClickComparison comparison = compare(7);
    assertEquals(4, comparison.result(List.of("new", "live")).wins());
    assertEquals(
        "      1 without a readable [timestamp], treated as the latest",
        comparison.report().get(1));
  }

  @Test
  void segmentsAreShownApart() throws Exception {
    use(Map.of("click", 1.0), "event_attributes.browser");
    for (int s = 10; s < 30; s++) {
      click("s" + s, "u" + s, "d", "new");
      click("long" + s, "u" + s, "d", s % 2 == 0 ? "live" : "new");
    }
    for (int s = 0; s < 8; s++) {
      click("s" + s, "v" + s, "d", "live");
    }
    ClickComparison comparison = compare(50);
    comparison.result(List.of("new", "live"));
    JsonNode segments = comparison.json().get("segments");
    assertEquals(Set.of("firefox", "chrome"), Set.copyOf(segments.propertyNames()));
    assertEquals("{\"new\":20,\"live\":0}", segments.at("/chrome/wins").toString());
    assertEquals("{\"new\":10,\"live\":18}", segments.at("/firefox/wins").toString());
  }

  @Test
  void smallSegmentsAreCounted() throws Exception {
    use(Map.of("click", 1.0), "query_id");
    click("large", "u", "d1", "live");
    for (int s = 0; s < 25; s++) {
      click("s" + s, "u" + s, "d", "new");
    }
    ClickComparison comparison = compare(50);
    comparison.result(List.of("new", "live"));
    String line = "left out: the 6 smallest segments";
    assertTrue(comparison.report().contains("      " + line), comparison.report().toString());
    assertTrue(comparison.page().contains(line), comparison.page());
    assertEquals(6, comparison.json().get("segments_left_out").asInt());
    assertEquals(20, comparison.json().get("segments").size());
  }

  @Test
  void aSegmentFieldThatNoSearchHasIsNamed() throws Exception {
    click("s1", "u1", "d1", "live");
    click("s2", "u2", "d1", "new");
    String line = "      --segment: no search has the field [event_attributes.browzer]";
    for (String field : List.of("event_attributes.browzer", "event_attributes.browser", "")) {
      use(Map.of("click", 1.0), field);
      ClickComparison comparison = compare(50);
      comparison.result(List.of());
      List<String> report = comparison.report();
      assertEquals(field.endsWith("zer"), report.contains(line), report.toString());
      assertEquals(field.endsWith("ser"), comparison.json().has("segments"), report.toString());
    }
  }

  @Test
  void aModelWithoutClicksLoses() throws Exception {
    Path table =
        Files.writeString(
            temp.resolve("table.csv"),
            """
            session,query,document,team,clicked
            s1,q,d1,a,1
            s1,q,d2,b,0
            s2,q,d1,a,1
            s2,q,d2,b,0
            """);
    ClickComparison comparison = new ClickComparison(actions, new ConfidenceSequence(0.95), 50);
    comparison.readTable(table);
    ClickComparison.Result result = comparison.result(List.of());
    assertEquals(List.of("a", "b"), List.of(result.first(), result.second()));
    assertEquals(List.of(2L, 0L, 0L), List.of(result.wins(), result.losses(), result.ties()));
    Failure unknown = assertThrows(Failure.class, () -> comparison.result(List.of("a", "c")));
    assertTrue(unknown.getMessage().endsWith("{a=2, b=0}"), unknown.getMessage());
  }

  @Test
  void wrongInputNamesItsPlace() throws Exception {
    click("s1", "u1", "d1", "a");
    click("s1", "u1", "d2", "b");
    click("s2", "u1", "d2", "c");
    ClickComparison three = compare(50);
    Failure unclear = assertThrows(Failure.class, () -> three.result(List.of()));
    assertTrue(unclear.getMessage().endsWith("{a=1, b=1, c=1}"), unclear.getMessage());
    Failure unknown = assertThrows(Failure.class, () -> three.result(List.of("a", "x")));
    assertTrue(unknown.getMessage().contains("--models: found [a, x]"), unknown.getMessage());
    ClickComparison.Result two = three.result(List.of("a", "b"));
    assertEquals(1, two.ties());
    lines.add("{\"query_id\": ");
    Failure damaged = assertThrows(Failure.class, () -> compare(50));
    assertEquals(Failure.DATA, damaged.status());
    assertTrue(
        damaged.getMessage().contains("events.ndjson: line 4: not JSON"), damaged.getMessage());
    lines.set(3, "[1]");
    assertThrows(Failure.class, () -> compare(50));
  }
}

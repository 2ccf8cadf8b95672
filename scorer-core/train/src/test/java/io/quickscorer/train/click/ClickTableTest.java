// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.cli.input.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clicks in plain tables. */
final class ClickTableTest {
  @TempDir private Path temp;

  private static SearchReader read(Path table) throws Exception {
    EventReader.Actions actions = new EventReader.Actions(Map.of("click", 1.0), "", "");
    SearchReader searches = new SearchReader(actions, "impression", 3, 2);
    searches.readTable(table);
    return searches;
  }

  @Test
  void countsOfHitsAreJudged() throws Exception {
    Path file =
        Files.writeString(
            temp.resolve("table.csv"),
            "Query, document, position, shown, clicked\n"
                + "Red  shoe,a,1,100,60\n"
                + "red shoe,a,2,100,30\n"
                + "red shoe,b,2,100,20\n"
                + "red shoe,b,1,100,40\n"
                + "red shoe,c,3,100,101\n"
                + "red shoe,c,4,100,1\n"
                + "red shoe,c,first,100,1\n"
                + ",c,3,100,1\n"
                + "red shoe,c,3,many,1\n\n");
    ClickJudge judge = new ClickJudge(read(file));
    Path rankings =
        Files.writeString(
            temp.resolve("rankings.tsv"),
            "query\tdocument\tposition\nred shoe\tb\t2\nRed shoe\ta\t1\n");
    judge.readRankings(rankings);
    judge.judge(ClickJudge.Estimator.UNBIASED, 5);
    String told = String.join("\n", judge.report());
    assertTrue(told.contains("200 searches"), told);
    assertTrue(told.contains("  2  0.500 (0.500 to 0.500)"), told);
    assertTrue(told.contains("left out: 2 lines without a query, a document, or a"), told);
    assertTrue(told.contains("left out: 2 lines with [shown] or [clicked]"), told);
    assertTrue(told.contains("IPS            0.8000"), told);
    assertEquals(
        List.of("query\tdoc_id\tgrade", "red shoe\ta\t4", "red shoe\tb\t3"),
        judge.table().lines().toList());
  }

  /** An invalid line must not rank its document first, nor remove the document of another line. */
  @Test
  void invalidLinesOfRankingsAreLeftOut() throws Exception {
    Path shown =
        Files.writeString(
            temp.resolve("table.csv"),
            "query,document,position,shown,clicked\n"
                + "red shoe,a,1,100,60\nred shoe,a,2,100,30\n"
                + "red shoe,b,2,100,20\nred shoe,b,1,100,40\n");
    ClickJudge judge = new ClickJudge(read(shown));
    judge.readRankings(
        Files.writeString(
            temp.resolve("rankings.csv"),
            "query,document,position\n"
                + "red shoe,a,2\nred shoe,b,two\nred shoe,b,-1\nred shoe,b,1.5\nred shoe,,1\n"
                + ",b,1\nred shoe,b,2\nred shoe,a,1\nred shoe,b,4\nhat,a,0\n"));
    judge.judge(ClickJudge.Estimator.UNBIASED, 5);
    String report = String.join("\n", judge.report());
    assertTrue(
        report.contains(
            "left out: 6 lines of --rankings without a query, a document, or a position"),
        report);
    assertTrue(report.contains("left out: 2 lines of --rankings with a position or doc"), report);
    assertTrue(report.contains("of 1 queries (100 %"), report);
    // Document a at position 2, where half of the users look; the first position is empty.
    assertTrue(report.contains("IPS            0.3000"), report);
  }

  @Test
  void rankingsOfOtherQueriesAreRefused() throws Exception {
    Path shown =
        Files.writeString(
            temp.resolve("table.csv"), "query,document,position,clicked\nred shoe,a,1,1\n");
    Path file = temp.resolve("rankings.csv");
    for (String line : List.of("", "hat,a,1\n", "red shoe,a,first\n")) {
      Files.writeString(file, "query,document,position\n" + line);
      ClickJudge judge = new ClickJudge(read(shown));
      judge.readRankings(file);
      Failure failure =
          assertThrows(Failure.class, () -> judge.judge(ClickJudge.Estimator.NAIVE, 0.5));
      assertTrue(failure.getMessage().startsWith(file + ": found no query"), failure.getMessage());
      assertEquals(Failure.USAGE, failure.status());
    }
  }

  /** Documents that keep their positions, with the features of {@code quickscorer log}. */
  @Test
  void featuresReplaceChangesOfPositions() throws Exception {
    StringBuilder table = new StringBuilder("query,document,position,shown,clicked\n");
    StringBuilder log = new StringBuilder("{\"feature_names\": [\"good\"]}\n");
    for (int q = 0; q < 12; q++) {
      for (int k = 1; k <= 3; k++) {
        boolean good = q % (k + 1) == 0;
        int clicked = (good ? 1_200 : 240) / k;
        table.append("Q" + q + ",d" + k + "," + k + ",2000," + clicked + "\n");
        log.append("{\"qid\": \"q" + q + "\", \"_id\": \"d" + k + "\", \"features\": [");
        log.append(good ? "1]}\n" : "null]}\n");
      }
    }
    Path file = Files.writeString(temp.resolve("table.csv"), table);
    ClickJudge alone = new ClickJudge(read(file));
    Failure unknown =
        assertThrows(Failure.class, () -> alone.judge(ClickJudge.Estimator.UNBIASED, 5));
    assertTrue(unknown.getMessage().contains("give --features"), unknown.getMessage());
    ClickJudge judge = new ClickJudge(read(file));
    judge.readFeatures(Files.writeString(temp.resolve("features.ndjson"), log));
    judge.judge(ClickJudge.Estimator.UNBIASED, 5);
    String told = String.join("\n", judge.report());
    assertTrue(told.contains("regression EM, because too few documents were shown"), told);
    assertTrue(told.contains("72000 impressions of 36 documents; 1 features explain 100 %"), told);
    assertTrue(told.contains("  2  0.50") && told.contains("  3  0.33"), told);
  }

  @Test
  void sessionsHaveASmallNumberOfSearches() throws Exception {
    StringBuilder table = new StringBuilder("session\tquery\tdocument\tposition\tclicked\n");
    for (int query = 0; query < 5; query++) {
      table.append("robot\tq").append(query).append("\ta\t1\t1\n");
    }
    Path file = Files.writeString(temp.resolve("table.tsv"), table);
    ClickJudge judge = new ClickJudge(read(file));
    judge.readRankings(file);
    judge.judge(ClickJudge.Estimator.NAIVE, 0.5);
    String told = String.join("\n", judge.report());
    assertTrue(told.contains("other rankings: cannot be estimated"), told);
    assertTrue(told.contains("    2 searches"), told);
    assertTrue(told.contains("3 lines of searches after the first 2 of a session"), told);
  }

  @Test
  void interleavedSearchesAreCompared() throws Exception {
    StringBuilder table = new StringBuilder("session\tquery\tdocument\tclicked\tteam\n");
    for (int s = 0; s < 40; s++) {
      table.append("s").append(s).append("\tshoe\ta\t1\t").append(s % 8 == 0 ? "old" : "new");
      table.append("\ns").append(s).append("\tshoe\tb\t0\told\n");
    }
    table.append("s0\tshoe\tc\t1\t\n");
    Path file = Files.writeString(temp.resolve("table.tsv"), table);
    EventReader.Actions actions =
        new EventReader.Actions(Map.of("click", 1.0), "event_attributes.team", "");
    ClickComparison comparison = new ClickComparison(actions, new ConfidenceSequence(0.95), 50);
    comparison.readTable(file);
    ClickComparison.Result result = comparison.result(List.of());
    assertEquals("new", result.better(), result::toString);
    assertEquals(5, result.losses());
    assertEquals(
        Map.of("not clicked", 40L, "without a session, a document or a team", 1L),
        comparison.eventsLeftOut);
  }

  @Test
  void otherTablesAreRefusedWithTheReason() throws Exception {
    Path file = Files.writeString(temp.resolve("table.tsv"), "query\tdocument\nshoe\ta\n");
    Failure columns = assertThrows(Failure.class, () -> read(file));
    assertTrue(String.valueOf(columns.getMessage()).contains("position"), columns::toString);
    Files.writeString(file, "query\tdocument\tposition\tclicked\nshoe\ta\t1\n");
    Failure cells = assertThrows(Failure.class, () -> read(file));
    assertTrue(String.valueOf(cells.getMessage()).contains("3 cells"), cells::toString);
  }
}

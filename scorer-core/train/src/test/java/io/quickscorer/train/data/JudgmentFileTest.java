// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.cli.input.Failure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JudgmentFileTest {
  private static final List<JudgedQuery> EXPECTED =
      List.of(
          JudgedQuery.of("red, shoe", "red, shoe", Map.of("a", 2, "b", 0)),
          JudgedQuery.of("hat", "hat", Map.of("a", 1)));

  @TempDir private Path folder;

  private Path file(String text) throws Exception {
    return Files.writeString(folder.resolve("judgments"), text);
  }

  /** LightGBM's default gains end at grade 30. */
  private static List<JudgedQuery> read(Path file, @Nullable Path queries) throws Failure {
    return JudgmentFile.read(file, queries, Judgments.Conflict.ERROR).queries();
  }

  @Test
  void gradesThatLightGbmTakes() throws Exception {
    String whole = "query,doc_id,grade\nhat,a,%d\nhat,b,1\n";
    assertEquals(
        Map.of("a", 30, "b", 1), read(file(whole.formatted(30)), null).getFirst().judgments());
    assertEquals(
        Map.of("a", 1, "b", 0), read(file(whole.formatted(31)), null).getFirst().judgments());
  }

  @Test
  void tablesHaveAHeaderOrThreeColumns() throws Exception {
    assertEquals(
        EXPECTED,
        read(file("query,doc_id,grade\n\"red, shoe\",a,2\n\"red, shoe\",b,0\nhat,a,1\n"), null));
    assertEquals(EXPECTED, read(file("red, shoe\ta\t2\nred, shoe\tb\t0\n\nhat\ta\t1.0\n"), null));
    List<JudgedQuery> named = read(file("rating\tdoc\tquery\tqid\n3\td\tblue hat\t7\n"), null);
    assertEquals(List.of(JudgedQuery.of("7", "blue hat", Map.of("d", 3))), named);
  }

  /** As a spreadsheet may write them. */
  @Test
  void blanksAroundCellsAreNoPartOfThem() throws Exception {
    assertEquals(
        EXPECTED,
        read(
            file("query , doc_id, grade\n\"red, shoe\", a, 2\n\"red, shoe\",b ,0\nhat, a, 1\n"),
            null));
  }

  /** A query would otherwise be searched, and learnt from, with other letters. */
  @Test
  void otherEncodingsAreRefused() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("latin"), "caf\u00e9\ta\t1\n", StandardCharsets.ISO_8859_1);
    Failure failure = assertThrows(Failure.class, () -> read(file, null));
    assertEquals(file + ": not UTF-8", failure.getMessage());
  }

  @Test
  void qrelsHaveTheirTextsElsewhere() throws Exception {
    Path queries = Files.writeString(folder.resolve("queries"), "1\tred shoe\n2\tnobody judged\n");
    assertEquals(
        List.of(JudgedQuery.of("1", "red shoe", Map.of("a", 2, "b", 0))),
        read(file("1 0 a 2\n1 0 b -2\n"), queries));
    refused("line 1: query 3 has no text", "3 0 a 1\n", queries);
  }

  /** Of the bundled plugin's users. */
  @Test
  void linesOfRankLib() throws Exception {
    List<JudgedQuery> expected =
        List.of(
            JudgedQuery.of("1", "red shoe", Map.of("a", 4, "b", 0)),
            JudgedQuery.of("2", "hat", Map.of("a", 1)),
            JudgedQuery.of("3", "3", Map.of("c", 2)));
    String grades =
        "4\tqid:1\t # a\tred shoe\n0 qid:1 1:0.5 2:7 # b\n1 qid:2 #a hat\n2 qid:3 # c\n";
    assertEquals(expected, read(file("# qid:1: red shoe*1\n# by hand\n\n" + grades), null));
    assertEquals(expected, read(file(grades), null));
    assertEquals(expected, read(file("\n# by hand\n\n" + grades), null));
    assertEquals(
        List.of(JudgedQuery.of("1", "rambo", Map.of("a", 4))),
        read(file("4 qid:1 # a\n# qid:1: rambo\n"), null));
    assertEquals(
        List.of(JudgedQuery.of("1", "red", Map.of("a", 4, "b", 1))),
        read(file("query_id,query,doc_id,grade\n1,red,a,4\n1,,b,1\n"), null));
    assertEquals(expected, read(file("# grade (0-4)\tqueryid\tdocId\ttitle\n" + grades), null));
    refused("line 2: expected GRADE qid:QUERY # DOCUMENT", "1 qid:2 # a\n1 qid:2 b\n", null);
    assertEquals("# tag", read(file("# tag\ta\t2\n"), null).getFirst().text());
  }

  /** Of a click model, say: rounding would leave good and bad. */
  @Test
  void gradesThatAreNotWholeKeepTheirOrder() throws Exception {
    assertEquals(
        List.of(
            JudgedQuery.of("q", "q", Map.of("a", 3, "b", 1, "c", 0)),
            JudgedQuery.of("r", "r", Map.of("a", 2))),
        read(file("q,a,0.9\nq,b,0.1\nq,c,0\nr,a,0.4\n"), null));
    assertEquals(List.of(JudgedQuery.of("q", "q", Map.of("a", 1))), read(file("q,a,0.5\n"), null));
    refused("line 1: grade [NaN] is not finite", "q,a,NaN\n", null);
  }

  @Test
  void failuresNameTheLine() throws Exception {
    refused("line 2: grade [good] is not a number", "query,doc,grade\nq,a,good\n", null);
    refused("line 2: the document's id is empty", "query,doc,grade\nq,,2\n", null);
    refused(
        "line 3: query [1] has the text [blue], and [red] above; give queries with different texts",
        "query_id,query,doc_id,grade\n1,red,a,1\n1,blue,b,0\n",
        null);
    refused("line 2: query [1] has the text [hat]", "# qid:1: shoe\n# qid:1: hat\n", null);
    refused("line 2: 2 cells, expected 3", "query,doc,grade\nq,a\n", null);
    refused("line 1: expected a header", "a,b\n", null);
    refused("line 1: the file is empty", "", null);
  }

  private void refused(String expected, String text, Path queries) throws Exception {
    Path file = file(text);
    Failure failure = assertThrows(Failure.class, () -> read(file, queries));
    assertTrue(failure.getMessage().contains(expected), failure.getMessage());
  }

  private Judgments with(Judgments.Conflict onConflict, String text) throws Exception {
    return JudgmentFile.read(file(text), null, onConflict);
  }

  /** One grade would win in silence. */
  @Test
  void conflictsNameTheirLines() throws Exception {
    String text = "q\ta\t2\nq\ta\t2\nq\tb\t1\nq\ta\t0\n";
    refused("line 4: document [a] of query [q] has grade 0, and 2 in line 2; give", text, null);
    Judgments last = with(Judgments.Conflict.LAST, text);
    assertEquals(Map.of("a", 0, "b", 1), last.queries().getFirst().judgments());
    assertEquals(1, last.repeated());
    assertEquals(1, last.conflicts());
    Judgments mean = with(Judgments.Conflict.MEAN, "q\ta\t3\nq\tb\t0\nq\ta\t1\nq\tc\t1\n");
    assertEquals(Map.of("a", 2, "b", 0, "c", 1), mean.queries().getFirst().judgments());
  }

  @Test
  void itIsSaidWhatBecameOfGrades() throws Exception {
    Judgments whole = with(Judgments.Conflict.ERROR, "q,a,2\nq,b,-1\n");
    assertEquals("grades 0, 2, not converted; 1 below 0 count as 0", whole.grades());
    assertNull(whole.loss());
    Judgments esci = with(Judgments.Conflict.ERROR, "q,a,100\nq,b,10\nq,c,1\nq,d,0\n");
    assertEquals("grades 0, 1, 10, 100 become 0, 1, 2, 3", esci.grades());
    assertEquals(
        "the order is kept, but the distances are not; to keep the distances too, add -P"
            + " label_gain=0,1,10,100 (LightGBM)",
        esci.loss());
    StringBuilder many = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      many.append("q,d").append(i).append(',').append(i / 40.0).append('\n');
    }
    Judgments scaled = with(Judgments.Conflict.ERROR, many.toString());
    assertEquals("40 different grades from 0 to 0.975 become 0 to 4", scaled.grades());
    assertEquals("they are scaled and rounded", scaled.loss());
  }

  @Test
  void columnsAreParametersOfTheirQuery() throws Exception {
    List<JudgedQuery> read =
        read(
            file(
                "query_id,query,doc_id,grade,params.Country,params.since\n1,hat,a,1,pt,1999\n"
                    + "2,hat,a,1,,0.5\n1,hat,b,0,pt,1999\n"),
            null);
    assertEquals(Map.of("Country", "pt", "since", 1999L), read.getFirst().params());
    assertEquals(Map.of("since", 0.5), read.getLast().params());
    refused(
        "line 3: query [hat] has the parameters {c=es}, and {c=pt} above",
        "query,doc_id,grade,params.c\nhat,a,1,pt\nhat,b,1,es\n",
        null);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.cli.input.Failure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
  @Test
  void gradesThatLightGbmTakes() throws Exception {
    String whole = "query,doc_id,grade\nhat,a,%d\nhat,b,1\n";
    assertEquals(
        Map.of("a", 30, "b", 1),
        JudgmentFile.read(file(whole.formatted(30)), null).getFirst().judgments());
    assertEquals(
        Map.of("a", 1, "b", 0),
        JudgmentFile.read(file(whole.formatted(31)), null).getFirst().judgments());
  }

  @Test
  void tablesHaveAHeaderOrThreeColumns() throws Exception {
    assertEquals(
        EXPECTED,
        JudgmentFile.read(
            file("query,doc_id,grade\n\"red, shoe\",a,2\n\"red, shoe\",b,0\nhat,a,1\n"), null));
    assertEquals(
        EXPECTED,
        JudgmentFile.read(file("red, shoe\ta\t2\nred, shoe\tb\t0\n\nhat\ta\t1.0\n"), null));
    List<JudgedQuery> named =
        JudgmentFile.read(file("rating\tdoc\tquery\tqid\n3\td\tblue hat\t7\n"), null);
    assertEquals(List.of(JudgedQuery.of("7", "blue hat", Map.of("d", 3))), named);
  }

  /** As a spreadsheet may write them. */
  @Test
  void blanksAroundCellsAreNoPartOfThem() throws Exception {
    assertEquals(
        EXPECTED,
        JudgmentFile.read(
            file("query , doc_id, grade\n\"red, shoe\", a, 2\n\"red, shoe\",b ,0\nhat, a, 1\n"),
            null));
  }

  /** A query would otherwise be searched, and learnt from, with other letters. */
  @Test
  void otherEncodingsAreRefused() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("latin"), "caf\u00e9\ta\t1\n", StandardCharsets.ISO_8859_1);
    Failure failure = assertThrows(Failure.class, () -> JudgmentFile.read(file, null));
    assertEquals(file + ": not UTF-8", failure.getMessage());
  }

  @Test
  void qrelsHaveTheirTextsElsewhere() throws Exception {
    Path queries = Files.writeString(folder.resolve("queries"), "1\tred shoe\n2\tnobody judged\n");
    assertEquals(
        List.of(JudgedQuery.of("1", "red shoe", Map.of("a", 2, "b", 0))),
        JudgmentFile.read(file("1 0 a 2\n1 0 b -2\n"), queries));
    refused("line 1: query 3 has no text", "3 0 a 1\n", queries);
  }

  /** Of a click model, say: rounding would leave good and bad. */
  @Test
  void gradesThatAreNotWholeKeepTheirOrder() throws Exception {
    assertEquals(
        List.of(
            JudgedQuery.of("q", "q", Map.of("a", 3, "b", 1, "c", 0)),
            JudgedQuery.of("r", "r", Map.of("a", 2))),
        JudgmentFile.read(file("q,a,0.9\nq,b,0.1\nq,c,0\nr,a,0.4\n"), null));
    assertEquals(
        List.of(JudgedQuery.of("q", "q", Map.of("a", 1))),
        JudgmentFile.read(file("q,a,0.5\n"), null));
    refused("line 1: grade [NaN] is not finite", "q,a,NaN\n", null);
  }

  @Test
  void failuresNameTheLine() throws Exception {
    refused("line 2: grade [good] is no number", "query,doc,grade\nq,a,good\n", null);
    refused("line 2: 2 cells, expected 3", "query,doc,grade\nq,a\n", null);
    refused("line 1: expected a header", "a,b\n", null);
    refused("line 1: the file is empty", "", null);
  }

  private void refused(String expected, String text, Path queries) throws Exception {
    Path file = file(text);
    Failure failure = assertThrows(Failure.class, () -> JudgmentFile.read(file, queries));
    assertTrue(failure.getMessage().contains(expected), failure.getMessage());
  }
}

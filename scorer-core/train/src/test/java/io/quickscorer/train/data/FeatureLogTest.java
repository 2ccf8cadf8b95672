// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quickscorer.cli.input.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FeatureLogTest {
  private static final String HEADER = "{\"feature_names\":[\"x\",\"y\"],\"logged\":{}}";
  private static final String ROW = "{\"qid\":\"q\",\"_id\":\"a\",\"features\":[1.5,null]}";

  @TempDir private Path temp;

  private Path file(String... lines) throws IOException {
    return Files.write(temp.resolve("features.ndjson"), List.of(lines));
  }

  private void refused(String message, String... lines) throws IOException {
    Path file = file(lines);
    Failure failure = assertThrows(Failure.class, () -> FeatureLog.read(file));
    assertEquals(Failure.DATA, failure.status());
    assertEquals(file + ": " + message, failure.getMessage().replaceFirst(" \\(code.*", ""));
  }

  @Test
  void anIncompleteLastLineIsSkipped() throws Exception {
    for (String last : List.of("", "{\"qid\":\"q2\",", "7")) {
      FeatureLog log = FeatureLog.read(file(HEADER, ROW, last));
      assertEquals(List.of("x", "y"), log.names());
      assertEquals(Set.of("q"), log.queries());
      FeatureLog.Line line = log.lines().getFirst();
      assertEquals(List.of(ROW, "a"), List.of(line.text(), line.id()));
      assertArrayEquals(new float[] {1.5f, Float.NaN}, line.values());
      assertEquals(1, log.lines().size());
    }
  }

  @Test
  void damagedLinesAreNamed() throws Exception {
    String header = "line 1: expected {\"feature_names\": [...]}";
    refused(header);
    refused(header, ROW);
    refused(header, "{\"feature_names\":5}", ROW);
    refused(header, "{\"feature_names\":[]}", ROW);
    String row = "line 3: expected {\"qid\": ..., \"_id\": ..., \"features\": [numbers or nulls]}";
    for (String damaged :
        List.of(
            "",
            "[]",
            "{\"_id\":\"a\",\"features\":[1,2]}",
            "{\"qid\":\"q\",\"_id\":[],\"features\":[1,2]}",
            "{\"qid\":\"q\",\"_id\":\"a\",\"features\":{}}",
            "{\"qid\":\"q\",\"_id\":\"a\",\"features\":[1,\"2\"]}")) {
      refused(row, HEADER, ROW, damaged, ROW);
    }
    String few = "{\"qid\":\"q\",\"_id\":\"a\",\"features\":[1]}";
    refused("line 3: features: found 1 values, expected 2", HEADER, ROW, few);
    refused("line 2: not JSON: Unexpected character ('x'", HEADER, "{x", ROW);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class WorkbenchJudgmentsTest {
  private static final JsonMapper JSON = new JsonMapper();

  private static String list(String... ratings) {
    StringBuilder of = new StringBuilder();
    for (int i = 0; i < ratings.length; i++) {
      of.append(of.isEmpty() ? "" : ",");
      of.append("{\"docId\": \"").append(i).append("\", \"rating\": ").append(ratings[i]);
      of.append('}');
    }
    return "{\"name\": \"n\", \"judgmentRatings\": [{\"query\": \"red dress\", \"ratings\": ["
        + of
        + "]}]}";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'0.000' '3.000' '1.000' | 0 3 1",
        "'100.000' '10.000' '1.000' '0.000' '10.000' | 3 2 1 0 2",
        "'0.028' '0.5' '0' | 1 2 0",
        "2 1 0 | 2 1 0"
      })
  void ratingsBecomeGrades(String ratings, String grades) throws Failure {
    String[] quoted = ratings.replace('\'', '"').split(" ");
    Map<String, Integer> judged = read(JSON.readTree(list(quoted))).getFirst().judgments();
    String[] expected = grades.split(" ");
    for (int i = 0; i < expected.length; i++) {
      assertEquals(Integer.valueOf(expected[i]), judged.get(Integer.toString(i)), judged::toString);
    }
  }

  private static List<JudgedQuery> read(JsonNode list) throws Failure {
    return WorkbenchJudgments.read(list, Judgments.Conflict.ERROR).queries();
  }

  @Test
  void manyRatingsBecomeFiveGrades() throws Failure {
    String[] ratings = new String[101];
    for (int i = 0; i <= 100; i++) {
      ratings[i] = Double.toString(i / 200.0);
    }
    Map<String, Integer> judged = read(JSON.readTree(list(ratings))).getFirst().judgments();
    assertEquals(0, judged.get("12"));
    assertEquals(1, judged.get("13"));
    assertEquals(4, judged.get("100"));
  }

  @Test
  void filesAndAnswersAreRead(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("list.json"), list("\"2.000\""));
    List<JudgedQuery> read = JudgmentFile.read(file, null, Judgments.Conflict.ERROR).queries();
    assertEquals("red dress", read.getFirst().text());
    String answer = "{\"hits\": {\"hits\": [{\"_source\": " + list("\"2.000\"") + "}]}}";
    assertEquals(read, read(JSON.readTree(answer)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"judgmentRatings\": [{}]}",
        "{\"judgmentRatings\": [{\"query\": \"q\", \"ratings\": [{\"docId\": \"1\"}]}]}",
        "{\"judgmentRatings\": [{\"query\": \"q\", \"ratings\": [{\"docId\": \"1\", \"rating\":"
            + " \"x\"}]}]}",
        "{\"judgmentRatings\": [{\"query\": \"q\", \"ratings\": [{\"docId\": \"1\", \"rating\":"
            + " -1}]}]}"
      })
  void whatIsNoListIsRefused(String json) {
    Failure failure = assertThrows(Failure.class, () -> read(JSON.readTree(json)));
    assertTrue(String.valueOf(failure.getMessage()).contains("expected"), failure::getMessage);
  }
}

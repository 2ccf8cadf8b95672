// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.plugin.rescore.clause.OutsideWindow;
import io.quickscorer.plugin.stats.Measure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.After;
import org.junit.Before;

/** Stages in one clause, held against the same passes made by hand, one search each. */
public class StagesTests extends RescoreTestCase {
  private static final int DOCUMENTS = 240;

  private static final String QUERY =
      "{\"bool\":{\"should\":[{\"match\":{\"body\":\"war ship sea\"}},{\"match_all\":{}}]}}";

  /** Shares features with the catalogue's set, and reads some that only others need. */
  private static final String READING =
      """
      {"features": [
        {"name": "title", "type": "query", "query": {"match": {"title": "{{q}}"}}},
        {"name": "phrase", "type": "query",
         "query": {"match_phrase": {"body": {"query": "{{q}}", "slop": 2}}}},
        {"name": "popularity", "type": "field", "field": "popularity", "missing": -1.5},
        {"name": "released", "type": "field", "field": "released"},
        {"name": "mixed", "type": "expression", "expression": "popularity * 2 + listed"},
        {"name": "listed", "type": "field", "field": "listed"}],
       "default_params": {"mobile": 0.5}}
      """;

  /** Defines a feature otherwise, so that it is extracted apart. */
  private static final String OTHER =
      """
      {"features": [
        {"name": "popularity", "type": "field", "field": "popularity", "missing": 2},
        {"name": "title", "type": "query", "query": {"match": {"title": "{{q}}"}}}],
       "default_params": {"mobile": 0.5}}
      """;

  @Before
  public void putModels() throws IOException {
    putModel("few", 1);
    putModel("many", 30);
    for (Map.Entry<String, String> set : Map.of("reading", READING, "other", OTHER).entrySet()) {
      InMemoryModels.MODELS.put(
          set.getKey(),
          TestCatalogue.over(TestCatalogue.featureSet(set.getValue()), set.getKey(), random));
    }
  }

  @After
  public void nothingIsHeld() throws Exception {
    assertNothingHeld();
  }

  /** A stage; {@code keep} is of no meaning in the last. */
  private record Stage(String model, int keep, String options) {
    String json(boolean last) {
      String kept = last ? "" : ",\"keep\":" + keep;
      return "{\"model\":\"" + model + "\"" + kept + options + "}";
    }
  }

  private Stage randomStage(String model, int keep) {
    String options =
        switch (random.nextInt(4)) {
          case 0 -> ",\"score_mode\":\"total\",\"first_pass_weight\":0.5";
          case 1 -> ",\"score_mode\":\"max\",\"model_weight\":-2";
          case 2 -> ",\"output\":\"transformed\",\"algorithm\":\"bwqs\"";
          default -> "";
        };
    return new Stage(model, keep, options);
  }

  private static String request(int from, int size, int window, String clause) {
    return "{\"from\":%s,\"size\":%s,\"query\":%s,\"rescore\":{\"window_size\":%s,\"quickscorer\":%s}}"
        .formatted(from, size, QUERY, window, clause);
  }

  private static String clause(List<Stage> stages, String more) {
    List<String> written = new ArrayList<>();
    for (int s = 0; s < stages.size(); s++) {
      written.add(stages.get(s).json(s == stages.size() - 1));
    }
    return "{\"stages\":["
        + String.join(",", written)
        + "],\"params\":{\"q\":\"war ship\",\"nowhere\":\"x\"}"
        + more
        + "}";
  }

  private static String alone(Stage stage) {
    return "{\"model\":\"%s\",\"params\":{\"q\":\"war ship\",\"nowhere\":\"x\"}%s}"
        .formatted(stage.model, stage.options);
  }

  /** A hit where it must stand. */
  private record Place(String id, float score, int shard, int position) {}

  /** The ranking of all shards, made by one search per shard and stage. */
  private List<Place> byHand(String index, int shards, int window, List<Stage> stages, boolean drop)
      throws IOException {
    List<Place> places = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      String path = "/" + index + "/_search?preference=_shards:" + shard;
      Map<String, Integer> order = new HashMap<>();
      for (Hit hit : search(path, "{\"size\":1000,\"sort\":[{\"_doc\":\"asc\"}]}")) {
        order.put(hit.id(), order.size());
      }
      List<Hit> first = search(path, "{\"size\":1000,\"query\":" + QUERY + "}");
      List<String> reached = new ArrayList<>();
      first.subList(0, Math.min(window, first.size())).forEach(hit -> reached.add(hit.id()));
      List<List<Place>> below = new ArrayList<>();
      below.add(
          places(
              shard,
              first.subList(reached.size(), first.size()),
              stages.size() - 1,
              stages.size()));
      for (int s = 0; s < stages.size(); s++) {
        Map<String, Hit> scored = new HashMap<>();
        search(path, request(0, 1000, 1000, alone(stages.get(s))))
            .forEach(hit -> scored.put(hit.id(), hit));
        reached.sort(
            Comparator.comparing((String id) -> -scored.get(id).floatScore())
                .thenComparing(order::get));
        List<Hit> ranked = new ArrayList<>();
        reached.forEach(id -> ranked.add(scored.get(id)));
        int keep =
            s == stages.size() - 1 ? ranked.size() : Math.min(stages.get(s).keep, ranked.size());
        below.add(
            places(
                shard, ranked.subList(keep, ranked.size()), stages.size() - 2 - s, stages.size()));
        reached.subList(keep, reached.size()).clear();
        if (s == stages.size() - 1) {
          for (int i = 0; i < ranked.size(); i++) {
            places.add(new Place(ranked.get(i).id(), ranked.get(i).floatScore(), shard, i));
          }
        }
      }
      if (!drop) {
        below.forEach(places::addAll);
      }
    }
    places.sort(
        Comparator.comparing((Place place) -> -place.score)
            .thenComparing(Place::shard)
            .thenComparing(Place::position));
    return places;
  }

  private static List<Place> places(int shard, List<Hit> hits, int kind, int kinds) {
    List<Place> places = new ArrayList<>();
    for (int i = 0; i < hits.size(); i++) {
      float score = OutsideWindow.KEEP_BELOW.score(hits.get(i).floatScore(), kind, kinds);
      // All kinds of one shard have codes of their own, so that positions within one are enough.
      places.add(new Place(hits.get(i).id(), score, shard, i));
    }
    return places;
  }

  private static List<String> shown(List<Hit> hits) {
    return hits.stream().map(hit -> hit.id() + "=" + hit.floatScore()).toList();
  }

  public void testStagesAreTheirPassesOneAfterTheOther() throws IOException {
    for (int shards : List.of(1, 3)) {
      String index = "stages" + shards;
      createCatalogue(index, shards, DOCUMENTS);
      List<String> names = List.of("few", "many", "reading", "other");
      for (int round = 0; round < 12; round++) {
        int window = random.nextInt(5, 120);
        int keep = random.nextInt(2, window);
        int start = random.nextInt(4);
        List<Stage> stages = new ArrayList<>();
        stages.add(randomStage(names.get(start), keep));
        if (random.nextBoolean()) {
          stages.add(randomStage(names.get((start + 1) % 4), random.nextInt(1, keep)));
        }
        stages.add(randomStage(names.get((start + 2) % 4), 0));
        boolean drop = random.nextInt(4) == 0;
        boolean log = random.nextBoolean();
        String more =
            (drop ? ",\"outside_window\":\"drop\"" : "")
                + (log ? ",\"log\":true" : "")
                + (random.nextBoolean()
                    ? ",\"shadow_models\":[\"" + names.get((start + 3) % 4) + "\"]"
                    : "");
        List<String> expected = new ArrayList<>();
        byHand(index, shards, window, stages, drop)
            .forEach(place -> expected.add(place.id + "=" + place.score));
        String clause = clause(stages, more);
        String path = "/" + index + "/_search";
        List<Hit> hits = search(path, request(0, 1000, window, clause));
        assertEquals(clause, expected, shown(hits));
        // A page is a part of it.
        int from = random.nextInt(hits.size());
        assertEquals(
            clause,
            expected.subList(from, Math.min(expected.size(), from + 7)),
            shown(search(path, request(from, 7, window, clause))));
        if (log) {
          checkRows(path, stages, hits);
        }
      }
    }
  }

  /** The hits of the last stage, and no others, show the values that its model scored. */
  private void checkRows(String path, List<Stage> stages, List<Hit> hits) throws IOException {
    String alone = alone(stages.getLast());
    String logged = alone.substring(0, alone.length() - 1) + ",\"log\":true}";
    Map<String, float[]> rows = new HashMap<>();
    search(path, request(0, 1000, 1000, logged)).forEach(hit -> rows.put(hit.id(), hit.row()));
    for (Hit hit : hits) {
      boolean ranked = hit.floatScore() >= OutsideWindow.LOWEST_RESCORED;
      assertEquals(ranked, !hit.logged().isEmpty());
      if (ranked) {
        assertArrayEquals(rows.get(hit.id()), hit.row(), 0);
      }
    }
  }

  public void testExplanationsSayWhichStageAHitHasReached() throws IOException {
    for (int shards : List.of(1, 3)) {
      String index = "explained" + shards;
      createCatalogue(index, shards, DOCUMENTS);
      List<Stage> two = List.of(new Stage("other", 9, ""), new Stage("reading", 0, ""));
      List<Stage> three =
          List.of(new Stage("other", 9, ""), new Stage("many", 4, ""), new Stage("reading", 0, ""));
      for (List<Stage> stages : List.of(two, three)) {
        String request = request(0, 1000, 14, clause(stages, ""));
        List<Hit> hits =
            search("/" + index + "/_search", request.replaceFirst("\\{", "{\"explain\":true,"));
        assertEquals(shown(search("/" + index + "/_search", request)), shown(hits));
        int[] reached = new int[4];
        for (Hit hit : hits) {
          Map<?, ?> explained = (Map<?, ?>) hit.explanation();
          String says = (String) explained.get("description");
          int stage =
              says.startsWith("outside the window of [reading]")
                  ? 0
                  : says.matches("not among the \\[\\d] best of stage [12] of [23]: .*")
                      ? Integer.parseInt(says.replaceAll(".*stage (.) of.*", "$1"))
                      : stages.size();
          reached[stage]++;
          if (stage > 0) {
            assertEquals(says, hit.floatScore(), ((Number) explained.get("value")).floatValue(), 0);
            String model = stages.get(stage - 1).model;
            assertTrue(explained.toString(), explained.toString().contains("[" + model + "@"));
          }
        }
        int last = stages.size() == 2 ? 9 : 4;
        assertEquals(shards * 5, reached[1]);
        assertEquals(shards * (stages.size() == 2 ? 9 : 5), reached[2]);
        assertEquals(stages.size() == 2 ? 0 : shards * last, reached[3]);
        assertEquals(hits.size() - shards * 14, reached[0]);
      }
    }
  }

  public void testProfileAndStatisticsTellTheStagesApart() throws IOException {
    createCatalogue("profiled", 1, DOCUMENTS);
    CompiledModel few = InMemoryModels.MODELS.get("few");
    CompiledModel reading = InMemoryModels.MODELS.get("reading");
    List<Stage> stages = List.of(new Stage("few", 9, ""), new Stage("reading", 0, ""));
    String request = request(0, 5, 40, clause(stages, ""));
    Map<String, Object> response =
        call("POST", "/profiled/_search", request.replaceFirst("\\{", "{\"profile\":true,"));
    Map<?, ?> shard =
        (Map<?, ?>) ((List<?>) ((Map<?, ?>) response.get("profile")).get("shards")).getFirst();
    Map<?, ?> search = (Map<?, ?>) ((List<?>) shard.get("searches")).getFirst();
    Map<?, ?> entry = (Map<?, ?>) ((List<?>) search.get("query")).getLast();
    assertEquals("QuickScorerRescore", entry.get("type"));
    assertEquals(Map.of("documents", 40), entry.get("debug"));
    long sum = 0;
    List<List<String>> features = new ArrayList<>();
    List<?> children = (List<?>) entry.get("children");
    assertEquals(2, children.size());
    for (int s = 0; s < 2; s++) {
      Map<?, ?> stage = (Map<?, ?>) children.get(s);
      assertEquals("QuickScorerStage", stage.get("type"));
      String says = (String) stage.get("description");
      assertTrue(says, says.startsWith("stage " + (s + 1) + " of 2: " + stages.get(s).model + "@"));
      assertEquals(Map.of("documents", s == 0 ? 40 : 9), stage.get("debug"));
      sum += ((Number) ((Map<?, ?>) stage.get("breakdown")).get("extract")).longValue();
      List<String> names = new ArrayList<>();
      if (stage.get("children") instanceof List<?> list) {
        list.forEach(child -> names.add((String) ((Map<?, ?>) child).get("description")));
      }
      features.add(names);
    }
    assertEquals(sum, ((Number) ((Map<?, ?>) entry.get("breakdown")).get("extract")).longValue());
    assertTrue(features.toString(), features.get(1).contains("released"));
    assertFalse(features.toString(), features.get(0).contains("released"));
    features.get(0).forEach(name -> assertFalse(name, features.get(1).contains(name)));
    long wide = 0;
    long narrow = 0;
    for (TestRescorePlugin plugin : plugins()) {
      wide += plugin.stats.counts().of(few.id()).counts().of(Measure.Model.DOCUMENTS);
      narrow += plugin.stats.counts().of(reading.id()).counts().of(Measure.Model.DOCUMENTS);
    }
    assertEquals(40, wide);
    assertEquals(9, narrow);
    Map<?, ?> ext =
        (Map<?, ?>) ((List<?>) ((Map<?, ?>) response.get("ext")).get("quickscorer")).getFirst();
    assertEquals(
        List.of(Map.of("name", "few", "version", few.id().version(), "keep", 9)),
        ext.get("stages"));
    assertEquals(
        List.of(Map.of("name", "reading", "version", reading.id().version())), ext.get("models"));
  }

  public void testBudgetFallsBackToTheFirstPassFromAnyStage() throws IOException {
    createCatalogue("budget", 2, DOCUMENTS);
    List<Stage> stages = List.of(new Stage("few", 9, ""), new Stage("many", 0, ""));
    String path = "/budget/_search";
    List<Hit> first = search(path, "{\"size\":20,\"query\":" + QUERY + "}");
    assertEquals(
        shown(first), shown(search(path, request(0, 20, 40, clause(stages, ",\"budget_ms\":0")))));
  }

  public void testPipelinesPutStagesIn() throws IOException {
    createCatalogue("piped", 2, DOCUMENTS);
    List<Stage> stages = List.of(new Stage("few", 9, ""), new Stage("many", 0, ""));
    String fields = clause(stages, "").replaceFirst("\\{", "{\"window_size\":30,");
    String processor = "\"_processors\":[{\"quickscorer\":" + fields + "}]}";
    call("PUT", "/_search/pipeline/stages", "{" + processor.replace("_pro", "request_pro"));
    assertEquals(
        shown(search("/piped/_search", request(0, 50, 30, clause(stages, "")))),
        shown(
            search(
                "/piped/_search?search_pipeline=stages", "{\"size\":50,\"query\":" + QUERY + "}")));
    for (Map.Entry<String, String> wrong :
        Map.of(
                "{" + processor.replace("_pro", "request_pro").replace("30", "9"),
                "stage 1: [keep] 9 must be less than [window_size] 9",
                "{" + processor.replace("_pro", "response_pro"),
                "[stages] cannot be used with")
            .entrySet()) {
      Exception refused =
          expectThrows(
              Exception.class, () -> call("PUT", "/_search/pipeline/wrong", wrong.getKey()));
      assertTrue(refused.getMessage(), refused.getMessage().contains(wrong.getValue()));
      assertTrue(refused.getMessage(), refused.getMessage().contains("400 Bad Request"));
    }
  }

  public void testWhatIsWrongNamesItsStage() throws IOException {
    createCatalogue("wrong", 1, 40);
    String two = "{\"stages\":[{\"model\":\"few\",\"keep\":%s},{\"model\":\"%s\"}]}";
    Map<String, String> wrong =
        Map.of(
            two.formatted(100, "many"), "stage 1: [keep] 100 must be less than [window_size] 100",
            two.formatted(5, "few"), "name model [few] twice");
    for (Map.Entry<String, String> each : wrong.entrySet()) {
      Map.Entry<Integer, String> refused =
          failure("/wrong/_search", "{\"rescore\":{\"quickscorer\":" + each.getKey() + "}}");
      assertEquals(refused.getValue(), 400, (int) refused.getKey());
      assertTrue(refused.getValue(), refused.getValue().contains(each.getValue()));
    }
    Map.Entry<Integer, String> missing =
        failure(
            "/wrong/_search", "{\"rescore\":{\"quickscorer\":" + two.formatted(5, "none") + "}}");
    assertEquals(404, (int) missing.getKey());
  }
}

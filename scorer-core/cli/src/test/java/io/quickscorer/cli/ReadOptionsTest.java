// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.fixtures.Fixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a user says besides the model's file: texts of categories, one output, one model. */
final class ReadOptionsTest {
  @TempDir private Path folder;

  private Run run(String... arguments) throws Exception {
    return Run.here(arguments);
  }

  private String write(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content).toString();
  }

  private String write(String name, byte[] content) throws IOException {
    return Files.write(folder.resolve(name), content).toString();
  }

  private static String lines(double[] scores, boolean floats) {
    return Arrays.stream(scores)
        .mapToObj(score -> floats ? Float.toString((float) score) : Double.toString(score))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /**
   * Of the columns that are texts, each field is the text at its place; beyond the list another.
   */
  private static String table(int features, float[] values, List<String> texts, Set<Integer> of) {
    StringBuilder table = new StringBuilder();
    for (int f = 0; f < features; f++) {
      table.append(f == 0 ? "a" : "\ta").append(f);
    }
    for (int i = 0; i < values.length; i++) {
      float value = values[i];
      table.append(i % features == 0 ? '\n' : '\t');
      if (of.contains(i % features)) {
        boolean known = value >= 0 && value < texts.size();
        table.append(known ? texts.get((int) value) : "never seen");
      } else {
        table.append(Float.isNaN(value) ? "" : Float.toString(value));
      }
    }
    return table.append('\n').toString();
  }

  private static void assertRefused(int status, String said, Run run) {
    assertEquals(status, run.status(), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
    assertTrue(run.err().contains(said), run.err());
  }

  @Test
  void categories() throws Exception {
    List<String> texts = List.copyOf(Fixture.categoryTexts().keySet());
    String list =
        texts.stream().map(text -> "\"" + text + "\"").collect(Collectors.joining(",", "[", "]"));
    String file = write("lists.json", "{\"1\":" + list + ",\"category\":" + list + "}");
    for (Fixture fixture : Fixture.ofTexts()) {
      Fixture.Cases cases = fixture.cases();
      String model = write("model.cbm", fixture.model("cbm"));
      Run inspect = run("inspect", model, "--categories", file);
      assertEquals(0, inspect.status(), inspect.err());
      Set<Integer> columns = Set.of(1, cases.features() - 1);
      String rows = write("rows.tsv", table(cases.features(), cases.values(), texts, columns));
      Run run = run("score", model, rows, "--categories", file);
      assertEquals(0, run.status(), run.err());
      assertEquals(lines(cases.raw(), false), run.out());
      assertRefused(
          3,
          "categories: the model has no categorical feature [name 3]",
          run("score", model, rows, "--categories", write("other", "{\"name 3\":[\"a\"]}")));
    }
    String model = write("model.cbm", Fixture.ofTexts().getLast().model("cbm"));
    assertRefused(
        3, "or give the texts of the categories by the option categories", run("inspect", model));
    for (String wrong : List.of("[]", "{\"1\":1}", "{\"1\":[\"a\",\"a\"]}", "{\"1\":[", "{}}")) {
      assertRefused(
          2,
          "expected a JSON object with a list of distinct strings",
          run("inspect", model, "--categories", write("wrong.json", wrong)));
    }
    assertRefused(2, "no such file", run("inspect", model, "--categories", "nowhere"));
    String other = write("model.txt", Fixture.all().getFirst().model("txt"));
    assertRefused(
        3, "only supported for CatBoost models", run("inspect", other, "--categories", file));
  }

  /** A table of values scores as the trainers score the data frame. */
  @Test
  void valuesOfCategories() throws Exception {
    for (Fixture fixture : Fixture.ofCategories()) {
      boolean xgboost = fixture.trainer().startsWith("xgboost");
      String expected = lines(fixture.cases().raw(), xgboost);
      String rows = write("values.tsv", String.join("\n", fixture.values()) + "\n");
      for (String encoding : fixture.encodings()) {
        String model = write("model." + encoding, fixture.model(encoding));
        Run run = run("score", model, rows, "--categories-as", "values");
        assertEquals(0, run.status(), run.err());
        assertEquals(expected, run.out());
        String codes = write("codes.tsv", table(3, fixture.cases().values(), List.of(), Set.of()));
        assertEquals(expected, run("score", model, codes).out());
        assertRefused(4, "expected a number", run("score", model, rows));
        String wrong = write("wrong", lines(fixture.cases().raw(), xgboost).replace("1", "2"));
        Run verify = run("verify", model, rows, wrong, "--categories-as", "values");
        assertEquals(1, verify.status(), verify.err());
        assertTrue(verify.out().contains("category lists of [colour, size]"), verify.out());
        String inspected = run("inspect", model).out();
        assertTrue(inspected.contains("size=[40, 10, 20, 30, 50, 80, 1700000001]"), inspected);
        String other = write("other.tsv", "price\tcolour\tsize\n1\tpink\t11\n");
        Run unseen = run("score", model, other, "--categories-as", "values");
        if (xgboost) {
          assertRefused(4, "line 2: feature colour: the value is not in", unseen);
        } else {
          String missing = write("missing.tsv", "price\tcolour\tsize\n1\t\t\n");
          assertEquals(run("score", model, missing).out(), unseen.out());
        }
      }
      assertRefused(
          2,
          "expected a table with a header",
          run(
              "score",
              write("model", fixture.model(fixture.encodings().getFirst())),
              write("rows.svm", "0 1:1 2:2 3:3\n"),
              "--categories-as",
              "values"));
    }
    String other = write("model.txt", Fixture.all().getFirst().model("txt"));
    assertRefused(
        2,
        "the model has no category lists",
        run("score", other, write("rows.tsv", "a\n1\n"), "--categories-as", "values"));
  }

  @Test
  void outputIndex() throws Exception {
    for (Fixture fixture : Fixture.ofSeveralOutputs()) {
      if (!Set.of("outputs", "outputs_softprob").contains(fixture.name())) {
        continue;
      }
      Fixture.Outputs outputs = fixture.outputs();
      String model = write("model", fixture.model(fixture.encodings().getFirst()));
      String rows =
          write("rows.tsv", table(outputs.features(), outputs.values(), List.of(), Set.of()));
      int last = outputs.raw().length - 1;
      Run run = run("score", model, rows, "--output-index", String.valueOf(last));
      assertEquals(0, run.status(), fixture + ": " + run.err());
      boolean floats = fixture.trainer().startsWith("xgboost");
      assertEquals(lines(outputs.raw()[last], floats), run.out(), fixture.toString());
      assertRefused(3, "several outputs", run("score", model, rows));
      assertRefused(
          3, "expected 0.." + last, run("score", model, rows, "--output-index", "" + (last + 1)));
      assertRefused(3, "expected 0.." + last, run("score", model, rows, "--output-index", "-1"));
    }
  }

  @Test
  void modelName() throws Exception {
    List<Fixture> models =
        Fixture.all().stream()
            .filter(f -> Set.of("trees_depth_4", "linear_plain").contains(f.name()))
            .toList();
    assertEquals(2, models.size());
    String store =
        Stream.of(models.getFirst(), models.getLast())
            .map(model -> new String(model.model("json"), StandardCharsets.UTF_8))
            .collect(Collectors.joining(",", "{\"managedList\":[", "]}"));
    String file = write("_schema_model-store.json", store);
    for (Fixture model : models) {
      Fixture.Cases cases = model.cases();
      String rows = write("rows.tsv", table(cases.features(), cases.values(), List.of(), Set.of()));
      Run run = run("score", file, rows, "--model-name", model.name());
      assertEquals(0, run.status(), run.err());
      assertEquals(lines(cases.raw(), true), run.out());
    }
    assertRefused(3, "the store has 2 models; choose one of [", run("inspect", file));
    assertRefused(
        3, "not exactly one model has this name", run("inspect", file, "--model-name", "x"));
    String one = write("one.json", models.getFirst().model("json"));
    assertRefused(3, "contains a single model", run("inspect", one, "--model-name", "x"));
  }
}

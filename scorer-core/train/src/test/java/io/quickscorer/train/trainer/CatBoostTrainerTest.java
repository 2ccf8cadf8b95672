// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.trainer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.train.data.FeatureRows;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How CatBoost's program is called, and how it may fail. A script stands in for the process: it
 * keeps its arguments and the files that these name, writes files that are given, and trains
 * nothing. CatBoost itself trains in TrainCategoriesIT.
 */
final class CatBoostTrainerTest {
  private static final List<String> NAMES = List.of("worth", "colour");
  private static final FeatureRows ROWS =
      new FeatureRows(
          List.of(
              new float[] {0.1f, 3},
              new float[] {Float.NaN, 0},
              new float[] {-2, 1},
              new float[] {1e20f, 2}),
          List.of(1, 0, 2, 0),
          List.of(2, 2));
  private static final FeatureRows VALIDATION =
      new FeatureRows(List.of(new float[] {1, 2}, new float[] {2, 1}), List.of(0, 1), List.of(2));
  private static final String CURVE =
      """
      {"meta": {"test_metrics": [{"best_value": "Max", "name": "NDCG:top=10;type=Exp"}]},
       "iterations": [{"test": [0.5, 9], "iteration": 0}, {"test": [0.75, 9], "iteration": 1}]}
      """;

  @TempDir private Path temp;
  private Path program;

  @BeforeEach
  void makeProgram() throws IOException {
    Files.writeString(temp.resolve("curve"), CURVE);
    Files.writeString(temp.resolve("scores"), "SampleId\tRawFormulaVal\n0\t0.5\n1\t-1e-3\n");
    Files.write(temp.resolve("model"), new byte[] {'C', 'B', 'M', '1', -1, 0});
    program = temp.resolve("catboost");
    script("");
  }

  private void script(String end) throws IOException {
    Files.writeString(
        program,
        """
        #!/bin/sh
        cd %s
        mode=$1
        printf '%%s\\n' "$@" >"$mode.arguments"
        for option; do
          value=${option#*=}
          case $option in
            --learn-set=* | --test-set=* | --column-description=* | --input-path=*) cp "$value" . ;;
            --train-dir=*) mkdir "$value"; cp curve "$value/catboost_training.json" ;;
            --model-file=*) cp model "$value" ;;
            --output-path=*) cp scores "$value" ;;
          esac
        done
        echo "0:	learn: 0.5	test: 0.5	best: 0.5 (0)	total: 1ms	remaining: 1ms"
        echo "1:	learn: 0.7	test: 0.75	best: 0.75 (1)	total: 2ms	remaining: 0us"
        %s
        """
            .formatted(temp, end));
    assertTrue(program.toFile().setExecutable(true));
  }

  private TrainedModel train(FeatureRows validation, Map<String, String> parameters) {
    return new CatBoostTrainer(program.toString())
        .train(
            ROWS, validation, NAMES, new TrainingOptions(7, 3, parameters, List.of("colour")), 2);
  }

  private String refused(Map<String, String> parameters) {
    return assertThrows(IllegalStateException.class, () -> train(VALIDATION, parameters))
        .getMessage();
  }

  /** Without the temporary folders, whose names differ. */
  private List<String> arguments(String mode) throws IOException {
    return Files.readAllLines(temp.resolve(mode + ".arguments")).stream()
        .map(line -> line.replaceFirst("=/.*/", "="))
        .toList();
  }

  @Test
  void fitAndCalcAreToldByTheProgramsNames() throws IOException {
    TrainedModel model =
        train(VALIDATION, Map.of("learning_rate", "0.3", "store-all-simple-ctr", ""));
    List<String> fit = arguments("fit");
    assertEquals(
        List.of(
            "fit",
            "--learn-set=learn.tsv",
            "--test-set=test.tsv",
            "--column-description=columns.cd",
            "--train-dir=info",
            "--model-file=model.cbm",
            "--loss-function=YetiRank",
            "--iterations=7",
            "--random-seed=1",
            "--eval-metric=NDCG:top=10;type=Exp",
            "--use-best-model",
            "--od-type=Iter",
            "--od-wait=3"),
        fit.subList(0, 13));
    assertEquals(
        List.of("--learning-rate=0.3", "--store-all-simple-ctr"),
        fit.subList(13, fit.size()).stream().sorted().toList());
    assertEquals(
        List.of(
            "calc",
            "--model-path=model.cbm",
            "--input-path=sample.tsv",
            "--column-description=columns.cd",
            "--output-path=scores.tsv",
            "--prediction-type=RawFormulaVal"),
        arguments("calc"));
    assertEquals(
        "0\tLabel\n1\tGroupId\n2\tNum\tworth\n3\tCateg\tcolour\n",
        Files.readString(temp.resolve("columns.cd")));
    assertEquals(
        "1\t0\t0.10000000149011612\t3\n0\t0\t\t0\n2\t1\t-2\t1\n0\t1\t1.0000000200408773E20\t2\n",
        Files.readString(temp.resolve("learn.tsv")));
    assertEquals("0\t0\t1\t2\n1\t0\t2\t1\n", Files.readString(temp.resolve("test.tsv")));
    assertEquals(2, Files.readAllLines(temp.resolve("sample.tsv")).size());
    assertArrayEquals(Files.readAllBytes(temp.resolve("model")), model.file());
    assertArrayEquals(new double[] {0.5, -1e-3}, model.expected());
    assertEquals(
        new LearningCurve("NDCG:top=10;type=Exp", true, List.of(0.5, 0.75)), model.curve());
    String kept = Files.readAllLines(temp.resolve("fit.arguments")).get(1);
    assertFalse(Files.exists(Path.of(kept.substring(kept.indexOf('/'))).getParent()), kept);
  }

  @Test
  void withoutValidationAllTreesAreGrown() throws IOException {
    TrainedModel model =
        new CatBoostTrainer(program.toString())
            .train(ROWS, null, NAMES, new TrainingOptions(7, 3, Map.of()), 2);
    assertEquals(LearningCurve.NONE, model.curve());
    assertFalse(arguments("fit").toString().matches(".*(--test-set|--od-|--use-best).*"));
  }

  /** A text of ten digits is within the tolerance, and one of nine may not be. */
  @Test
  void theToleranceIsThatOfTenDigits() {
    long tolerance = train(VALIDATION, Map.of()).toleranceUlp();
    double score = Math.nextUp(1000.0) + 4.9e-7;
    assertTrue((score - 1000) / Math.ulp(1000.0) <= tolerance);
    assertTrue(4.9e-6 / Math.ulp(1000.0) > tolerance);
  }

  @ParameterizedTest
  @CsvSource({
    "iterations, use --trees",
    "od_wait, use --patience",
    "label_gain, CatBoost has no such parameter",
    "model-file, use --output"
  })
  void someParametersAreTaken(String name, String expected) {
    assertEquals("-P " + name + ": has no effect here, " + expected, refused(Map.of(name, "7")));
  }

  @Test
  void aMissingProgramIsNamedWithWhereItComesFrom() {
    program = temp.resolve("absent");
    CatBoostTrainer trainer = new CatBoostTrainer(program.toString());
    String early =
        String.valueOf(
            assertThrows(IllegalStateException.class, () -> trainer.check(List.of())).getMessage());
    assertTrue(early.startsWith("--catboost " + program + ": the program cannot"), early);
    String said = refused(Map.of());
    assertTrue(said.startsWith("--catboost " + program + ": the program cannot be started"), said);
    assertTrue(said.contains("releases on GitHub"), said);
  }

  @Test
  void aFailureIsToldWithItsLastLines() throws IOException {
    script("echo 'unknown option depht'; exit 3");
    String said = refused(Map.of("depht", "3"));
    assertTrue(said.startsWith(program + " fit failed with exit code 3:\n"), said);
    assertTrue(said.endsWith("\nunknown option depht"), said);
  }

  @Test
  void anEndBySignalIsCalledSo() throws IOException {
    script("kill -TERM $$");
    String said = refused(Map.of());
    assertTrue(said.startsWith(program + " fit was ended by signal 15"), said);
  }

  @ParameterizedTest
  @CsvSource({"model.cbm", "info/catboost_training.json"})
  void aMissingFileIsNamed(String file) throws IOException {
    script("rm -f \"$(dirname \"$(sed -n 's/--train-dir=//p' fit.arguments)\")/" + file + "\"");
    String said = refused(Map.of());
    assertTrue(said.endsWith("did not write " + Path.of(file).getFileName()), said);
  }

  @ParameterizedTest
  @CsvSource({"curve, {, catboost_training.json", "scores, 0.5, scores.tsv"})
  void anUnreadableFileIsNamed(String file, String text, String name) throws IOException {
    Files.writeString(temp.resolve(file), text, StandardCharsets.UTF_8);
    String said = refused(Map.of());
    assertTrue(said.contains("cannot read the program's file " + name + ": "), said);
  }

  @Test
  void aScoreThatIsNoNumberIsShown() throws IOException {
    Files.writeString(temp.resolve("scores"), "SampleId\tRawFormulaVal\n0\t0.5\n1\tx\n");
    assertTrue(refused(Map.of()).endsWith("no score in line [1\tx]"));
  }

  @Test
  void aMissingCategoryIsRefused() {
    FeatureRows rows =
        new FeatureRows(
            List.of(new float[] {1, Float.NaN}, new float[] {1, 1}), List.of(0, 1), List.of(2));
    String said =
        assertThrows(IllegalStateException.class, () -> train(rows, Map.of())).getMessage();
    assertTrue(said.contains("no value for the categorical feature [colour]"), said);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.cli.VerifyCommand;
import io.quickscorer.ensemble.CategoryList;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.reader.ModelReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Scores that agree because a bound lets any agree, or because of few rows, acquit no model. */
final class AcquittalTest {
  private static final int ROWS = 40;
  private static final String DUMP =
      "[{\"nodeid\":0,\"split\":\"f0\",\"split_condition\":0.5,\"yes\":1,\"no\":2,\"missing\":1,"
          + "\"children\":[{\"nodeid\":1,\"leaf\":1.53125},{\"nodeid\":2,\"leaf\":-0.25}]}]";

  @TempDir private Path folder;

  private void write(String name, String content) throws IOException {
    Files.writeString(folder.resolve(name), content);
  }

  private void assertVerdict(int status, String text) {
    StringWriter out = new StringWriter();
    CommandLine program =
        new CommandLine(new VerifyCommand())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(new StringWriter()));
    assertEquals(status, program.execute(folder.toString()), out.toString());
    assertTrue(out.toString().contains(text), out.toString());
  }

  private void writeRows(Random random, double share, double constant, double spread)
      throws IOException {
    StringBuilder rows = new StringBuilder();
    StringBuilder scores = new StringBuilder();
    for (int row = 0; row < ROWS; row++) {
      rows.append(row < share * ROWS ? random.nextFloat() : 0.5f).append('\n');
      scores.append(constant + random.nextDouble() * spread).append('\n');
    }
    write("a.data.tsv", rows.toString());
    write("a.raw.tsv", scores.toString());
  }

  /** Floats near a billion are 64 apart, which is more than the scores are. */
  @Test
  void aBoundBeyondTheScoresSpreadTellsNothing() throws IOException {
    write("a.json", DUMP);
    writeRows(new Random(3), 1, 1e9, 50);
    assertVerdict(4, "too few scores differ for a verdict");
    writeRows(new Random(3), 1, 0, 50);
    assertVerdict(1, "differs");
  }

  /** A dump of few digits does not tell rows at a threshold from each other. */
  @Test
  void rowsThatAreLeftOutAreNoEvidence() throws IOException {
    write("a.json", DUMP);
    writeRows(new Random(3), 0.02, 7, 50);
    assertVerdict(4, "too few scores differ for a verdict");
  }

  /** The sums of this model begin at a billion. */
  @Test
  void scoresNearerThanRoundingAreNotCompared() throws IOException {
    write(
        "a.json",
        """
        {"learner":{"attributes":{},"feature_names":[],"feature_types":[],"gradient_booster":{
         "model":{"gbtree_model_param":{"num_parallel_tree":"1","num_trees":"1"},"tree_info":[0],
         "trees":[{"base_weights":[0,0,0],"categories":[],"categories_nodes":[],
          "categories_segments":[],"categories_sizes":[],"default_left":[1,0,0],"id":0,
          "left_children":[1,-1,-1],"loss_changes":[1,0,0],"parents":[2147483647,0,0],
          "right_children":[2,-1,-1],"split_conditions":[0.5,-1e9,-1e9],"split_indices":[0,0,0],
          "split_type":[0,0,0],"sum_hessian":[1,1,1],"tree_param":{"num_deleted":"0",
          "num_feature":"1","num_nodes":"3","size_leaf_vector":"1"}}]},"name":"gbtree"},
         "learner_model_param":{"base_score":"1E9","num_class":"0","num_feature":"1",
          "num_target":"1"},"objective":{"name":"reg:squarederror",
          "reg_loss_param":{"scale_pos_weight":"1"}}},"version":[2,1,0]}
        """);
    StringBuilder rows = new StringBuilder();
    StringBuilder scores = new StringBuilder();
    Random random = new Random(5);
    for (int row = 0; row < ROWS; row++) {
      rows.append(random.nextFloat()).append('\n');
      scores.append(random.nextInt(1000, 9999) / 1000.0).append('\n');
    }
    write("a.data.tsv", rows.toString());
    write("a.raw.tsv", scores.toString());
    assertVerdict(
        4, "a.raw.tsv: the scores are almost equal, so the scores of other rows would agree too");
  }

  /** A table of the same rows with holes has some of the scores by right. */
  @Test
  void aTableOfWhichManyRowsDifferAccusesNoModel() throws IOException {
    write("a.json", DUMP);
    StringBuilder rows = new StringBuilder();
    StringBuilder scores = new StringBuilder();
    for (int row = 0; row < 400; row++) {
      rows.append(row % 3 == 0 ? "nan" : row % 2).append('\n');
      scores.append(row % 2 == 0 ? 1.53125f : -0.25f).append('\n');
    }
    write("b.tsv", rows.toString());
    write("a.raw.tsv", scores.toString());
    assertVerdict(4, "no rows found for a.raw.tsv");
    write("a.data.tsv", rows.toString());
    assertVerdict(1, "differs");
  }

  /** As in a data frame whose categories are numbers. */
  @Test
  void numbersThatAreCategoriesBecomeTheirCodes() throws IOException {
    Fixture fixture = Fixture.ofCategories().getFirst();
    byte[] file = fixture.model(fixture.encodings().getFirst());
    Files.write(folder.resolve("a.model"), file);
    TreeEnsemble ensemble = ModelReader.read(file, ModelFormat.AUTO, EnsembleLimits.DEFAULT);
    StringBuilder rows = new StringBuilder();
    StringBuilder scores = new StringBuilder();
    int features = fixture.cases().features();
    for (int i = 0; i < fixture.cases().values().length; i++) {
      float code = fixture.cases().values()[i];
      CategoryList list = ensemble.categories().get(i % features);
      boolean number = list != null && !list.isText() && code >= 0;
      rows.append(number ? list.number((int) code) : code);
      rows.append((i + 1) % features == 0 ? '\n' : '\t');
    }
    for (double score : fixture.cases().raw()) {
      scores.append(score).append('\n');
    }
    write("a.data.tsv", rows.toString());
    write("a.raw.tsv", scores.toString());
    assertVerdict(0, "exact");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static io.quickscorer.reader.SmallModels.QUICKRANK;
import static io.quickscorer.reader.SmallModels.RANKLIB;
import static io.quickscorer.reader.SmallModels.RANKLIB_LINEAR;
import static io.quickscorer.reader.SmallModels.assertRefusedAt;
import static io.quickscorer.reader.SmallModels.bytes;
import static io.quickscorer.reader.SmallModels.read;
import static io.quickscorer.reader.SmallModels.score;
import static io.quickscorer.reader.SmallModels.with;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Refusals of RankLib's files to the byte, and what is just within bounds. */
final class RankLibPlacesTest {
  private static void edited(String old, String replacement, String place, String message) {
    assertRefusedAt(with(RANKLIB, old, replacement), place, message);
  }

  private static void linear(String old, String replacement, String place, String message) {
    assertRefusedAt(with(RANKLIB_LINEAR, old, replacement), place, message);
  }

  @Test
  void trees() {
    edited("weight=\"0.1\"", "weight=\"x\"", "<tree", "tree 0, weight: expected a number");
    edited("pos=\"left\">\n", ">\n", "<split >\n", "tree 0: pos: expected left or right");
    edited(
        "pos=\"right\">\n",
        "pos=\"left\">\n",
        "<split pos=\"left\">\n\t\t\t\t<feature>",
        "tree 0: pos: both children of a split are left");
    edited("<feature> 1 <", "<feature> 0 <", "</feature>", "tree 0: feature 0, expected 1 or more");
    edited("<feature> 1 <", "<feature> x <", "</feature>", "tree 0: feature: expected a number");
    edited("> 0.5 <", "> x <", "</threshold>", "tree 0: threshold: expected a number");
    edited("> 10 <", "> x <", "</output>", "tree 0: output: expected a number");
    edited("> 0.5 <", "> NaN <", "<tree", "tree 0, node 0: found threshold NaN, expected a number");
    edited(
        "<tree ",
        "<forest/><tree ",
        "<forest",
        "unknown element, expected ranker, info, ensemble or tree");
    edited(
        "<feature> 1",
        "<depth/><feature> 1",
        "<depth",
        "tree 0: unknown element, expected split, feature, threshold, output");
    edited(
        "<split>\n", "<output> 1 </output><split>\n", "<tree", "tree 0: output is outside a split");
    assertRefusedAt(
        "## LambdaMART\n<ensemble></ensemble>",
        "</ensemble>",
        "ensemble: found 0 trees, expected 1 or more");
    assertRefusedAt(
        "## LambdaMART\n<ensemble><tree weight=\"1\"></tree></ensemble>",
        "<tree",
        "tree 0: found no split in the tree, expected one or more");
  }

  /** RankLib reads an output as a float. The double that is nearest to this one is a tie. */
  @Test
  void outputsAreRoundedOnce() {
    String one = with(RANKLIB, "weight=\"0.1\"", "weight=\"1\"");
    String output = "1.00000005960464477540";
    assertEquals(1.0000001f, score(read(with(one, "> 10 <", "> " + output + " <")), 0, 0, 0));
    String quickRank = with(QUICKRANK, "weight=\"0.1\"", "weight=\"1\"");
    assertEquals(
        Double.parseDouble(output),
        score(read(with(quickRank, "> 10 <", "> " + output + " <")), 0, 0, 0));
  }

  @Test
  void limits() {
    EnsembleLimits features = new EnsembleLimits(10, 10, 10, 2, 10, 10);
    assertRefusedAt(
        RANKLIB,
        "</feature>\n\t\t\t\t<threshold> -1.0",
        "tree 0: feature 3: 3, at most 2 allowed",
        features);
    EnsembleLimits trees = new EnsembleLimits(0, 10, 10, 10, 10, 10);
    assertRefusedAt(RANKLIB, "<tree", "trees: 1, at most 0 allowed", trees);
    EnsembleLimits tight = new EnsembleLimits(1, 3, 2, 3, 5, 0);
    assertEquals(1, ModelReader.read(bytes(RANKLIB), ModelFormat.AUTO, tight).trees().size());
  }

  @Test
  void linearModels() {
    linear("1:2.0", "1 2.0", "1 2.0", "weight 0: expected feature:weight");
    linear("3:-0.5", "-3:-0.5", "-3:-0.5", "weight 1: feature -3, expected 1 or more");
    linear("0:1 ", "0:1 0:1 ", "0:1 1:", "weight 0: feature 0, expected 1 or more");
    linear("0:1 ", "", "1:2.0", "expected weights and the constant, such as 0:0.5");
    linear("1:2.0", "x:2.0", "x:2.0", "expected an integer");
    linear("1:2.0", "1:y", "y 3:", "expected a number");
    linear(" \n", " \n1:2\n", "\n1:2", "unexpected content after the line of weights");
    EnsembleLimits two = new EnsembleLimits(10, 10, 10, 2, 10, 10);
    assertRefusedAt(RANKLIB_LINEAR, "3:-0.5", "weight 1: feature: 3, at most 2 allowed", two);
    EnsembleLimits one = new EnsembleLimits(10, 10, 10, 10, 1, 10);
    assertRefusedAt(RANKLIB_LINEAR, "3:-0.5", "weights: 2, at most 1 allowed", one);
    EnsembleLimits tight = new EnsembleLimits(0, 0, 0, 3, 2, 0);
    TreeEnsemble ensemble = ModelReader.read(bytes(RANKLIB_LINEAR), ModelFormat.AUTO, tight);
    assertEquals(List.of("1", "2", "3"), ensemble.featureNames());
    assertEquals(1 + 2 * 5 - 0.5 * 7, score(ensemble, 5, 6, 7));
    assertEquals(1, ensemble.initialScore());
    TreeEnsemble close = read("## Coordinate Ascent\n 2:0.5  1:0.25#x\n");
    assertEquals(0.5 * 3 + 0.25 * 4, score(close, 4, 3));
  }
}

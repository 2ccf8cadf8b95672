// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static io.quickscorer.reader.SmallModels.CATBOOST;
import static io.quickscorer.reader.SmallModels.QUICKRANK;
import static io.quickscorer.reader.SmallModels.RANKLIB;
import static io.quickscorer.reader.SmallModels.assertRefused;
import static io.quickscorer.reader.SmallModels.read;
import static io.quickscorer.reader.SmallModels.score;
import static io.quickscorer.reader.SmallModels.with;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** CatBoost's JSON, RankLib's and QuickRank's XML. */
final class OtherReadersTest {
  @Test
  void catBoost() {
    TreeEnsemble ensemble = read(CATBOOST);
    assertEquals(List.of("0", "b"), ensemble.featureNames());
    assertEquals(2 * 1 + 7, score(ensemble, 0.5f, 2.5f));
    assertEquals(2 * 20 + 7, score(ensemble, 0.5f, 3f));
    assertEquals(2 * 300 + 7, score(ensemble, 1f, 2.5f));
    assertEquals(2 * 4000 + 7, score(ensemble, 1f, 3f));
    assertEquals(2 * 300 + 7, score(ensemble, Float.NaN, Float.NaN));
  }

  @Test
  void catBoostTraps() {
    assertRefused(
        with(CATBOOST, "[1,20,300,4000]", "[1,20,300]"),
        "tree 0, leaf_values: found 3 values, expected 4");
    assertRefused(with(CATBOOST, "[2,[7]]", "[2,[7,8]]"), "scale_and_bias: found 2 biases");
    assertRefused(with(CATBOOST, "[2,[7]]", "[2]"), "scale_and_bias: found 1 elements");
    assertRefused(with(CATBOOST, "\"border\":2.5", "\"border\":NaN"), "NaN");
    assertRefused(
        with(CATBOOST, "\"FloatFeature\"", "\"OnlineCtr\""),
        "is on a CTR, but the file has 0 splits on CTRs, whose numbers begin at 2");
    assertRefused(
        with(CATBOOST, "\"float_feature_index\":1", "\"float_feature_index\":2"), "feature 2");
    assertRefused(with(CATBOOST, "\"AsIs\"", "\"AsIf\""), "nan_value_treatment");
    assertRefused(
        with(CATBOOST, "\"feature_index\":1", "\"feature_index\":3"),
        "float feature 1 is not among the model's features");
    assertRefused(with(CATBOOST, "\"model_info\"", "\"trees\":[],\"model_info\""), "oblivious");
    assertRefused(
        with(CATBOOST, "{\"float_features\"", "{\"categorical_features\":[{}],\"float_features\""),
        "flat index 0: two features have this index");
    for (int depth : new int[] {17, 31, 32, 63}) {
      String split = "{\"border\":2.5,\"float_feature_index\":1,\"split_type\":\"FloatFeature\"},";
      assertRefused(
          with(CATBOOST, "\"splits\":[", "\"splits\":[" + split.repeat(depth - 2)),
          "splits: more than 16 splits");
    }
  }

  @Test
  void ranks() {
    TreeEnsemble ensemble = read(RANKLIB);
    assertEquals(List.of("1", "2", "3"), ensemble.featureNames());
    assertEquals(Accumulator.FLOAT, ensemble.accumulator());
    assertEquals("LambdaMART", ensemble.source().objective());
    assertEquals((float) (10 * (double) 0.1f), score(ensemble, 0.5f, 0f, 0f));
    assertEquals((float) (20 * (double) 0.1f), score(ensemble, 1f, 0f, -1f));
    assertEquals((float) (300 * (double) 0.1f), score(ensemble, 1f, 0f, 0f));
    assertEquals((float) (300 * (double) 0.1f), score(ensemble, 1f, 0f, Float.NaN), "missing is 0");
    assertEquals((float) (10 * (double) 0.1f), score(ensemble, Float.NaN, 0f, 0f), "missing is 0");
    assertEquals("ranklib", read("\ufeff" + RANKLIB).source().format().label());
  }

  @Test
  void commentsDivideText() {
    String divided = with(RANKLIB, " 0.5 ", "<!-- a --> 0<!-- b -->.<!---->5 <!-- c -->");
    divided = with(divided, "<output> 10 <", "<output> 1<!-- d -->0 <");
    divided = with(divided, "<feature> 3 <", "<feature><!-- e -->3<");
    Ensembles.assertSame(read(RANKLIB), read(divided));
    assertRefused(with(RANKLIB, " 0.5 ", " 0.<!-- a -->x "), "threshold: expected a number");
  }

  @Test
  void forestsAverage() {
    String tree = RANKLIB.substring(RANKLIB.indexOf("<ensemble>"));
    TreeEnsemble forest = read(RANKLIB + tree + tree);
    double leaf = (float) (10 * (double) 0.1f);
    assertEquals((leaf + leaf + leaf) / 3, score(forest, 0f, 0f, 0f));
    assertEquals(OutputTransform.IDENTITY, forest.transform());
    assertEquals(3, forest.divisor());
    String pair =
        with(tree, "</tree>", "</tree>" + tree.substring(10, tree.indexOf("</ensemble>")));
    assertRefused("## Random Forests\n## No. of bags = 3\n" + tree + tree, "2 ensembles", "3 bags");
    TreeEnsemble bags = read(pair + tree + pair);
    float two = (float) ((float) (10 * (double) 0.1f) + 10 * (double) 0.1f);
    assertEquals(((double) two + leaf + two) / 3, score(bags, 0f, 0f, 0f));
    assertArrayEquals(new int[] {2, 1, 2}, bags.treesPerBag());
    assertThrows(
        UnsupportedEnsembleException.class, () -> ScorerCompiler.compile(bags, Algorithm.QS));
  }

  @Test
  void quickRank() {
    TreeEnsemble ensemble = read(QUICKRANK);
    assertEquals("quickrank_xml", ensemble.source().format().label());
    assertEquals(Accumulator.DOUBLE, ensemble.accumulator());
    assertEquals(300 * (double) 0.1f, score(ensemble, 1f, 0f, Float.NaN));
  }

  @Test
  void xmlTraps() {
    assertRefused(
        with(RANKLIB, "<ensemble>", "<!DOCTYPE a [<!ENTITY b \"c\">]><ensemble>"),
        "document types");
    assertRefused(
        with(RANKLIB, "<ensemble>", "<!DOCTYPE a SYSTEM \"file:///\"><ensemble>"),
        "document types");
    assertRefused(with(RANKLIB, "<ensemble>", "<?run me?><ensemble>"), "instructions");
    assertRefused(with(RANKLIB, " 0.5 ", " &half; "), "entities");
    assertRefused(with(RANKLIB, " 0.5 ", "<![CDATA[0.5]]>"), "not supported");
    assertRefused(with(RANKLIB, "</tree>", "</three>"), "byte ");
    assertRefused(with(RANKLIB, "weight=\"0.1\"", "weight=\"a\""), "tree 0, weight");
    assertRefused(with(RANKLIB, "weight=\"0.1\"", "weight=\"0.1\" weight=\"0.1\""), "attribute");
    String deep = RANKLIB.substring(0, RANKLIB.indexOf("<split")) + "<split>";
    assertRefused(deep + "<split pos=\"left\">".repeat(100_000), "deep");
  }

  @Test
  void rankLibTraps() {
    assertRefused(with(RANKLIB, "pos=\"left\">\n", ">\n"), "tree 0: pos");
    assertRefused(with(RANKLIB, "pos=\"right\">\n", "pos=\"left\">\n"), "tree 0: pos");
    assertRefused(with(RANKLIB, "<feature> 1 <", "<feature> 0 <"), "tree 0: feature 0");
    assertRefused(with(RANKLIB, "<feature> 1 <", "<feature> -1 <"), "tree 0: feature -1");
    assertRefused(
        with(RANKLIB, "<feature> 1 <", "<feature> 4000000000 <"), "tree 0: feature 4000000000");
    assertRefused(with(RANKLIB, " 0.5 ", " NaN "), "NaN");
    assertRefused(with(RANKLIB, "> 10 <", "> 1e999 <"), "Infinity");
    assertRefused(with(RANKLIB, "<output> 10 </output>", ""), "tree 0: a node must have either");
    assertRefused(
        with(RANKLIB, "<threshold> 0.5 </threshold>", ""), "tree 0: a split needs a threshold");
    assertRefused("## LambdaMART\n<ensemble></ensemble>", "0 trees");
    assertRefused("## LambdaMART\n", "expected <ensemble>");
    assertRefused("## RankNet\n1:0.5 2:0.25\n", "models of trees", "linear models");
  }
}

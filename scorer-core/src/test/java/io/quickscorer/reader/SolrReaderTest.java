// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static io.quickscorer.reader.SmallModels.SOLR;
import static io.quickscorer.reader.SmallModels.SOLR_LINEAR;
import static io.quickscorer.reader.SmallModels.assertRefused;
import static io.quickscorer.reader.SmallModels.read;
import static io.quickscorer.reader.SmallModels.score;
import static io.quickscorer.reader.SmallModels.with;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Solr's tree and linear models. */
final class SolrReaderTest {
  private static final EnsembleLimits FEW = new EnsembleLimits(1, 2, 10, 10, 10, 10);
  private static final String NULLS = "\"params\":{\"isNullSameAsZero\":false,\"trees\"";

  @Test
  void trees() {
    TreeEnsemble model = read(SOLR);
    assertEquals("solr_json", model.source().format().label());
    assertEquals("MultipleAdditiveTreesModel", model.source().objective());
    assertEquals(List.of("title", "price"), model.featureNames());
    assertEquals(Accumulator.FLOAT, model.accumulator());
    float bound = 0.5f + 1e-6f;
    assertEquals(3001, score(model, bound, 0));
    assertEquals(3020, score(model, Math.nextUp(bound), 20));
    assertEquals(3300, score(model, 1, 20.001f), "normalised");
    assertEquals(3001, score(model, Float.NaN, 99), "missing is 0");
    assertEquals(3020, score(model, 1, Float.NaN), "missing is 0 before it is normalised");
  }

  @Test
  void weightsAreFactorsInFloat() {
    String model = with(with(SOLR, "\"weight\":\"1\"", "\"weight\":\"0.1\""), "\"3\"", "\"-0.3\"");
    float sum = 0;
    sum += 0.1f * 20f;
    sum += -0.3f * 1000f;
    assertEquals(sum, score(read(model), 1, 20));
  }

  /** The order of fields is up to who wrote the file. */
  @Test
  void anyOrder() {
    String features = SOLR.substring(SOLR.indexOf("\"features\""), SOLR.lastIndexOf("\"params\""));
    String last = SOLR.replace(features, "").stripTrailing();
    last = last.substring(0, last.length() - 1) + "," + features.stripTrailing();
    last = last.substring(0, last.length() - 1) + "}";
    Ensembles.assertSame(read(SOLR), read(last));
    String nulls = with(SOLR, "}}]}}", "}}],\"isNullSameAsZero\":false}}");
    Ensembles.assertSame(read(with(SOLR, "\"params\":{\"trees\"", NULLS)), read(nulls));
  }

  @Test
  void nulls() {
    String model = with(SOLR, "\"params\":{\"trees\"", NULLS);
    assertEquals(3300, score(read(model), Float.NaN, Float.NaN), "right, where nothing is said");
    model = with(model, "\"threshold\":\"2.0f\"", "\"threshold\":\"2.0f\",\"missing\":\"left\"");
    assertEquals(3020, score(read(model), Float.NaN, Float.NaN), "not normalised");
    model = with(model, "\"threshold\":\"0.5\"", "\"missing\":\"left\",\"threshold\":\"0.5\"");
    assertEquals(3001, score(read(model), Float.NaN, Float.NaN));
    String ignored = with(SOLR, "\"0.5\"", "\"0.5\",\"missing\":\"right\"");
    assertEquals(3001, score(read(ignored), Float.NaN, 0), "as long as null is zero");
  }

  @Test
  void unlistedFeaturesEndTheWalk() {
    String model = with(SOLR, "\"feature\":\"price\"", "\"feature\":\"gone\"");
    assertEquals(3000, score(read(model), 1, 0));
    assertEquals(3001, score(read(model), 0, 0));
    assertEquals(3000, score(read(with(SOLR, "\"feature\":\"title\"", "\"feature\":\"\"")), 0, 0));
    assertEquals(3000, score(read(with(SOLR, "{\"value\":\"1\"}", "{}")), 0, 0), "no value is 0");
  }

  @Test
  void linear() {
    TreeEnsemble model = read(SOLR_LINEAR);
    assertEquals(List.of("title", "price"), model.featureNames());
    assertEquals(2 * 3 - 0.5 * 2, score(model, 3, 9));
    assertEquals(0.125, score(model, Float.NaN, Float.NaN), "missing is 0 before normalising");
    String twice = with(SOLR_LINEAR, "2.0,", "0.100000001490116119384765625000001,");
    assertEquals(0.1f * 3f, score(read(twice), 3, 1), "a double first, then a float");
  }

  @Test
  void treeTraps() {
    assertRefused(with(SOLR, ",\"threshold\":\"0.5\"", ""), "tree 0, node 0", "threshold");
    assertRefused(with(SOLR, ",\"left\":{\"value\":\"1\"}", ""), "tree 0, node 0", "children");
    assertRefused(with(SOLR, "\"feature\":\"title\",", ""), "tree 0, node 0", "children");
    assertRefused(with(SOLR, "\"weight\":\"1\",", ""), "tree 0", "weight");
    assertRefused(with(SOLR, "\"weight\":\"1\"", "\"weight\":\"1x\""), "tree 0, weight");
    assertRefused(with(SOLR, "\"weight\":\"1\"", "\"weight\":\"Infinity\""), "tree 0", "weight");
    assertRefused(with(SOLR, "\"weight\":\"1\"", "\"wait\":\"1\""), "tree 0", "weight or root");
    assertRefused(with(SOLR, "{\"value\":\"20\"", "{\"valve\":\"20\""), "tree 0, node 3");
    assertRefused(with(SOLR, "\"trees\":[", "\"trees\":[{},"), "tree 0", "root");
    assertRefused(with(SOLR, "\"trees\":", "\"base\":1,\"trees\":"), "params: unknown");
    assertRefused(with(SOLR, "\"trees\":", "\"isNullSameAsZero\":\"no\",\"trees\":"), "boolean");
    assertRefused("{\"class\":\"MultipleAdditiveTreesModel\"}", "0 features");
    assertRefused("{\"class\":\"a\",\"features\":[]}", "class: expected");
    assertRefused(with(SOLR, "MultipleAdditiveTreesModel", "NeuralNetworkModel"), "class");
    assertRefused(with(SOLR, "MultipleAdditiveTreesModel", "LinearModel"), "params: expected");
  }

  @Test
  void normaliserTraps() {
    assertRefused(with(SOLR, "\"max\":\"10\"", "\"max\":\"-1\""), "feature 1", "normaliser");
    assertRefused(with(SOLR, ",\"max\":\"10\"", ""), "feature 1", "normaliser");
    assertRefused(
        with(SOLR, "\"max\"", "\"mox\""),
        "feature 1",
        "norm: class MinMaxNormalizer has no parameter mox");
    assertRefused(with(SOLR, "MinMaxNormalizer", "LogNormalizer"), "feature 1", "norm: expected");
    String own = with(SOLR, "org.apache.solr.ltr.norm", "com.example");
    assertRefused(own, "feature 1", "norm: expected");
    String standard = with(SOLR_LINEAR, "\"std\":\"4\"", "\"std\":\"0\"");
    assertRefused(standard, "feature 1", "normaliser");
  }

  @Test
  void linearTraps() {
    assertRefused(with(SOLR_LINEAR, "\"price\":-0.5,", ""), "weights: feature 1 has no weight");
    assertRefused(with(SOLR_LINEAR, "-0.5", "\"-0.5\""), "weight 1, value");
    assertRefused(with(SOLR_LINEAR, "-0.5", "1e39"), "weight 1");
    assertRefused(
        with(SOLR_LINEAR, "\"weights\":", "\"isNullSameAsZero\":false,\"weights\":"), "isNull");
    assertRefused(with(SOLR_LINEAR, "\"weights\"", "\"trees\":[],\"weights\""), "params");
  }

  @Test
  void limits() {
    InvalidModelException e =
        Assertions.assertThrows(
            InvalidModelException.class,
            () -> ModelReader.read(SmallModels.bytes(SOLR), ModelFormat.AUTO, FEW));
    assertEquals(EnsembleLimits.Limit.LEAVES, e.limit());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.testing.RandomEnsembles;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;

/** Documents, a feature set with every kind of feature, and random models over it. */
public final class TestCatalogue {
  static final String MAPPING =
      """
      {"properties": {
        "title": {"type": "text"}, "body": {"type": "text"}, "tag": {"type": "keyword"},
        "popularity": {"type": "integer"}, "price": {"type": "double"},
        "listed": {"type": "boolean"}, "released": {"type": "date"}}}
      """;

  private static final String FEATURES =
      """
      {"features": [
        {"name": "unused", "type": "query", "query": {"match": {"body": "{{nowhere}}"}}},
        {"name": "first", "type": "first_pass_score"},
        {"name": "title", "type": "query", "query": {"match": {"title": "{{q}}"}}},
        {"name": "body", "type": "query", "query": {"match": {"body": "{{q}}"}}, "missing": 0},
        {"name": "phrase", "type": "query",
         "query": {"match_phrase": {"body": {"query": "{{q}}", "slop": 2}}}},
        {"name": "popularity", "type": "field", "field": "popularity", "missing": -1.5},
        {"name": "price", "type": "field", "field": "price"},
        {"name": "listed", "type": "field", "field": "listed"},
        {"name": "mobile", "type": "param", "param": "mobile", "missing": 0.25},
        {"name": "title_again", "type": "query", "query": {"match": {"title": "{{q}}"}},
         "missing": -2}],
       "default_params": {"mobile": 0.5}}
      """;

  private static final String[] WORDS = {"war", "peace", "love", "ship", "sea", "star", "king"};

  private TestCatalogue() {}

  public static FeatureSet featureSet() throws IOException {
    return featureSet(FEATURES);
  }

  public static FeatureSet featureSet(String json) throws IOException {
    try (XContentParser parser =
        JsonXContent.jsonXContent.createParser(
            NamedXContentRegistry.EMPTY, DeprecationHandler.IGNORE_DEPRECATIONS, json)) {
      return FeatureSet.read("catalogue", Door.within(parser));
    }
  }

  /** A random ensemble over all features but the first, in another order than the set's. */
  static CompiledModel model(String name, SplittableRandom random, int trees) throws IOException {
    return model(
        name, random, RandomEnsembles.of(random).trees(trees).leaves(1, 40), Algorithm.AUTO);
  }

  /** One of so many trees that each is to be small. */
  static CompiledModel ofSmallTrees(String name, SplittableRandom random, int trees)
      throws IOException {
    return model(name, random, RandomEnsembles.of(random).trees(trees).leaves(1, 4), Algorithm.QS);
  }

  /** A model whose trees have too many leaves for some algorithms. */
  static CompiledModel large(String name, SplittableRandom random) throws IOException {
    return model(
        name, random, RandomEnsembles.of(random).trees(5).leaves(300, 300), Algorithm.AUTO);
  }

  private static CompiledModel model(
      String name, SplittableRandom random, RandomEnsembles shape, Algorithm algorithm)
      throws IOException {
    FeatureSet set = featureSet();
    int features = set.features().size() - 1;
    TreeEnsemble ensemble = shape.features(features).build();
    int[] columns = new int[features];
    for (int f = 0; f < features; f++) {
      columns[f] = 1 + (f * 2 + 3) % features;
    }
    String version = Long.toHexString(random.nextLong());
    return new CompiledModel(
        new ModelId(name, version), set, columns, ScorerCompiler.compile(ensemble, algorithm));
  }

  /** A random ensemble over all features of a set, in its order. */
  static CompiledModel over(FeatureSet set, String name, SplittableRandom random) {
    int[] columns = IntStream.range(0, set.features().size()).toArray();
    TreeEnsemble ensemble =
        RandomEnsembles.of(random).trees(12).leaves(1, 40).features(columns.length).build();
    String version = Long.toHexString(random.nextLong());
    return new CompiledModel(
        new ModelId(name, version), set, columns, ScorerCompiler.compile(ensemble, Algorithm.AUTO));
  }

  /** The model's raw score of a row in the feature set's order, by the reference. */
  static double referenceScore(CompiledModel model, float[] row) {
    TreeEnsemble ensemble = model.scorer().ensemble();
    float[] values = new float[model.columns().length];
    for (int f = 0; f < values.length; f++) {
      values[f] = row[model.columns()[f]];
    }
    double[] scores = new double[1];
    ReferenceScorer reference = ReferenceScorer.compile(ensemble);
    reference.score(FeatureMatrix.ofRows(values, values.length), reference.newScratch(), scores);
    return scores[0];
  }

  static Map<String, Object> document(SplittableRandom random) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("title", words(random, 1 + random.nextInt(3)));
    document.put("body", words(random, random.nextInt(12)));
    document.put("tag", WORDS[random.nextInt(WORDS.length)]);
    if (random.nextInt(4) > 0) {
      document.put("popularity", random.nextInt(-3, 4));
    }
    if (random.nextInt(3) > 0) {
      double price = random.nextDouble(-3, 3);
      document.put("price", random.nextBoolean() ? price : List.of(price + 1, price));
    }
    if (random.nextBoolean()) {
      document.put("listed", random.nextBoolean());
    }
    document.put("released", "20" + random.nextInt(10, 26) + "-01-01");
    return document;
  }

  static String words(SplittableRandom random, int count) {
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < count; i++) {
      words.append(i == 0 ? "" : " ").append(WORDS[random.nextInt(WORDS.length)]);
    }
    return words.toString();
  }
}

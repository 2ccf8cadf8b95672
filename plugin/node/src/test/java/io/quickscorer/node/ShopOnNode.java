// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import com.microsoft.ml.lightgbm.PredictionType;
import io.github.metarank.lightgbm4j.LGBMBooster;
import io.github.metarank.lightgbm4j.LGBMException;
import io.quickscorer.demo.DemoFeatures;
import io.quickscorer.demo.corpus.Corpus;
import io.quickscorer.demo.corpus.GeneratedShop;
import io.quickscorer.train.cluster.QuickScorerApi;
import io.quickscorer.train.data.FeatureRows;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.trainer.LightGbmTrainer;
import io.quickscorer.train.trainer.TrainedModel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The generated shop in indices of a node, and a model that LightGBM has learnt from features
 * logged there. The model is learnt once per JVM, so that every node of a test gets the same.
 */
final class ShopOnNode {
  static final String FEATURE_SET = "shop";
  static final String MODEL = "shop";
  static final Corpus SHOP = GeneratedShop.generate(1_000, 200);

  private static final int BULKS = 4;
  private static final int TRAINING_QUERIES = 80;
  private static final int DELETE_EVERY = 40;
  private static final JsonMapper JSON = new JsonMapper();
  private static @Nullable TrainedModel model;

  final NodeClient client;

  ShopOnNode(NodeClient client) {
    this.client = client;
    new QuickScorerApi(client).putFeatureSet(FEATURE_SET, DemoFeatures.of(SHOP.fields()));
  }

  /** An index of several segments with some deleted documents. */
  void createIndex(String name, int shards) {
    ObjectNode index = SHOP.index().deepCopy();
    index
        .withObject("/settings")
        .put("index.number_of_shards", shards)
        .put("index.number_of_replicas", 0)
        // No refresh but ours: two nodes then have the same segments, and order ties alike.
        .put("index.refresh_interval", "-1");
    client.put("/" + name, index.toString());
    int size = SHOP.documents().size() / BULKS;
    for (int from = 0; from < SHOP.documents().size(); from += size) {
      bulk(name, SHOP.documents().subList(from, from + size));
    }
    for (int i = 0; i < SHOP.documents().size(); i += DELETE_EVERY) {
      client.call("DELETE", "/" + name + "/_doc/" + SHOP.documents().get(i).id(), "");
    }
    client.post("/" + name + "/_refresh", "");
  }

  static boolean isDeleted(String id) {
    return Integer.parseInt(id.substring(1)) % DELETE_EVERY == 0;
  }

  private void bulk(String name, List<Corpus.Document> documents) {
    StringBuilder lines = new StringBuilder();
    for (Corpus.Document document : documents) {
      lines.append("{\"index\":{\"_id\":\"").append(document.id()).append("\"}}\n");
      lines.append(document.source()).append('\n');
    }
    JsonNode answer = client.post("/" + name + "/_bulk?refresh=true", lines.toString());
    if (answer.get("errors").asBoolean()) {
      throw new IllegalStateException(answer.toString());
    }
  }

  /** Uploads the model; an index must be there to learn from if this is the JVM's first. */
  void putModel(String index) {
    new QuickScorerApi(client).putModel(MODEL, FEATURE_SET, learnt(index));
  }

  private TrainedModel learnt(String index) {
    synchronized (ShopOnNode.class) {
      if (model == null) {
        List<FeatureRows.Hits> logged = new ArrayList<>();
        for (JudgedQuery query : SHOP.queries().subList(0, TRAINING_QUERIES)) {
          ObjectNode body = search(query, 100, 100, "feature_set", FEATURE_SET);
          logged.add(
              FeatureRows.read(query, client.post("/" + index + "/_search", body.toString())));
        }
        model = LightGbmTrainer.train(FeatureRows.of(logged), featureNames(), 20);
      }
      return model;
    }
  }

  /** In the order of the logged values. */
  static List<String> featureNames() {
    return DemoFeatures.of(SHOP.fields())
        .get("features")
        .valueStream()
        .map(f -> f.get("name").asString())
        .toList();
  }

  /** LightGBM's own raw score of a row. */
  static double scoreByLightGbm(float[] row) throws LGBMException {
    return byLightGbm(row, PredictionType.C_API_PREDICT_RAW_SCORE)[0];
  }

  /** What LightGBM says of a row. */
  static double[] byLightGbm(float[] row, PredictionType type) throws LGBMException {
    TrainedModel trained = model;
    if (trained == null) {
      throw new IllegalStateException("no model has been learnt");
    }
    try (LGBMBooster booster = LGBMBooster.loadModelFromString(trained.text())) {
      return booster.predictForMat(row, 1, row.length, true, type);
    }
  }

  /** A first pass over title and description, without a rescore clause. */
  static ObjectNode firstPass(JudgedQuery query, int size) {
    ObjectNode body = JSON.createObjectNode().put("size", size).put("_source", false);
    ObjectNode match = body.putObject("query").putObject("multi_match").put("query", query.text());
    match.putArray("fields").add("title^2").add("description");
    return body;
  }

  /** The first pass rescored by the model; every hit shows the values that were scored. */
  static ObjectNode rescored(JudgedQuery query, int window, int size) {
    return search(query, window, size, "model", MODEL);
  }

  private static ObjectNode search(
      JudgedQuery query, int window, int size, String what, String name) {
    ObjectNode body = firstPass(query, size);
    body.putObject("rescore")
        .put("window_size", window)
        .set("quickscorer", clause(query, what, name));
    return body;
  }

  static ObjectNode clause(JudgedQuery query, String what, String name) {
    ObjectNode clause = JSON.createObjectNode().put(what, name).put("log", true);
    clause
        .putObject("params")
        .put("keywords", query.text())
        .put("query_words", query.text().split(" ").length);
    return clause;
  }
}

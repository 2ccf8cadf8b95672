// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo;

import io.quickscorer.demo.Evaluation.Ranking;
import io.quickscorer.demo.corpus.Corpus;
import io.quickscorer.node.NodeClient;
import io.quickscorer.train.cluster.QuickScorerApi;
import io.quickscorer.train.data.FeatureLog;
import io.quickscorer.train.data.FeatureRows;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.trainer.TrainedModel;
import io.quickscorer.train.tuning.FirstPass;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Sends the requests of the demo to the demo's node. */
final class DemoNode {
  private final NodeClient client;
  private final QuickScorerApi plugin;
  private final Corpus corpus;
  private final SearchBodies bodies;

  DemoNode(NodeClient client, Corpus corpus) {
    this.client = client;
    this.plugin = new QuickScorerApi(client);
    this.corpus = corpus;
    this.bodies = new SearchBodies(corpus);
  }

  void createIndex() {
    ObjectNode index = corpus.index().deepCopy();
    index
        .withObject("/settings")
        .put("index.number_of_shards", 1)
        .put("index.number_of_replicas", 0)
        .put("index.refresh_interval", "-1");
    client.put("/" + corpus.name(), index.toString());
  }

  /** Merges the index into one segment, and makes all documents visible to searches. */
  void finishIndex() {
    client.post("/" + corpus.name() + "/_forcemerge?max_num_segments=1", "");
    client.post("/" + corpus.name() + "/_refresh", "");
  }

  /** Stores the feature set, and returns the names of its features in their order. */
  List<String> putFeatureSet() {
    ObjectNode features = DemoFeatures.of(corpus.fields());
    plugin.putFeatureSet(SearchBodies.FEATURE_SET, features);
    return features
        .get("features")
        .valueStream()
        .map(feature -> feature.get("name").asString())
        .toList();
  }

  /** Returns the hits of queries with their feature values. */
  List<FeatureRows.Hits> logFeatures(List<JudgedQuery> queries) {
    List<String> rows = plugin.log(SearchBodies.FEATURE_SET, bodies.logged(corpus.name(), queries));
    return FeatureRows.read(queries, rows.stream().map(FeatureLog.Line::of).toList());
  }

  JsonNode putModel(TrainedModel model) {
    return plugin.putModel(SearchBodies.MODEL, SearchBodies.FEATURE_SET, model);
  }

  Ranking firstPass(FirstPass firstPass, JudgedQuery query) {
    return Ranking.of(query, search(bodies.firstPass(firstPass, query)));
  }

  Ranking rescored(JudgedQuery query) {
    return Ranking.of(query, search(bodies.rescored(query)));
  }

  private JsonNode search(ObjectNode body) {
    return client.post("/" + corpus.name() + "/_search", body.toString());
  }

  JsonNode rescoreStats() {
    return plugin.rescoring();
  }
}

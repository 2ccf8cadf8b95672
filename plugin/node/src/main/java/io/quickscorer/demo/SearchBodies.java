// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo;

import io.quickscorer.demo.corpus.Corpus;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.quality.Ndcg;
import io.quickscorer.train.tuning.FirstPass;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Creates the JSON bodies of the demo's searches on one corpus. */
final class SearchBodies {
  /** Number of hits that the model ranks on each shard. */
  static final int WINDOW = 100;

  static final String FEATURE_SET = "demo";
  static final String MODEL = "demo";

  private final Corpus.Fields fields;

  SearchBodies(Corpus corpus) {
    fields = corpus.fields();
  }

  ObjectNode firstPass(FirstPass firstPass, JudgedQuery query) {
    return firstPass.search(fields.text(), query.text(), Ndcg.DEFAULT.depth());
  }

  /** Returns the body of a search whose top hits the model ranks. */
  ObjectNode rescored(JudgedQuery query) {
    ObjectNode body = firstPass(FirstPass.PLAIN, query);
    rescore(body, query).put("model", MODEL);
    return body;
  }

  /** Returns the body of a request for the feature values of the hits that a model would rank. */
  ObjectNode logged(String index, List<JudgedQuery> queries) {
    ObjectNode firstPass = FirstPass.PLAIN.search(fields.text(), "{{keywords}}", WINDOW);
    ObjectNode body =
        firstPass.objectNode().put("index", index).put("format", "ndjson").put("size", WINDOW);
    body.set("query", firstPass.get("query"));
    ArrayNode judged = body.putArray("queries");
    for (JudgedQuery query : queries) {
      params(judged.addObject().put("qid", query.id()), query);
    }
    return body;
  }

  private static ObjectNode rescore(ObjectNode body, JudgedQuery query) {
    ObjectNode rescore = body.putObject("rescore").put("window_size", WINDOW);
    return params(rescore.putObject("quickscorer"), query);
  }

  private static ObjectNode params(ObjectNode clause, JudgedQuery query) {
    ObjectNode params = clause.putObject("params");
    params.put("keywords", query.text());
    params.put("query_words", query.text().toLowerCase(Locale.ROOT).strip().split("\\s+").length);
    return clause;
  }
}

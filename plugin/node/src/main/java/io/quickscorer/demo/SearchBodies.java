package io.quickscorer.demo;

import io.quickscorer.demo.corpus.Corpus;
import io.quickscorer.demo.corpus.JudgedQuery;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/** The bodies of the searches that the demo sends for one corpus. */
final class SearchBodies {
  /** How many hits of a shard are rescored. */
  static final int WINDOW = 100;

  static final String FEATURE_SET = "demo";
  static final String MODEL = "demo";

  private final Corpus.Fields fields;

  SearchBodies(Corpus corpus) {
    fields = corpus.fields();
  }

  ObjectNode firstPass(FirstPass firstPass, JudgedQuery query) {
    return firstPass.search(fields, query.text(), RankingQuality.DEPTH);
  }

  /** The plain first pass, its first hits rescored by the model. */
  ObjectNode rescored(JudgedQuery query) {
    ObjectNode body = firstPass(FirstPass.PLAIN, query);
    rescore(body, query).put("model", MODEL);
    return body;
  }

  /** The plain first pass's whole window with the features of every hit, and no model yet. */
  ObjectNode logged(JudgedQuery query) {
    ObjectNode body = FirstPass.PLAIN.search(fields, query.text(), WINDOW);
    rescore(body, query).put("feature_set", FEATURE_SET).put("log", true);
    return body;
  }

  private static ObjectNode rescore(ObjectNode body, JudgedQuery query) {
    ObjectNode rescore = body.putObject("rescore").put("window_size", WINDOW);
    ObjectNode clause = rescore.putObject("quickscorer");
    ObjectNode params = clause.putObject("params");
    params.put("keywords", query.text());
    params.put("query_words", query.text().toLowerCase(Locale.ROOT).strip().split("\\s+").length);
    return clause;
  }
}

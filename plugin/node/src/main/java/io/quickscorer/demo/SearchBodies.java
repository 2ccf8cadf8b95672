package io.quickscorer.demo;

import io.quickscorer.demo.corpus.Corpus;
import io.quickscorer.demo.corpus.JudgedQuery;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The bodies of the searches that the demo sends for one corpus. */
final class SearchBodies {
  /** How many hits of a shard are rescored. */
  static final int WINDOW = 100;

  static final String FEATURE_SET = "demo";
  static final String MODEL = "demo";

  private static final JsonMapper JSON = new JsonMapper();
  private static final double TUNED_TIE_BREAKER = 0.3;

  private final Corpus.Fields fields;

  SearchBodies(Corpus corpus) {
    fields = corpus.fields();
  }

  /** The first pass as one would write it: the best field counts, the title twice. */
  ObjectNode plain(JudgedQuery query) {
    return search(query, 0, RankingQuality.DEPTH);
  }

  /**
   * The best first pass that was found by trying field weights and query types by hand on the
   * movies corpus.
   */
  ObjectNode tuned(JudgedQuery query) {
    return search(query, TUNED_TIE_BREAKER, RankingQuality.DEPTH);
  }

  /** The plain first pass, its first hits rescored by the model. */
  ObjectNode rescored(JudgedQuery query) {
    ObjectNode body = plain(query);
    rescore(body, query).put("model", MODEL);
    return body;
  }

  /** The plain first pass's whole window with the features of every hit, and no model yet. */
  ObjectNode logged(JudgedQuery query) {
    ObjectNode body = search(query, 0, WINDOW);
    rescore(body, query).put("feature_set", FEATURE_SET).put("log", true);
    return body;
  }

  private ObjectNode search(JudgedQuery query, double tieBreaker, int size) {
    ObjectNode body = JSON.createObjectNode();
    ObjectNode match = body.putObject("query").putObject("multi_match");
    match.put("query", query.text()).put("type", "best_fields");
    ArrayNode names = match.putArray("fields");
    fields.boostedText().forEach(names::add);
    if (tieBreaker > 0) {
      match.put("tie_breaker", tieBreaker);
    }
    return body.put("size", size).put("_source", false);
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

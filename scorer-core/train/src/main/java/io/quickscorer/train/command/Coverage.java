// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.cluster.ClusterClient;
import io.quickscorer.train.cluster.DocumentIds;
import io.quickscorer.train.data.FeatureRows;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.data.Judgments;
import io.quickscorer.train.quality.Ndcg;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Judgments (grades of documents for queries), and how many of the judged documents an index
 * contains: the coverage.
 *
 * @param judgments the judgments, which name the documents by {@code _id}
 * @param index the index that was searched; null if no index was searched
 * @param idField the field that was searched for the ids of the judgments; null for {@code _id}
 * @param ids the {@code _id}s of documents, by the ids in the judgments; empty if these ids are
 *     {@code _id}s
 * @param documents number of judged documents
 * @param missing the ids of judged documents that are not in the index
 */
record Coverage(
    Judgments judgments,
    @Nullable String index,
    @Nullable String idField,
    Map<String, Set<String>> ids,
    int documents,
    List<String> missing) {
  static final String NO_HITS =
      "no query has hits; check that the fields in --query are those of the index";

  private static final int SHOWN = 5;

  /** Returns a coverage without searching for the documents: no document counts as missing. */
  static Coverage unknown(Judgments judgments) {
    return new Coverage(judgments, null, null, Map.of(), judgments.documents().size(), List.of());
  }

  /**
   * Searches an index for all judged documents.
   *
   * @param field the field to search for the ids of the judgments; null for {@code _id}
   * @param minimum minimum share of the documents that the index must contain, 0 to 1
   * @throws Failure with likely causes, if the share is below the minimum
   */
  static Coverage of(
      Judgments judgments,
      ClusterClient client,
      String index,
      @Nullable String field,
      double minimum)
      throws Failure {
    DocumentIds ids = new DocumentIds(client, index);
    List<String> documents = judgments.documents();
    Map<String, Set<String>> found = ids.find(documents, field);
    List<String> missing =
        documents.stream().filter(id -> !found.containsKey(id)).sorted().toList();
    Judgments replaced =
        field == null
            ? judgments
            : judgments.with(judgments.queries().stream().map(q -> withOwnIds(q, found)).toList());
    Map<String, Set<String>> own = field == null ? Map.of() : found;
    Coverage coverage = new Coverage(replaced, index, field, own, documents.size(), missing);
    if (coverage.share() < minimum) {
      throw Failure.usage(
          coverage.sentence()
              + String.format(Locale.ROOT, ", less than --min-coverage %s", minimum)
              + "; likely causes:\n  "
              + String.join(
                  "\n  ", new IdCauses(ids, field, missing, coverage.share()).sentences()));
    }
    return coverage;
  }

  /**
   * Returns a copy of a query with documents' {@code _id}s in place of the ids in the judgments.
   * Ids of documents that were not found are unchanged.
   */
  private static JudgedQuery withOwnIds(JudgedQuery query, Map<String, Set<String>> ids) {
    Map<String, Integer> grades = new HashMap<>();
    query
        .judgments()
        .forEach(
            (judged, grade) ->
                ids.getOrDefault(judged, Set.of(judged))
                    .forEach(id -> grades.merge(id, grade, Math::max)));
    return new JudgedQuery(query.id(), query.text(), grades, grades, query.params());
  }

  private double share() {
    return documents == 0 ? 0 : (double) (documents - missing.size()) / documents;
  }

  private String sentence() {
    return String.format(
        Locale.ROOT,
        "%,d of %,d judged documents are in index [%s] (%d %%)",
        documents - missing.size(),
        documents,
        index,
        100L * (documents - missing.size()) / Math.max(1, documents));
  }

  /** Returns lines for a console: numbers of judgments, and of documents in the index. */
  List<String> lines() {
    String read =
        String.format(
            Locale.ROOT,
            "%,d queries, %,d judgments; %,d repeated with the same grade (counted once), %,d"
                + " with another grade",
            judgments.queries().size(),
            judgments.count(),
            judgments.repeated(),
            judgments.conflicts());
    if (index == null) {
      return List.of(read, judgments.grades());
    }
    String absent =
        missing.isEmpty()
            ? ""
            : "; missing: "
                + String.join(", ", missing.subList(0, Math.min(SHOWN, missing.size())))
                + (missing.size() > SHOWN ? ", …" : "");
    return List.of(read, judgments.grades(), sentence() + absent);
  }

  /** Returns a sentence on how many of the relevant documents are among the logged hits. */
  String logged(List<FeatureRows.Hits> hits) {
    if (hits.isEmpty()) {
      return NO_HITS;
    }
    Set<String> absent = new HashSet<>(missing);
    Map<String, Set<String>> byQuery = new HashMap<>();
    hits.forEach(logged -> byQuery.put(logged.query().id(), new HashSet<>(logged.ids())));
    long good = 0;
    long reached = 0;
    for (JudgedQuery query : judgments.queries()) {
      Set<String> ids = byQuery.getOrDefault(query.id(), Set.of());
      for (Map.Entry<String, Integer> judged : query.judgments().entrySet()) {
        if (judged.getValue() > 0 && !absent.contains(judged.getKey())) {
          good++;
          reached += ids.contains(judged.getKey()) ? 1 : 0;
        }
      }
    }
    return String.format(
        Locale.ROOT,
        "%,d of %,d relevant documents%s are among the logged hits of their query (%.0f %%)%s",
        reached,
        good,
        index == null ? "" : " in the index",
        100.0 * reached / Math.max(1, good),
        reached * 2 >= good
            ? ""
            : "; the model cannot rank the others: use a first pass that finds more of them, or a"
                + " larger --size");
  }

  /**
   * Returns the measure of ranking quality (NDCG) that the trainer optimises.
   *
   * @param parameters the trainer's parameters, which determine the gain of each grade
   * @param depth number of hits that count, from the first
   */
  Ndcg measure(Map<String, String> parameters, int depth) {
    Ndcg measure = Ndcg.of(depth, parameters);
    measure.check(judgments.queries());
    return measure;
  }

  /** Returns a JSON object for {@code result.json} that describes the judgments. */
  ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("queries", judgments.queries().size()).put("judgments", judgments.count());
    json.put("repeated", judgments.repeated()).put("conflicts", judgments.conflicts());
    json.put("grades", judgments.grades()).put("documents", documents);
    if (index != null) {
      json.put("index", index).put("documents_missing", missing.size());
    }
    if (idField != null) {
      json.put("id_field", idField);
    }
    return json;
  }
}

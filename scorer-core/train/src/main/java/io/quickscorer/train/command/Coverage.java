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
 * The judgments, and how many of their documents an index has.
 *
 * @param judgments with the documents' {@code _id}
 * @param index that was searched; null for none
 * @param idField the field that has the judgments' ids; null for {@code _id}
 * @param ids the documents' {@code _id}s by the judgments' ids; empty if these are the same
 * @param documents number of judged documents
 * @param missing ids that are not in the index
 */
record Coverage(
    Judgments judgments,
    @Nullable String index,
    @Nullable String idField,
    Map<String, Set<String>> ids,
    int documents,
    List<String> missing) {
  private static final int SHOWN = 5;

  /** Returns judgments whose documents are not looked up. */
  static Coverage unknown(Judgments judgments) {
    return new Coverage(judgments, null, null, Map.of(), judgments.documents().size(), List.of());
  }

  /**
   * Looks up all judged documents.
   *
   * @param field that has the judgments' ids; null for {@code _id}
   * @param least minimum share of the documents that must be in the index, 0 to 1
   * @throws Failure that names likely causes, if fewer are
   * @throws IllegalStateException if the cluster refuses a search
   */
  static Coverage of(
      Judgments judgments, ClusterClient client, String index, @Nullable String field, double least)
      throws Failure {
    DocumentIds ids = new DocumentIds(client, index);
    List<String> documents = judgments.documents();
    Map<String, Set<String>> found = ids.find(documents, field);
    List<String> missing =
        documents.stream().filter(id -> !found.containsKey(id)).sorted().toList();
    Judgments called =
        field == null
            ? judgments
            : judgments.with(judgments.queries().stream().map(q -> called(q, found)).toList());
    Map<String, Set<String>> own = field == null ? Map.of() : found;
    Coverage coverage = new Coverage(called, index, field, own, documents.size(), missing);
    if (coverage.share() < least) {
      throw Failure.usage(
          coverage.sentence()
              + String.format(Locale.ROOT, ", fewer than --min-coverage %s", least)
              + "; likely causes:\n  "
              + String.join(
                  "\n  ", new IdCauses(ids, field, missing, coverage.share()).sentences()));
    }
    return coverage;
  }

  /**
   * Replaces ids by the documents' own; documents that are not in the index keep the judgments' id.
   */
  private static JudgedQuery called(JudgedQuery query, Map<String, Set<String>> ids) {
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

  /** Returns lines for users. */
  List<String> lines() {
    String read =
        String.format(
            Locale.ROOT,
            "%,d queries, %,d judgments; %,d given again with the same grade (counted once), %,d"
                + " with another",
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

  /** A sentence on the judgments whose documents are among the logged hits of their query. */
  String logged(List<FeatureRows.Hits> hits) {
    if (hits.isEmpty()) {
      return "no query has hits; check that --query names fields of the index";
    }
    Set<String> absent = new HashSet<>(missing);
    Map<String, Set<String>> byQuery = new HashMap<>();
    hits.forEach(of -> byQuery.put(of.query().id(), new HashSet<>(of.ids())));
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
        "%,d of %,d good answers%s are among the logged hits of their query (%.0f %%)%s",
        reached,
        good,
        index == null ? "" : " in the index",
        100.0 * reached / Math.max(1, good),
        reached * 2 >= good
            ? ""
            : "; the model can't rank the others: a first pass that finds more, or a larger --size,"
                + " helps");
  }

  /**
   * Returns the measure of a trainer with these parameters.
   *
   * @throws Failure if it lacks a gain for some grade
   */
  Ndcg measure(Map<String, String> parameters, int depth) throws Failure {
    try {
      Ndcg measure = Ndcg.of(depth, parameters);
      measure.check(judgments.queries());
      return measure;
    } catch (IllegalStateException e) {
      throw Failure.usage(String.valueOf(e.getMessage()));
    }
  }

  /** Returns the part of {@code result.json} on judgments. */
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

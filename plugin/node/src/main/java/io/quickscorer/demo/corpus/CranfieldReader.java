// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo.corpus;

import io.quickscorer.demo.corpus.Corpus.Document;
import io.quickscorer.demo.corpus.Corpus.Fields;
import io.quickscorer.train.data.JudgedQuery;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the Cranfield collection: 1,400 abstracts on aerodynamics, 225 questions, and judgments. In
 * the original format, each part of a record starts with a mark: {@code .I} id, {@code .T} title,
 * {@code .A} author, {@code .B} bibliography, {@code .W} text. The judgment codes 1 (a complete
 * answer) to 4 (of little interest) become the grades 4 to 1; code -1 becomes grade 0.
 */
final class CranfieldReader {
  static final String JSON_DOCUMENTS = "docs.jsonl.gz";
  static final String NATIVE_DOCUMENTS = "cran.all.1400.gz";
  private static final Fields FIELDS =
      new Fields("title", "body", List.of("author", "bibliography"), List.of());
  private static final Map<String, String> MARKS =
      Map.of(".T", "title", ".A", "author", ".B", "bibliography", ".W", "body");
  private static final String INDEX =
      """
      {"mappings": {"properties": {
        "id": {"type": "keyword"},
        "title": {"type": "text", "analyzer": "english"},
        "body": {"type": "text", "analyzer": "english"},
        "author": {"type": "text"},
        "bibliography": {"type": "text"}}}}
      """;

  private CranfieldReader() {}

  static Corpus readJson(Path folder) throws IOException {
    List<Document> documents = CorpusFolder.documents(folder.resolve(JSON_DOCUMENTS));
    Map<String, String> texts = new LinkedHashMap<>();
    for (String line : CorpusFolder.lines(folder.resolve("queries.jsonl"))) {
      ObjectNode query = CorpusFolder.object(line);
      texts.put(query.get("qid").asString(), query.get("query").asString());
    }
    Map<String, Map<String, Integer>> grades = new HashMap<>();
    List<String> judgments = CorpusFolder.lines(folder.resolve("qrels.tsv"));
    for (String line : judgments.subList(1, judgments.size())) {
      String[] cells = line.split("\t");
      grades
          .computeIfAbsent(cells[0], id -> new HashMap<>())
          .put(cells[1], Integer.valueOf(cells[3]));
    }
    return corpus(documents, texts, grades);
  }

  static Corpus readNative(Path folder) throws IOException {
    List<Document> documents = new ArrayList<>();
    for (Map<String, String> record : records(folder.resolve(NATIVE_DOCUMENTS))) {
      ObjectNode source = CorpusFolder.JSON.createObjectNode();
      record.forEach(source::put);
      documents.add(new Document(source.get("id").asString(), source));
    }
    // Judgments refer to a query by its position in the file, from 1, and not by its number.
    Map<String, String> texts = new LinkedHashMap<>();
    for (Map<String, String> record : records(folder.resolve("cran.qry"))) {
      texts.put(String.valueOf(texts.size() + 1), record.getOrDefault("body", ""));
    }
    Map<String, Map<String, Integer>> grades = new HashMap<>();
    for (String line : CorpusFolder.lines(folder.resolve("cranqrel"))) {
      String[] cells = line.strip().split("\\s+");
      int code = Integer.parseInt(cells[2]);
      grades
          .computeIfAbsent(cells[0], id -> new HashMap<>())
          .put(cells[1], code < 0 ? 0 : 5 - code);
    }
    return corpus(documents, texts, grades);
  }

  /** Returns the records of a file, each as a map from field name to text. */
  private static List<Map<String, String>> records(Path file) throws IOException {
    List<Map<String, String>> records = new ArrayList<>();
    String field = "";
    for (String line : CorpusFolder.lines(file)) {
      if (line.startsWith(".I ")) {
        records.add(new LinkedHashMap<>(Map.of("id", line.substring(3).strip())));
      } else if (MARKS.containsKey(line.strip())) {
        field = MARKS.getOrDefault(line.strip(), "");
      } else {
        records.getLast().merge(field, line.strip(), (before, more) -> before + " " + more);
      }
    }
    return records;
  }

  private static Corpus corpus(
      List<Document> documents,
      Map<String, String> texts,
      Map<String, Map<String, Integer>> grades) {
    List<JudgedQuery> queries = new ArrayList<>();
    texts.forEach(
        (id, text) -> queries.add(JudgedQuery.of(id, text, grades.getOrDefault(id, Map.of()))));
    return new Corpus("cranfield", CorpusFolder.object(INDEX), FIELDS, documents, queries);
  }
}

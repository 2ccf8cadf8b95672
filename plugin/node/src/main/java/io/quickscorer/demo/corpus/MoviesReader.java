// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo.corpus;

import io.quickscorer.demo.corpus.Corpus.Document;
import io.quickscorer.demo.corpus.Corpus.Fields;
import io.quickscorer.train.data.JudgedQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the Movie Search Ranking Dataset (MSRD) in its published form. The movies are lines of
 * JSON. The judgments are tab-separated lines {@code query_id, query, doc_id, grade} with a header,
 * and may be gzipped.
 */
final class MoviesReader {
  static final String DOCUMENTS = "movies-corpus.jsonl.gz";
  private static final String INDEX = "movies-index-settings.json";
  private static final Fields FIELDS =
      new Fields(
          "title",
          "overview",
          List.of("tags", "genres", "director", "actors", "characters"),
          List.of("year", "votes", "rating", "popularity", "budget"));

  private MoviesReader() {}

  static Corpus read(Path folder) throws IOException {
    ObjectNode index = CorpusFolder.object(Files.readString(folder.resolve(INDEX)));
    List<Document> documents = new ArrayList<>();
    for (String line : CorpusFolder.lines(folder.resolve(DOCUMENTS))) {
      ObjectNode source = CorpusFolder.object(line);
      documents.add(new Document(source.get("id").asString(), source));
    }
    return new Corpus("movies", index, FIELDS, documents, queries(judgments(folder)));
  }

  private static Path judgments(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().matches("movies-judgments.*\\.tsv(\\.gz)?"))
          .sorted()
          .findFirst()
          .orElseThrow(
              () ->
                  new IOException(
                      folder
                          + ": found no file movies-judgments*.tsv or movies-judgments*.tsv.gz"));
    }
  }

  private static List<JudgedQuery> queries(Path judgments) throws IOException {
    Map<String, String> texts = new LinkedHashMap<>();
    Map<String, Map<String, Integer>> grades = new HashMap<>();
    List<String> lines = CorpusFolder.lines(judgments);
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split("\t");
      if (cells.length != 4) {
        throw new IOException(judgments + ": expected 4 cells in a line, found " + cells.length);
      }
      texts.put(cells[0], cells[1]);
      grades
          .computeIfAbsent(cells[0], id -> new HashMap<>())
          .put(cells[2], Integer.valueOf(cells[3]));
    }
    List<JudgedQuery> queries = new ArrayList<>();
    texts.forEach(
        (id, text) -> queries.add(JudgedQuery.of(id, text, grades.getOrDefault(id, Map.of()))));
    return queries;
  }
}

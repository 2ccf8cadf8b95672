// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo.corpus;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.demo.corpus.Corpus.Document;
import io.quickscorer.demo.corpus.Corpus.Fields;
import io.quickscorer.train.data.JudgmentFile;
import io.quickscorer.train.data.Judgments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    List<Document> documents = CorpusFolder.documents(folder.resolve(DOCUMENTS));
    try {
      Judgments judged = JudgmentFile.read(judgments(folder), null, Judgments.Conflict.LAST);
      return new Corpus("movies", index, FIELDS, documents, judged.queries());
    } catch (Failure e) {
      throw new IOException(e.getMessage(), e);
    }
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
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo.corpus;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads a corpus (documents and queries) from a folder. The names of the files determine the
 * format.
 */
public final class CorpusFolder {
  static final JsonMapper JSON = new JsonMapper();

  private CorpusFolder() {}

  /**
   * Reads the corpus in a folder: the movies corpus ({@code movies-corpus.jsonl.gz} with a
   * judgments file), Cranfield in its original format ({@code cran.all.1400.gz}), or Cranfield as
   * lines of JSON ({@code docs.jsonl.gz}, also in a subfolder {@code jsonl}). If the folder
   * contains several of them, reads the first one in this order.
   *
   * @throws IOException if a file cannot be read, or the folder contains none of these corpora
   */
  public static Corpus read(Path folder) throws IOException {
    if (Files.exists(folder.resolve(MoviesReader.DOCUMENTS))) {
      return MoviesReader.read(folder);
    }
    if (Files.exists(folder.resolve(CranfieldReader.NATIVE_DOCUMENTS))) {
      return CranfieldReader.readNative(folder);
    }
    for (Path candidate : List.of(folder, folder.resolve("jsonl"))) {
      if (Files.exists(candidate.resolve(CranfieldReader.JSON_DOCUMENTS))) {
        return CranfieldReader.readJson(candidate);
      }
    }
    throw new IOException(
        folder
            + ": found no known corpus, expected "
            + MoviesReader.DOCUMENTS
            + ", "
            + CranfieldReader.JSON_DOCUMENTS
            + " or "
            + CranfieldReader.NATIVE_DOCUMENTS);
  }

  /** Returns the lines of a text file, which is gzipped if its name ends with {@code .gz}. */
  static List<String> lines(Path file) throws IOException {
    boolean gzipped = file.getFileName().toString().endsWith(".gz");
    try (InputStream bytes = Files.newInputStream(file);
        InputStream plain = gzipped ? new GZIPInputStream(bytes) : bytes;
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8))) {
      return reader.lines().toList();
    }
  }

  /** Returns the documents in a file with one JSON object per line. */
  static List<Corpus.Document> documents(Path file) throws IOException {
    return lines(file).stream()
        .map(CorpusFolder::object)
        .map(source -> new Corpus.Document(source.get("id").asString(), source))
        .toList();
  }

  static ObjectNode object(String json) {
    return (ObjectNode) JSON.readTree(json);
  }
}

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

/** A folder with a corpus in one of the supported forms, which its files determine. */
public final class CorpusFolder {
  static final JsonMapper JSON = new JsonMapper();

  private CorpusFolder() {}

  /**
   * Reads the corpus of a folder: the movies corpus ({@code movies-corpus.jsonl.gz} with a
   * judgments file), Cranfield as lines of JSON ({@code docs.jsonl.gz}, in the folder or in its
   * subfolder {@code jsonl}) or as it was first published ({@code cran.all.1400.gz}). Where a
   * folder holds Cranfield twice, its own files win over the subfolder's.
   *
   * @throws IOException if a file cannot be read, or the folder holds none of these
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
            + " holds no known corpus: expected "
            + MoviesReader.DOCUMENTS
            + ", "
            + CranfieldReader.JSON_DOCUMENTS
            + " or "
            + CranfieldReader.NATIVE_DOCUMENTS);
  }

  /** The lines of a text file, gzipped if its name says so. */
  static List<String> lines(Path file) throws IOException {
    boolean gzipped = file.getFileName().toString().endsWith(".gz");
    try (InputStream bytes = Files.newInputStream(file);
        InputStream plain = gzipped ? new GZIPInputStream(bytes) : bytes;
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8))) {
      return reader.lines().toList();
    }
  }

  static ObjectNode object(String json) {
    return (ObjectNode) JSON.readTree(json);
  }
}

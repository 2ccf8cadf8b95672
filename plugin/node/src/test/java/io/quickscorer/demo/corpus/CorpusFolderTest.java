// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.train.data.JudgedQuery;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CorpusFolderTest {
  @TempDir private Path folder;

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    try (OutputStream out =
        name.endsWith(".gz")
            ? new GZIPOutputStream(Files.newOutputStream(file))
            : Files.newOutputStream(file)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void readsMovies() throws IOException {
    write(
        "movies-corpus.jsonl.gz",
        "{\"id\":\"7\",\"title\":\"Heat\",\"votes\":3}\n{\"id\":\"8\",\"title\":\"Ice\"}\n");
    write(
        "movies-index-settings.json",
        "{\"mappings\":{\"properties\":{\"title\":{\"type\":\"text\"}}}}");
    write(
        "movies-judgments-some.tsv.gz",
        "query_id\tquery\tdoc_id\tgrade\nq1\theat\t7\t1\nq1\theat\t8\t0\nq2\tice age\t8\t1\n");
    Corpus corpus = CorpusFolder.read(folder);
    assertEquals("movies", corpus.name());
    assertEquals(List.of("7", "8"), corpus.documents().stream().map(Corpus.Document::id).toList());
    assertEquals("Heat", corpus.documents().getFirst().source().get("title").asString());
    assertEquals(JudgedQuery.of("q1", "heat", Map.of("7", 1, "8", 0)), corpus.queries().getFirst());
    assertEquals("ice age", corpus.queries().getLast().text());
    assertEquals("text", corpus.index().at("/mappings/properties/title/type").asString());
  }

  @Test
  void readsCranfieldInBothFormsAlike() throws IOException {
    write(
        "cran.all.1400.gz",
        ".I 1\n"
            + ".T\n"
            + "flow past\n"
            + "a wing .\n"
            + ".A\n"
            + "ting,l.\n"
            + ".B\n"
            + "j. ae. 1958\n"
            + ".W\n"
            + "flow past it\n"
            + ".I 2\n"
            + ".T\n"
            + "heat\n"
            + ".W\n");
    write("cran.qry", ".I 001\n.W\nwhat flows\nwhere .\n.I 004\n.W\nwhat heats .\n");
    write("cranqrel", "1 1 1 \n1 2 -1\n2 2 4 \n");
    Corpus original = CorpusFolder.read(folder);
    Files.delete(folder.resolve("cran.all.1400.gz"));
    write(
        "jsonl/docs.jsonl.gz",
        """
        {"id":"1","title":"flow past a wing .","author":"ting,l.","bibliography":"j. ae. 1958","body":"flow past it"}
        {"id":"2","title":"heat"}
        """);
    write(
        "jsonl/queries.jsonl",
        """
        {"qid":1,"orig_id":"001","query":"what flows where ."}
        {"qid":2,"orig_id":"004","query":"what heats ."}
        """);
    write(
        "jsonl/qrels.tsv",
        "qid\tdoc_id\toriginal_code\tgrade\n1\t1\t1\t4\n1\t2\t-1\t0\n2\t2\t4\t1\n");
    Corpus lines = CorpusFolder.read(folder);
    assertEquals(lines.queries(), original.queries());
    assertEquals(lines.documents(), original.documents());
    assertEquals(4, original.queries().getFirst().grade("1"));
  }

  @Test
  void unknownFolderIsNamed() {
    IOException failure = assertThrows(IOException.class, () -> CorpusFolder.read(folder));
    assertTrue(failure.getMessage().contains(folder.toString()), failure.getMessage());
  }
}

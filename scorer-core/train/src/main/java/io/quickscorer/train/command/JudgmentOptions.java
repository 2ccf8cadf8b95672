// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.data.JudgmentFile;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The judgments. */
final class JudgmentOptions {
  @Option(
      names = "--judgments",
      required = true,
      paramLabel = "FILE",
      description = {
        "Grades of documents for queries: a table (TSV or CSV) whose header names query, doc_id and"
            + " grade, and perhaps query_id; or with --queries TREC qrels."
      })
  private Path judgments = Path.of("");

  @Option(
      names = "--queries",
      paramLabel = "FILE",
      description = "For qrels: lines of a query's id, a tab and its text.")
  private @Nullable Path queries;

  /** The queries with a good answer; others say nothing about a ranking. */
  List<JudgedQuery> read() throws Failure {
    List<JudgedQuery> good =
        JudgmentFile.read(judgments, queries).stream().filter(JudgedQuery::hasGoodAnswer).toList();
    if (good.isEmpty()) {
      throw Failure.usage(judgments + ": no query has a document with a grade above 0");
    }
    return good;
  }

  Path file() {
    return judgments;
  }
}

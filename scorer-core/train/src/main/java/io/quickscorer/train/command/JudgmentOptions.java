// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.data.JudgmentFile;
import io.quickscorer.train.data.WorkbenchJudgments;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The judgments. */
final class JudgmentOptions {
  @Option(
      names = "--judgments",
      paramLabel = "FILE",
      description = {
        "Grades of documents for queries: a table (TSV or CSV) whose header names query, doc_id and"
            + " grade, and perhaps query_id; with --queries TREC qrels; or a .json file with a"
            + " judgment list of the Search Relevance Workbench."
      })
  private @Nullable Path judgments;

  @Option(
      names = "--judgment-list",
      paramLabel = "ID",
      description = "Instead of --judgments: a list of the cluster's Search Relevance Workbench.")
  private @Nullable String list;

  @Option(
      names = "--queries",
      paramLabel = "FILE",
      description = "For qrels: lines of a query's id, a tab and its text.")
  private @Nullable Path queries;

  /** The queries with a good answer; others say nothing about a ranking. */
  List<JudgedQuery> read(ClusterOptions cluster) throws Failure {
    Path file = judgments;
    String id = list;
    if (file != null && id == null) {
      return good(JudgmentFile.read(file, queries), file.toString());
    }
    if (id != null && file == null) {
      return good(workbench(cluster, id), "judgment list " + id);
    }
    throw Failure.usage("expected one of the options --judgments and --judgment-list");
  }

  private static List<JudgedQuery> good(List<JudgedQuery> all, String where) throws Failure {
    List<JudgedQuery> good = all.stream().filter(JudgedQuery::hasGoodAnswer).toList();
    if (good.isEmpty()) {
      throw Failure.usage(where + ": no query has a document with a grade above 0");
    }
    int left = all.size() - good.size();
    if (left > 0) {
      System.out.println(
          where + ": " + left + " queries without a document of a grade above 0 are left out");
    }
    return good;
  }

  private static List<JudgedQuery> workbench(ClusterOptions cluster, String id) throws Failure {
    String path = "/_plugins/_search_relevance/judgments/" + id;
    try {
      return WorkbenchJudgments.read(cluster.client().get(path));
    } catch (IllegalStateException | UncheckedIOException e) {
      throw Failure.usage(String.valueOf(e.getMessage()));
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.data.JudgmentFile;
import io.quickscorer.train.data.Judgments;
import io.quickscorer.train.data.WorkbenchJudgments;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The command-line options that select the judgments (grades of documents) to read. */
final class JudgmentOptions {
  @Option(
      names = "--judgments",
      paramLabel = "FILE",
      description = {
        "Grades of documents for queries: a table (TSV or CSV) with the columns query, doc_id and"
            + " grade, and optionally query_id and params.NAME; RankLib's lines, such as 4 qid:1 #"
            + " 7555; TREC qrels, with --queries; or a .json file with a judgment list of the"
            + " Search Relevance Workbench."
      })
  private @Nullable Path judgments;

  @Option(
      names = "--judgment-list",
      paramLabel = "ID",
      description =
          "Instead of --judgments: id of a judgment list in the cluster's Search Relevance"
              + " Workbench.")
  private @Nullable String list;

  @Option(
      names = "--queries",
      paramLabel = "FILE",
      description = "For qrels: a file with lines of a query's id, a tab and the query's text.")
  private @Nullable Path queries;

  @Option(
      names = "--on-conflict",
      paramLabel = "NAME",
      description =
          "The grade that counts if a document has several for one query:"
              + " ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Judgments.Conflict onConflict = Judgments.Conflict.ERROR;

  @Option(
      names = "--convert-grades",
      description =
          "Converts grades that are not whole numbers from 0 to 30, which trainers require. Up to"
              + " 31 different grades are replaced by their ranks; more are scaled to 0 to 4.")
  private boolean convertGrades;

  @Option(
      names = "--id-field",
      paramLabel = "FIELD",
      description = "The field of the index with the ids of the judgments (default: _id).")
  private @Nullable String idField;

  @Option(
      names = "--min-coverage",
      paramLabel = "SHARE",
      description =
          "Stops if a smaller share of the judged documents is in the index"
              + " (default: ${DEFAULT-VALUE}).")
  private double minCoverage = 0.8;

  /**
   * Reads the judgments of queries with a relevant document, searches for the documents in the
   * index, and prints the coverage.
   *
   * @param index the index; null to skip the search
   */
  Coverage read(ClusterOptions cluster, @Nullable String index) throws Failure {
    if (!(minCoverage >= 0 && minCoverage <= 1)) {
      throw Failure.usage("--min-coverage: " + minCoverage + ", expected 0 to 1");
    }
    if (index == null && idField != null) {
      throw Failure.usage("--id-field: expected --cluster and --index as well");
    }
    Judgments read = read(cluster);
    Coverage coverage =
        index == null
            ? Coverage.unknown(read)
            : Coverage.of(read, cluster.client(), index, idField, minCoverage);
    coverage.lines().forEach(line -> System.out.println("    " + line));
    return coverage;
  }

  private Judgments read(ClusterOptions cluster) throws Failure {
    Path file = judgments;
    String id = list;
    if (file != null && id == null) {
      return good(JudgmentFile.read(file, queries, onConflict), file.toString());
    }
    if (id != null && file == null) {
      return good(workbench(cluster, id), "judgment list " + id);
    }
    throw Failure.usage("expected exactly one of the options --judgments and --judgment-list");
  }

  private Judgments good(Judgments all, String where) throws Failure {
    if (all.loss() != null && !convertGrades) {
      throw Failure.usage(
          where
              + ": trainers need whole grades from 0 to 30; --convert-grades converts them: "
              + all.grades()
              + " ("
              + all.loss()
              + ")");
    }
    List<JudgedQuery> good = all.queries().stream().filter(JudgedQuery::hasGoodAnswer).toList();
    if (good.isEmpty()) {
      throw Failure.usage(where + ": no query has a document with a grade above 0");
    }
    int leftOut = all.queries().size() - good.size();
    if (leftOut > 0) {
      System.out.println(
          where
              + ": left out "
              + leftOut
              + " queries, because none of their documents has a grade above 0");
    }
    return all.with(good);
  }

  private Judgments workbench(ClusterOptions cluster, String id) throws Failure {
    String path = "/_plugins/_search_relevance/judgments/" + id;
    return WorkbenchJudgments.read(cluster.client().get(path), onConflict);
  }
}

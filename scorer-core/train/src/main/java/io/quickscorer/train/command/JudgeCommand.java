// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.click.ClickJudge;
import io.quickscorer.train.click.SearchReader;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quickscorer judge}: computes judgments from clicks. */
@Command(
    name = "judge",
    description = {
      "Reads searches, impressions and clicks, as records of User Behavior Insights, and writes"
          + " judgments for train: judgments.tsv, judgments.json for the Search Relevance"
          + " Workbench, judgments.html, and searches.tsv for --clicks of train.",
      "Users look at the first hits most, so these get more clicks. This effect is estimated from"
          + " documents that were shown at several positions, and corrected."
    },
    mixinStandardHelpOptions = true)
final class JudgeCommand extends ClusterCommand {
  private static final int MAX_POSITIONS = 1_000;

  @Mixin private ClusterOptions cluster = new ClusterOptions();
  @Mixin private ClickOptions clicks = new ClickOptions();

  @Option(
      names = "--searches-index",
      paramLabel = "NAME",
      description = "With --cluster: the index of the searches (default: ${DEFAULT-VALUE}).")
  private String index = "ubi_queries";

  @Option(
      names = "--impression",
      paramLabel = "NAME",
      description =
          "The action of events for hits that were shown (default: ${DEFAULT-VALUE}). If a"
              + " search has no such events, the ids in its response are used.")
  private String impression = "impression";

  @Option(
      names = "--positions",
      paramLabel = "N",
      description = "Number of positions that count (default: ${DEFAULT-VALUE}).")
  private int positions = 20;

  @Option(
      names = "--min-looks",
      paramLabel = "N",
      description =
          "A document is judged for a query only if users looked at it at least this often, as"
              + " estimated (default: ${DEFAULT-VALUE}).")
  private double minLooks = 5;

  @Option(
      names = "--estimator",
      paramLabel = "NAME",
      description =
          "UNBIASED corrects the clicks for the position; COEC (clicks divided by the clicks"
              + " expected at the position) only in part, and NAIVE (clicks divided by impressions)"
              + " not at all. Default: ${DEFAULT-VALUE}.")
  private ClickJudge.Estimator estimator = ClickJudge.Estimator.UNBIASED;

  @Option(
      names = "--features",
      paramLabel = "FILE",
      description =
          "Feature values of the shown documents, as log writes them for judgments with the same"
              + " queries. Used to estimate the attention if documents keep their positions.")
  private @Nullable Path features;

  @Option(
      names = "--rankings",
      paramLabel = "FILE",
      description =
          "A table with the columns query, document and position: rankings by another model."
              + " Estimates how many clicks per search they would have got.")
  private @Nullable Path rankings;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FOLDER",
      description = "Folder for the files (default: ${DEFAULT-VALUE}).")
  private Path output = Path.of("judged");

  @Override
  int run() throws Failure {
    clicks.check(cluster);
    if (positions < 2 || positions > MAX_POSITIONS || !(minLooks > 0)) {
      throw Failure.usage(
          "expected --positions from 2 to " + MAX_POSITIONS + ", and --min-looks above 0");
    }
    new FolderFiles(output).create();
    SearchReader searches =
        new SearchReader(clicks.actions("", ""), impression, positions, clicks.maxSearches(1_000));
    clicks.read(cluster, searches, index, impression);
    ClickJudge judge = new ClickJudge(searches);
    if (features != null) {
      judge.readFeatures(features);
    }
    if (rankings != null) {
      judge.readRankings(rankings);
    }
    judge.judge(estimator, minLooks);
    judge.report().forEach(System.out::println);
    FolderFiles.write(output.resolve("judgments.tsv"), judge.table());
    FolderFiles.write(output.resolve("judgments.json"), judge.workbench());
    FolderFiles.write(output.resolve("judgments.html"), judge.page());
    searches.write(output.resolve("searches.tsv"));
    System.out.println("    " + output.resolve("judgments.tsv"));
    return 0;
  }
}

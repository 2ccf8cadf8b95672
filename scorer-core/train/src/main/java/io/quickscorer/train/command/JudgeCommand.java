// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.click.ClickJudge;
import io.quickscorer.train.click.Estimator;
import io.quickscorer.train.click.EventReader;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quickscorer judge}: derives judgments from clicks. */
@Command(
    name = "judge",
    description = {
      "Reads searches, impressions and clicks, as records of User Behavior Insights, and writes"
          + " judgments for train: judgments.tsv, judgments.json for the Search Relevance"
          + " Workbench, judgments.html, and searches.tsv for --clicks of train.",
      "Users click what they look at, and they look at the first hits most: how much more is"
          + " estimated from documents that were shown at several positions, and taken out."
    },
    mixinStandardHelpOptions = true)
final class JudgeCommand implements Callable<Integer> {
  /** Maximum number of positions, more than users look at. */
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
              + " search has none, the ids of its response are used.")
  private String impression = "impression";

  @Option(
      names = "--positions",
      paramLabel = "N",
      description = "Number of positions that count (default: ${DEFAULT-VALUE}).")
  private int positions = 20;

  @Option(
      names = "--max-searches",
      paramLabel = "N",
      description = "Maximum searches of one client that count (default: ${DEFAULT-VALUE}).")
  private int maxSearches = 1_000;

  @Option(
      names = "--min-looks",
      paramLabel = "N",
      description =
          "How often users must have looked at a document for a query, as expected by the"
              + " estimate, for it to be judged (default: ${DEFAULT-VALUE}).")
  private double minLooks = 5;

  @Option(
      names = "--estimator",
      paramLabel = "NAME",
      description =
          "UNBIASED, or without a correction NAIVE (clicks over shows) or COEC (clicks over those"
              + " expected at the position). Default: ${DEFAULT-VALUE}.")
  private Estimator estimator = Estimator.UNBIASED;

  @Option(
      names = "--rankings",
      paramLabel = "FILE",
      description =
          "A table with the columns query, document and position: how another model would rank. The"
              + " clicks per search that its rankings would have had are estimated.")
  private @Nullable Path rankings;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FOLDER",
      description = "Where to write (default: ${DEFAULT-VALUE}).")
  private Path output = Path.of("judged");

  @Override
  public Integer call() throws Failure {
    clicks.check(cluster);
    if (positions < 2 || positions > MAX_POSITIONS || maxSearches < 1 || !(minLooks > 0)) {
      throw Failure.usage(
          "expected --positions from 2 to "
              + MAX_POSITIONS
              + ", --max-searches of 1 or more, --min-looks above 0");
    }
    new FolderFiles(output).create();
    EventReader events = clicks.reader(null, null);
    ClickJudge judge = new ClickJudge(events, impression, positions, maxSearches);
    clicks.read(cluster, judge, index, Set.of(impression));
    if (rankings != null) {
      judge.readRankings(rankings);
    }
    judge.judge(estimator, minLooks);
    judge.report().forEach(System.out::println);
    FolderFiles.write(output.resolve("judgments.tsv"), judge.table());
    FolderFiles.write(output.resolve("judgments.json"), judge.workbench());
    FolderFiles.write(output.resolve("judgments.html"), judge.page());
    judge.writeSearches(output.resolve("searches.tsv"));
    System.out.println("    " + output.resolve("judgments.tsv"));
    return 0;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.click.ClickComparison;
import io.quickscorer.train.click.ConfidenceSequence;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quickscorer compare}: determines which of two interleaved models users prefer. */
@Command(
    name = "compare",
    description = {
      "Reads the clicks of interleaved searches, as events of User Behavior Insights, and reports"
          + " which of the two models users prefer.",
      "You may check the interval as often as you like, and stop when it does not contain 0.5."
    },
    mixinStandardHelpOptions = true)
final class CompareCommand extends ClusterCommand {
  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Mixin private ClickOptions clicks = new ClickOptions();

  @Option(
      names = "--models",
      split = ",",
      paramLabel = "NAME",
      description =
          "The two models of the clause, separated by a comma (default: the models in the events,"
              + " if there are two).")
  private List<String> models = List.of();

  @Option(
      names = "--team-field",
      paramLabel = "PATH",
      description =
          "Field in events with the model (team) that selected the hit (default:"
              + " ${DEFAULT-VALUE}).")
  private String team = "event_attributes.team";

  @Option(
      names = "--segment",
      paramLabel = "PATH",
      description = "Field in events; the result is also shown for each of its values.")
  private String segment = "";

  @Option(
      names = "--confidence",
      paramLabel = "C",
      description = "Confidence of the interval, below 1 (default: ${DEFAULT-VALUE}).")
  private double confidence = 0.95;

  @Option(
      names = "--plan",
      paramLabel = "SHARE",
      description =
          "Reads no events. Prints how many searches with a winner are needed to detect that one"
              + " model wins this share of them, such as 0.55.")
  private @Nullable Double plan;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FOLDER",
      description = "Folder for compare.json and compare.html (default: they are not written).")
  private @Nullable Path output;

  @Override
  int run() throws Failure {
    if (!(confidence > 0 && confidence < 1)) {
      throw Failure.usage("--confidence: " + confidence + ", expected more than 0 and less than 1");
    }
    ConfidenceSequence sequence = new ConfidenceSequence(confidence);
    if (plan != null) {
      plan(sequence, plan);
      return 0;
    }
    clicks.check(cluster);
    if (!segment.isEmpty() && clicks.isOnlyTables()) {
      throw Failure.usage("--segment: a table has no such field; expected --cluster or --events");
    }
    if (!models.isEmpty() && (models.size() != 2 || models.getFirst().equals(models.getLast()))) {
      throw Failure.usage("--models: " + models + ", expected two different names");
    }
    if (output != null) {
      new FolderFiles(output).create();
    }
    ClickComparison comparison =
        new ClickComparison(clicks.actions(team, segment), sequence, clicks.maxSearches(50));
    clicks.read(cluster, comparison, null);
    comparison.result(models);
    comparison.report().forEach(System.out::println);
    if (output != null) {
      FolderFiles.write(output.resolve("compare.json"), comparison.json());
      FolderFiles.write(output.resolve("compare.html"), comparison.page());
      System.out.println("    " + output.resolve("compare.html"));
    }
    return 0;
  }

  private static void plan(ConfidenceSequence sequence, double share) throws Failure {
    if (!(share > 0.5 && share <= 1)) {
      throw Failure.usage("--plan: " + share + ", expected more than 0.5 and at most 1");
    }
    double[] powers = {0.5, 0.8, 0.95};
    Map<Double, Integer> needed = sequence.trials(share, powers);
    System.out.println(
        "    number of searches with a winner needed to detect that one model wins a share"
            + " of "
            + share
            + " of them:");
    for (double power : powers) {
      Object searches =
          needed.containsKey(power)
              ? needed.get(power)
              : "more than " + ConfidenceSequence.MAX_TRIALS;
      System.out.println(
          String.format(Locale.ROOT, "    in %2.0f %% of experiments: %s", 100 * power, searches));
    }
  }
}

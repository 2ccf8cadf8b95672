// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code quickscorer evaluate}: evaluates a trained model on its held-out queries. */
@Command(
    name = "evaluate",
    description = {
      "Ranks the held-out queries of a folder that train wrote, and writes result.json and"
          + " report.html again; the judgments may be newer than those of the training. With"
          + " --cluster, the judged documents are searched in the index of the training.",
    },
    mixinStandardHelpOptions = true)
final class EvaluateCommand extends ClusterCommand {
  @Parameters(index = "0", paramLabel = "FOLDER", description = "The folder that train wrote.")
  private Path folder = Path.of("training");

  @Mixin private ClusterOptions cluster = new ClusterOptions();
  @Mixin private JudgmentOptions judgments = new JudgmentOptions();

  @Option(
      names = "--depth",
      paramLabel = "K",
      description = "Depth of NDCG (default: ${DEFAULT-VALUE}).")
  private int depth = 10;

  @Option(
      names = "--against",
      paramLabel = "MODEL|ALIAS",
      description =
          "A model of the cluster, which ranks the same hits with its own features; the new model"
              + " must be better than this model, too.")
  private @Nullable String against;

  @Override
  int run() throws Failure {
    if (depth < 1) {
      throw Failure.usage("--depth: " + depth + ", expected 1 or more");
    }
    if (against != null && !cluster.isGiven()) {
      throw Failure.usage("--against: expected --cluster as well");
    }
    TrainingFolder made = new TrainingFolder(folder);
    Coverage judged = judgments.read(cluster, cluster.isGiven() ? made.index() : null);
    System.out.println("    gain of NDCG: " + made.measure(judged, depth).gain());
    if (against != null) {
      made.holdAgainst(cluster, against, judged);
    }
    made.evaluate(judged, depth, ids -> Map.of());
    return 0;
  }
}

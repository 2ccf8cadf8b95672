// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quickscorer log}: the features of judged queries' hits, as a file. */
@Command(
    name = "log",
    description = {
      "Searches with the judgments' queries and writes the feature values of their hits to a file.",
      "Called again with the same file it goes on where it was stopped."
    },
    mixinStandardHelpOptions = true)
final class LogCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster = new ClusterOptions();
  @Mixin private JudgmentOptions judgments = new JudgmentOptions();
  @Mixin private LogOptions log = new LogOptions();

  @Option(
      names = {"-o", "--output"},
      defaultValue = "features.ndjson",
      paramLabel = "FILE",
      description = "The file (default: ${DEFAULT-VALUE}).")
  private Path output = Path.of("features.ndjson");

  @Override
  public Integer call() throws Failure {
    log.log(cluster, judgments.read(cluster), output);
    return 0;
  }
}

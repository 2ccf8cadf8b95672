// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.data.FeatureLog;
import io.quickscorer.train.data.FeatureRows;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.data.TrainerFormat;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quickscorer log}: writes the feature values of judged queries' hits to a file. */
@Command(
    name = "log",
    description = {
      "Searches with the judgments' queries and writes the feature values of their hits to a file.",
      "If called again with the same file, it continues where it stopped, except with --format."
    },
    mixinStandardHelpOptions = true)
final class LogCommand extends ClusterCommand {
  @Mixin private ClusterOptions cluster = new ClusterOptions();
  @Mixin private JudgmentOptions judgments = new JudgmentOptions();
  @Mixin private LogOptions log = new LogOptions();

  @Option(
      names = "--format",
      paramLabel = "NAME",
      description = {
        "Writes files for other programs instead of a file for train: ${COMPLETION-CANDIDATES}.",
        "LIGHTGBM: also FILE.query (number of rows per query) and FILE.conf (parameters).",
        "XGBOOST: also FILE.group (number of rows per query) and FILE.fmap (feature names).",
        "CATBOOST: also FILE.cd (columns). The other formats have one file."
      })
  private @Nullable TrainerFormat format;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description =
          "The file to write (default: features.ndjson, or features with the extension of"
              + " --format).")
  private @Nullable Path output;

  @Override
  int run() throws Failure {
    Coverage judged = judgments.read(cluster, log.index());
    List<JudgedQuery> queries = judged.judgments().queries();
    TrainerFormat trainer = format;
    Path file = output;
    if (file == null) {
      file = Path.of("features." + (trainer == null ? "ndjson" : trainer.extension()));
    }
    FeatureLogging logging = new FeatureLogging(log, cluster);
    if (trainer == null) {
      logging.write(queries, names -> {}, file);
      FeatureLog rows = FeatureLog.read(file);
      System.out.println("    " + judged.logged(FeatureRows.read(queries, rows.lines())));
    } else {
      logging.write(queries, trainer, file);
    }
    return 0;
  }
}

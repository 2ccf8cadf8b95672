// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code quickscorer upload}: uploads a trained model to a cluster. */
@Command(
    name = "upload",
    description = {
      "Uploads the model of a folder that train wrote, with sample rows and the trainer's scores."
          + " The cluster refuses the model if its scores differ. --alias needs an evaluation"
          + " --against the model that the alias points to.",
    },
    mixinStandardHelpOptions = true)
final class UploadCommand extends ClusterCommand {
  @Parameters(index = "0", paramLabel = "FOLDER", description = "The folder that train wrote.")
  private Path folder = Path.of("training");

  @Mixin private ClusterOptions cluster = new ClusterOptions();
  @Mixin private UploadOptions upload = new UploadOptions();

  @Option(
      names = "--feature-set",
      required = true,
      paramLabel = "NAME",
      description = "The stored feature set that contains the model's features.")
  private String featureSet = "";

  @Override
  int run() throws Failure {
    if (!upload.isGiven()) {
      throw Failure.usage("Missing required option: '--upload'");
    }
    upload.check(cluster);
    TrainingFolder made = new TrainingFolder(folder);
    if (upload.alias() != null) {
      made.result();
    }
    upload.upload(made, cluster.client(), featureSet);
    return 0;
  }
}

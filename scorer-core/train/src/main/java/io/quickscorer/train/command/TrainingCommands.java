// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.Subcommands;
import java.util.List;

/** The subcommands from judgments to a model in a cluster. */
public final class TrainingCommands implements Subcommands {
  @Override
  public List<Object> commands() {
    return List.of(
        new TrainCommand(),
        new LogCommand(),
        new EvaluateCommand(),
        new UploadCommand(),
        new CompareCommand(),
        new JudgeCommand(),
        new MigrateCommand());
  }
}

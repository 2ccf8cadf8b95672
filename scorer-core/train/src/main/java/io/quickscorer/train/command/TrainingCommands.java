// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.Subcommands;
import java.util.List;

/** Adds the subcommands for training, clicks and migration to the program {@code quickscorer}. */
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

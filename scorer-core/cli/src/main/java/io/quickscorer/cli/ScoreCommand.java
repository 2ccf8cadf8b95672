// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.cli.input.Inputs;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code quickscorer score}: prints one score per document. */
@Command(
    name = "score",
    description = {
      "Prints the score of each document of DATA, one per line, with all its digits.",
      "",
      Inputs.DATA
    },
    mixinStandardHelpOptions = true)
final class ScoreCommand implements Callable<Integer> {
  @Mixin private ScoreOptions options = new ScoreOptions();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Failure {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    try {
      options.score(
          (ensemble, matrix, document, score) -> out.println(ScoreOptions.digits(ensemble, score)));
    } finally {
      out.flush();
    }
    return 0;
  }
}

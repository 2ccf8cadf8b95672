// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.input;

import io.quickscorer.ensemble.TreeEnsemble;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The arguments of a command that reads a model and a file of documents. */
public final class Inputs {
  /** The description of the argument {@code DATA} in the help of a command. */
  public static final String DATA =
      "DATA contains LETOR/SVMlight lines, \"label [qid:query] feature:value ... [# comment]\", or"
          + " a table with a header of feature names, separated by tabs or commas. An empty field"
          + " of a table is a missing value. DATA may be gzipped. Values are rounded to float.";

  @Mixin private ModelArgument model = new ModelArgument();

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "DATA",
      description = "File of documents, may be gzipped; standard input if it is - or omitted.")
  private Path data = Path.of("-");

  @Mixin private DataOptions options = new DataOptions();

  /** Returns the path of the model's file. */
  public Path model() {
    return model.file();
  }

  public TreeEnsemble readModel() throws Failure {
    options.check();
    return model.read();
  }

  public Rows openData(TreeEnsemble ensemble) throws Failure {
    return options.open(data, ensemble, model.hasCategories());
  }

  /** Returns the failure for a valid model that the command cannot use. */
  public Failure unfit(String message) {
    return model.unfit(message);
  }

  /** Returns the failure for documents that could not be read to their end. */
  public Failure unreadable(IOException e) {
    return Failure.io(data, e);
  }
}

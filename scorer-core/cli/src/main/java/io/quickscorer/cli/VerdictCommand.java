// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.cli.verdict.ModelFolder;
import io.quickscorer.cli.verdict.ParityChecker;
import io.quickscorer.cli.verdict.Verdict;
import io.quickscorer.cli.verdict.Verdict.Result;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code quickscorer verdict}: says of every model in a folder whether it scores as its trainer.
 */
@Command(
    name = "verdict",
    description = {
      "Reads every file below FOLDER, and for each model says whether it is refused, and why, or"
          + " scores what its trainer gave.",
      "",
      "The trainer's scores stand, one per line, in a file named as the model with words after it:"
          + " model.json.gz and model.expected.tsv, model_predictions.txt, model.json.margin.tsv."
          + " \"raw\" and \"margin\" say that they are sums over the trees, \"transformed\" and"
          + " \"predict\" that they are what predict returns. The rows are SVMlight lines or a"
          + " table without a header, in a file named as the model, such as model.data.tsv, or in"
          + " any of which the scores show that it has them.",
      "",
      "The exit status is 1 if a model differs, 4 if one has scores that could not be compared."
    },
    mixinStandardHelpOptions = true)
public final class VerdictCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "FOLDER", description = "Where the models are.")
  private Path folder = Path.of("");

  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      description = "Where else the rows' files may be; may be given again.")
  private List<Path> data = new ArrayList<>();

  @Option(names = "--json", description = "Prints one JSON object.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Failure {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    PrintWriter err = Objects.requireNonNull(spec).commandLine().getErr();
    ModelFolder models = walk(folder);
    List<ModelFolder> more = new ArrayList<>();
    for (Path other : data) {
      more.add(walk(other));
    }
    ParityChecker checker = new ParityChecker(folder, models, more);
    List<Verdict> verdicts = new ArrayList<>();
    Map<Result, Integer> counts = new EnumMap<>(Result.class);
    int done = 0;
    for (Path file : models.files()) {
      Verdict verdict = checker.check(file);
      boolean shown = verdict.result() != Result.NOT_A_MODEL || !checker.isData(file);
      done++;
      if (shown) {
        counts.merge(verdict.result(), 1, Integer::sum);
        verdicts.add(verdict);
      }
      if (shown && !json) {
        out.printf(
            Locale.ROOT, "%-60s %-18s %s%n", verdict.file(), verdict.format(), verdict.text());
        out.flush();
      }
      if (System.console() != null) {
        err.printf(Locale.ROOT, "%d of %d files\r", done, models.files().size());
        err.flush();
      }
    }
    print(out, verdicts, counts);
    if (counts.containsKey(Result.DIFFERS)) {
      return 1;
    }
    return counts.containsKey(Result.NOT_COMPARED) ? Failure.DATA : 0;
  }

  private void print(PrintWriter out, List<Verdict> verdicts, Map<Result, Integer> counts) {
    Map<String, Integer> summary = new LinkedHashMap<>();
    counts.forEach(
        (result, count) ->
            summary.put(result.name().toLowerCase(Locale.ROOT).replace('_', ' '), count));
    if (json) {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("folder", folder);
      all.put("summary", summary);
      all.put("models", verdicts.stream().map(Verdict::toMap).toList());
      out.println(Json.of(all));
    } else {
      out.println();
      summary.forEach((label, count) -> out.printf(Locale.ROOT, "%5d %s%n", count, label));
    }
    out.flush();
  }

  private static ModelFolder walk(Path folder) throws Failure {
    if (!Files.isDirectory(folder)) {
      throw Failure.usage(folder + ": no such folder");
    }
    try {
      return new ModelFolder(folder);
    } catch (IOException e) {
      throw Failure.io(folder, e);
    }
  }
}

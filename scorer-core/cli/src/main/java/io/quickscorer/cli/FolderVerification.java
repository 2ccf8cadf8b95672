// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.cli.page.Json;
import io.quickscorer.cli.verdict.ParityChecker;
import io.quickscorer.cli.verdict.Verdict;
import io.quickscorer.cli.verdict.Verdict.Result;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Compares the scores of all models in a folder and its subfolders with the trainer's scores.
 *
 * @param data other folders, whose files contain documents
 * @param json whether to print a JSON object instead of text
 */
record FolderVerification(Path folder, List<Path> data, boolean json) {
  /** Checks all models, prints a verdict for each, and returns the exit status of the program. */
  int run(PrintWriter out, PrintWriter err) throws Failure {
    ParityChecker checker = new ParityChecker(folder, data);
    List<Verdict> verdicts = new ArrayList<>();
    Map<Result, Integer> counts = new EnumMap<>(Result.class);
    int done = 0;
    for (Path file : checker.files()) {
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
        err.printf(Locale.ROOT, "%d of %d files\r", done, checker.files().size());
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
    counts.forEach((result, count) -> summary.put(result.label(), count));
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
}

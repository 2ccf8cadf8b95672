// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.verdict;

import io.quickscorer.cli.input.CategoryFields;
import io.quickscorer.cli.input.Failure;
import io.quickscorer.cli.verdict.ModelFolder.Expected;
import io.quickscorer.cli.verdict.Verdict.Result;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Comes to a verdict on model files: reads them, scores the rows for which there are expected
 * scores, and compares.
 *
 * <p>A file whose name says that it has the rows of a model is taken for them. If none agrees, all
 * data files with as many rows are tried, those of like names first. Such a file is known to have
 * the rows only by the scores themselves: enough of them must agree, by no chance.
 */
public final class ParityChecker {
  /** Files are read whole to see what they are; larger ones are passed over. */
  private static final long MAX_BYTES =
      Math.min(Integer.MAX_VALUE - 8, Runtime.getRuntime().maxMemory() / 2);

  private final Path root;
  private final ModelFolder folder;
  private final List<Path> data;
  private final Map<Path, Integer> rowsOf = new HashMap<>();

  /**
   * @param folder where the models are
   * @param more where else data files may be
   * @throws Failure if one of them cannot be read
   */
  public ParityChecker(Path folder, List<Path> more) throws Failure {
    this.root = folder;
    this.folder = new ModelFolder(folder);
    this.data = new ArrayList<>(files());
    for (Path other : more) {
      data.addAll(new ModelFolder(other).files());
    }
  }

  /** All files below the folder of models. */
  public List<Path> files() {
    return folder.files();
  }

  /** The verdict on one file. */
  public Verdict check(Path file) {
    Path shown = root.relativize(file);
    TreeEnsemble ensemble;
    try {
      long bytes = Files.size(file);
      if (bytes > MAX_BYTES) {
        return Verdict.without(
            shown,
            "",
            Result.NOT_A_MODEL,
            "not read: " + bytes + " bytes, at most " + MAX_BYTES + " with this heap");
      }
      ensemble = ModelReader.read(file, ModelFormat.AUTO, EnsembleLimits.DEFAULT);
    } catch (InvalidModelException e) {
      Result result =
          e.kind() == InvalidModelException.Kind.UNKNOWN_FORMAT
              ? Result.NOT_A_MODEL
              : Result.REFUSED;
      return Verdict.without(shown, "", result, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return Verdict.without(shown, "", Result.REFUSED, "cannot be read: " + e.getMessage());
    }
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble, Algorithm.AUTO);
    Verdict worst = null;
    for (Expected expected : folder.expectedOf(file)) {
      Verdict verdict = compare(shown, file, scorer, expected);
      if (worst == null || verdict.result().compareTo(worst.result()) > 0) {
        worst = verdict;
      }
    }
    return worst == null
        ? Verdict.without(shown, ensemble.source().format().label(), Result.NO_EXPECTED_SCORES, "")
        : worst.noting(CategoryFields.note(ensemble));
  }

  /** Whether a file holds rows or scores, and so is no model for that reason. */
  public boolean isData(Path file) {
    return rows(file) >= 0;
  }

  private Verdict compare(Path shown, Path model, EnsembleScorer scorer, Expected expected) {
    String name = String.valueOf(expected.file().getFileName());
    ExpectedScores scores;
    try {
      scores = whole(expected.file(), ExpectedScores::read);
    } catch (IOException | Failure e) {
      return Comparison.none(shown, scorer, name + ": " + e.getMessage());
    }
    Comparison named = new Comparison(shown, scorer, scores, expected, true);
    List<String> problems = new ArrayList<>();
    List<Path> own = ModelFolder.rowsOf(data, model, expected);
    for (Path file : own) {
      String problem;
      try {
        problem = named.add(file, whole(file, Samples::read));
      } catch (IOException | Failure e) {
        problem = String.valueOf(e.getMessage());
      }
      if (!problem.isEmpty()) {
        problems.add(file.getFileName() + ": " + problem);
      }
    }
    Verdict verdict = named.verdict();
    if (verdict != null && verdict.result() != Result.DIFFERS) {
      return verdict;
    }
    Comparison guessed = new Comparison(shown, scorer, scores, expected, false);
    for (Path file : ModelFolder.nearest(data, model, expected)) {
      if (!own.contains(file) && rows(file) == scores.rows() && !guessed.isDone()) {
        try {
          guessed.add(file, whole(file, Samples::read));
        } catch (IOException | Failure e) {
          // Its rows were counted before: it has changed meanwhile, and is none of these.
        }
      }
    }
    Verdict guess = guessed.verdict();
    if (guess != null && (verdict == null || guess.result() != Result.DIFFERS)) {
      return guess;
    }
    if (verdict != null) {
      return verdict;
    }
    problems.add(
        "no rows found for "
            + name
            + "; the file of its rows is MODEL.data.tsv, or any"
            + " whose rows have these scores");
    return Comparison.none(shown, scorer, String.join("; ", problems));
  }

  /** How a file is read. */
  private interface Reading<T> {
    T read(Path file) throws IOException, Failure;
  }

  /** Reads the whole of a file. */
  private static <T> T whole(Path file, Reading<T> reading) throws IOException, Failure {
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException("more than " + MAX_BYTES + " bytes");
    }
    return reading.read(file);
  }

  /** Rows of a file; -1 if it holds none. */
  private int rows(Path file) {
    return rowsOf.computeIfAbsent(
        file,
        unknown -> {
          try {
            return whole(unknown, Samples::read).rows();
          } catch (IOException | Failure e) {
            return -1;
          }
        });
  }
}

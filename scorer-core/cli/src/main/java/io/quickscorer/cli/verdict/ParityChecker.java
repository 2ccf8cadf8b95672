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
 * Checks that models score as their trainers do. Reads each model, scores the rows for which the
 * trainer's scores (the expected scores) are known, and compares the scores.
 *
 * <p>Data files whose names match the model's are tried first. If none of them gives agreeing
 * scores, all data files with the right number of rows are tried, those with similar names first.
 * Such a data file is accepted only if so many scores agree that this cannot be chance.
 */
public final class ParityChecker {
  /** Maximum size of a file in bytes. Each file is read completely to detect a model. */
  private static final long MAX_BYTES =
      Math.min(Integer.MAX_VALUE - 8, Runtime.getRuntime().maxMemory() / 2);

  private final Path root;
  private final ModelFolder folder;
  private final List<Path> data;
  private final Map<Path, Integer> rowsOf = new HashMap<>();

  /**
   * Lists the files to check.
   *
   * @param folder the folder with the models
   * @param more other folders, which may contain data files
   */
  public ParityChecker(Path folder, List<Path> more) throws Failure {
    this.root = folder;
    this.folder = new ModelFolder(folder);
    this.data = new ArrayList<>(files());
    for (Path other : more) {
      data.addAll(new ModelFolder(other).files());
    }
  }

  /** Returns all files in the folder that contains the models, and in its subfolders. */
  public List<Path> files() {
    return folder.files();
  }

  /** Checks one file, and returns the verdict. */
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
            "the file has "
                + bytes
                + " bytes, expected at most "
                + MAX_BYTES
                + " with this heap; use a larger heap");
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

  /** Returns whether a file contains rows or scores. Then it is not a model. */
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
          // The rows were already counted without a failure, so the file has changed since.
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
            + "; expected a file MODEL.data.tsv, or another file with rows that have these scores");
    return Comparison.none(shown, scorer, String.join("; ", problems));
  }

  private interface Reading<T> {
    T read(Path file) throws IOException, Failure;
  }

  /**
   * Passes a file to a function that reads it completely, and returns the result. Refuses a file
   * that is too large.
   */
  private static <T> T whole(Path file, Reading<T> reading) throws IOException, Failure {
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException("the file has more than " + MAX_BYTES + " bytes");
    }
    return reading.read(file);
  }

  /** Returns the number of rows of a data file; -1 if the file is not a data file. */
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

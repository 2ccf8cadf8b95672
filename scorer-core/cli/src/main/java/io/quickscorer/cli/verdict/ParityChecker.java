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
 * Checks model files: reads them, scores the rows for which there are expected scores, and
 * compares.
 *
 * <p>A file whose name matches a model's is used as its rows. If none agrees, all data files with
 * as many rows are tried, those with similar names first. Only the scores can identify such a file:
 * enough of them must agree beyond chance.
 */
public final class ParityChecker {
  /** Maximum size of a file; files are read whole to detect their kind. */
  private static final long MAX_BYTES =
      Math.min(Integer.MAX_VALUE - 8, Runtime.getRuntime().maxMemory() / 2);

  private final Path root;
  private final ModelFolder folder;
  private final List<Path> data;
  private final Map<Path, Integer> rowsOf = new HashMap<>();

  /**
   * @param folder folder of the models
   * @param more further folders of data files
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

  /** Returns all files below the folder of models. */
  public List<Path> files() {
    return folder.files();
  }

  /** Returns the verdict on one file. */
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
            "the file has " + bytes + " bytes, at most " + MAX_BYTES + " with this heap");
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

  /** Returns whether a file holds rows or scores, and so is not a model. */
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
          // The rows were counted before, so the file has changed meanwhile.
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
            + "; expected a file MODEL.data.tsv, or another one whose rows have these scores");
    return Comparison.none(shown, scorer, String.join("; ", problems));
  }

  /** A function that reads a file. */
  private interface Reading<T> {
    T read(Path file) throws IOException, Failure;
  }

  /** Reads a whole file. */
  private static <T> T whole(Path file, Reading<T> reading) throws IOException, Failure {
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException("more than " + MAX_BYTES + " bytes");
    }
    return reading.read(file);
  }

  /** Returns the number of rows of a file; -1 if it holds none. */
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

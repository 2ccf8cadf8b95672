// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.verdict;

import io.quickscorer.cli.verdict.ExpectedScores.Distance;
import io.quickscorer.cli.verdict.ModelFolder.Expected;
import io.quickscorer.cli.verdict.ModelFolder.Kind;
import io.quickscorer.cli.verdict.Verdict.Result;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelFormat.Trait;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.reader.ModelFormats;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Comes to a verdict on model files: reads them, scores the rows for which there are expected
 * scores, and compares.
 *
 * <p>Nothing says which rows a file of scores belongs to, so all data files with as many rows are
 * tried, those of like names first, with ids from 0 and from 1 and absent features as zero and as
 * missing, until the scores agree. Many rows of many digits do not agree by chance.
 */
public final class ParityChecker {
  /** By how much Java's functions may differ from the C library's behind a trainer's link. */
  private static final long LINK_ULPS = 3;

  private static final int MAX_TRIALS = 64;

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
   */
  public ParityChecker(Path root, ModelFolder folder, List<ModelFolder> more) {
    this.root = root;
    this.folder = folder;
    this.data = new ArrayList<>(folder.files());
    more.forEach(other -> data.addAll(other.files()));
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
      if (verdict != null && (worst == null || verdict.result().compareTo(worst.result()) > 0)) {
        worst = verdict;
      }
    }
    return worst == null
        ? Verdict.without(shown, ensemble.source().format().label(), Result.NO_EXPECTED_SCORES, "")
        : worst;
  }

  /** Whether a file holds rows or scores, so that nobody wonders that it is no model. */
  public boolean isData(Path file) {
    return rows(file) >= 0;
  }

  private @Nullable Verdict compare(
      Path shown, Path model, EnsembleScorer scorer, Expected expected) {
    ExpectedScores scores = unlessDamaged(expected.file(), ExpectedScores::read);
    if (scores == null) {
      return null;
    }
    Verdict best = null;
    List<Trial> tried = new ArrayList<>();
    int trials = 0;
    for (Path file : ModelFolder.nearest(data, model, expected.file())) {
      if (file.equals(expected.file()) || rows(file) != scores.rows()) {
        continue;
      }
      Samples samples = unlessDamaged(file, Samples::read);
      if (samples == null) {
        continue;
      }
      for (Trial trial : trials(scorer.ensemble(), samples, expected.kind())) {
        if (trials++ == MAX_TRIALS) {
          return explained(best, tried, scorer, scores);
        }
        Verdict verdict = trial.run(shown, scorer, scores, expected.file(), file);
        boolean improved = best == null || better(verdict, best);
        if (improved) {
          best = verdict;
        }
        tried.add(improved ? 0 : tried.size(), trial);
        if (verdict.result() == Result.EXACT) {
          return verdict;
        }
      }
    }
    return explained(best, tried, scorer, scores);
  }

  /**
   * Looks for what a difference comes from.
   *
   * @param tried the trial behind the verdict, then others
   */
  private static @Nullable Verdict explained(
      @Nullable Verdict verdict,
      List<Trial> tried,
      EnsembleScorer scorer,
      ExpectedScores expected) {
    if (verdict == null || verdict.result() != Result.DIFFERS) {
      return verdict;
    }
    if (ModelFormats.has(scorer.ensemble().source().format(), Trait.WITHOUT_BASE_SCORE)) {
      return tried.getFirst().withoutBaseScore(verdict, scorer, expected);
    }
    int all = scorer.ensemble().trees().size();
    for (Trial trial : tried) {
      int trees = trial.firstTrees(scorer.ensemble(), expected);
      if (trees > 0) {
        return verdict.with(
            Result.FIRST_TREES,
            "the scores are those of the first " + trees + " of " + all + " trees",
            null);
      }
    }
    return verdict;
  }

  private static boolean better(Verdict a, Verdict b) {
    Distance left = a.distance();
    Distance right = b.distance();
    return left != null
        && right != null
        && (left.differing() < right.differing()
            || left.differing() == right.differing() && left.ulps() < right.ulps());
  }

  /** How a file is read; null if it holds something else. */
  private interface Reading<T> {
    @Nullable T read(Path file) throws IOException;
  }

  /** What a file holds; null also if it can't be read, or is only named as if it were packed. */
  private static <T> @Nullable T unlessDamaged(Path file, Reading<T> reading) {
    try {
      return Files.size(file) > MAX_BYTES ? null : reading.read(file);
    } catch (IOException e) {
      return null;
    }
  }

  /** Rows of a file; -1 if it holds none. */
  private int rows(Path file) {
    Integer known = rowsOf.get(file);
    if (known == null) {
      Samples samples = unlessDamaged(file, Samples::read);
      known = samples == null ? -1 : samples.rows();
      rowsOf.put(file, known);
    }
    return known;
  }

  private static List<Trial> trials(TreeEnsemble ensemble, Samples samples, Kind kind) {
    boolean missing = ModelFormats.has(ensemble.source().format(), Trait.ABSENT_IS_MISSING);
    List<Trial> trials = new ArrayList<>();
    for (boolean absentMissing : new boolean[] {missing, !missing}) {
      for (int first : samples.firstFeatures(ensemble)) {
        float absent = absentMissing ? Float.NaN : 0f;
        if (kind != Kind.TRANSFORMED) {
          trials.add(new Trial(samples, first, absent, Output.RAW));
        }
        double divisor = ensemble.transform().divisor();
        if (kind == Kind.EITHER && divisor != 1) {
          trials.add(new Trial(samples, first, absent, Output.AVERAGE));
        }
        boolean differs = !ensemble.transform().equals(OutputTransform.IDENTITY);
        if (kind == Kind.TRANSFORMED || kind == Kind.EITHER && differs) {
          trials.add(new Trial(samples, first, absent, Output.TRANSFORMED));
        }
      }
      if (!samples.sparse()) {
        return trials;
      }
    }
    return trials;
  }

  /** What a score may be; LightGBM's old forests give averages to which no link is applied. */
  private enum Output {
    RAW,
    AVERAGE,
    TRANSFORMED
  }

  /** One way of reading rows. */
  private record Trial(Samples samples, int first, float absent, Output output) {
    private double output(TreeEnsemble ensemble, double raw) {
      return switch (output) {
        case RAW -> raw;
        case AVERAGE -> raw / ensemble.transform().divisor();
        case TRANSFORMED -> ensemble.transform().apply(raw);
      };
    }

    /**
     * The number of first trees whose scores are all those expected; -1 if there is none. Found for
     * the first row that tells, then checked on all.
     */
    int firstTrees(TreeEnsemble ensemble, ExpectedScores expected) {
      FeatureMatrix matrix = samples.matrix(ensemble, first, absent);
      int trees = ensemble.trees().size();
      boolean[] possible = new boolean[trees];
      Arrays.fill(possible, true);
      for (int row = 0; row < samples.rows(); row++) {
        TreeTrace trace = new TreeTrace(ensemble, matrix, row);
        boolean any = false;
        for (int tree = 0; tree < trees; tree++) {
          double score = output(ensemble, trace.score(tree));
          possible[tree] &= expected.agrees(row, score, ensemble.accumulator(), 0);
          any |= possible[tree];
        }
        if (!any) {
          return -1;
        }
      }
      int tree = 0;
      while (!possible[tree]) {
        tree++;
      }
      return tree + 1;
    }

    /** Compares but for a constant, which the format has lost. */
    Verdict withoutBaseScore(Verdict verdict, EnsembleScorer scorer, ExpectedScores expected) {
      TreeEnsemble ensemble = scorer.ensemble();
      double[] scores = scores(scorer);
      double[] constants = new double[scores.length];
      for (int row = 0; row < scores.length; row++) {
        constants[row] = expected.value(row) - scores[row];
      }
      Arrays.sort(constants);
      double constant = constants[constants.length / 2];
      Distance distance =
          expected
              .minus(constant)
              .distance(scores, new boolean[scores.length], ensemble.accumulator(), 0, 0);
      return verdict.with(
          Result.LOSSY_FORMAT,
          "a dump has lost base score, dart's weights and digits; compared but for the constant "
              + (float) constant,
          distance);
    }

    private double[] scores(EnsembleScorer scorer) {
      FeatureMatrix matrix = samples.matrix(scorer.ensemble(), first, absent);
      double[] scores = new double[samples.rows()];
      scorer.score(matrix, scorer.newScratch(), scores);
      for (int row = 0; row < scores.length; row++) {
        scores[row] = output(scorer.ensemble(), scores[row]);
      }
      return scores;
    }

    Verdict run(
        Path shown, EnsembleScorer scorer, ExpectedScores expected, Path scoresFile, Path file) {
      TreeEnsemble ensemble = scorer.ensemble();
      double[] scores = scores(scorer);
      boolean[] leftOut = samples.undecided(ensemble, first);
      int left = 0;
      for (boolean out : leftOut) {
        left += out ? 1 : 0;
      }
      long allowed = output == Output.TRANSFORMED ? LINK_ULPS : 0;
      Distance distance =
          expected.distance(
              scores, leftOut, ensemble.accumulator(), ensemble.initialScore(), allowed);
      Result result =
          distance.exact()
              ? Result.EXACT
              : distance.agrees() ? Result.WITHIN_BOUND : Result.DIFFERS;
      String reason =
          distance.first() < 0
              ? ""
              : "first in row " + (distance.first() + 1) + " of " + file.getFileName();
      return new Verdict(
          shown,
          ensemble.source().format().label(),
          result,
          reason,
          scoresFile,
          file,
          distance,
          left);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.torture;

import io.quickscorer.compile.Engines;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.EnsembleScorer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Repeats a finding: has its batch scored by a JVM that only interprets, which shows who was right,
 * then runs the JVM of the finding again, with its flags and all its cases up to the one, until a
 * score is wrong again. What the JIT compiles when is up to chance, so that can take several tries.
 */
final class Replay {
  private static final int TRIES = 30;
  private static final long HOUR_MILLIS = 3_600_000;

  private Replay() {}

  /** Returns whether a score was wrong again. */
  static boolean of(Path file) throws IOException, InterruptedException {
    Finding finding = Finding.read(file);
    System.out.println("found: " + finding.summary());
    List<String> interpreter = List.of("-Xint", "--add-modules=jdk.incubator.vector");
    JavaProcess judge = JavaProcess.run(interpreter, Replay.class, List.of(file.toString()));
    System.out.print("interpreted:\n" + judge.output());
    Path folder = Files.createTempDirectory(file.toAbsolutePath().getParent(), "replay-");
    List<String> arguments =
        List.of(
            Long.toString(finding.seed()),
            Long.toString(HOUR_MILLIS),
            Integer.toString(finding.number() + 1),
            folder.toString(),
            finding.planted());
    System.out.println("flags: " + finding.flags());
    for (int i = 1; i <= TRIES; i++) {
      List<String> flags = List.of(finding.flags().split(" ", -1));
      JavaProcess again = JavaProcess.run(flags, Worker.class, arguments);
      System.out.print("run " + i + ":\n" + again.output());
      if (again.exit() != 0 || again.output().lines().anyMatch(l -> l.startsWith("mismatch "))) {
        return true;
      }
    }
    return false;
  }

  /** Scores a finding's batch in this JVM. */
  public static void main(String[] arguments) throws IOException {
    Finding finding = Finding.read(Path.of(arguments[0]));
    TreeEnsemble ensemble = finding.ensemble();
    int document = finding.document();
    double[] walked = new PlainWalker(ensemble).score(finding.matrix());
    print("walk", walked[document]);
    print("reference", scored(ReferenceScorer.compile(ensemble), finding.matrix())[document]);
    EnsembleScorer engine = ScorerCompiler.compile(ensemble, Engines.named(finding.engine()));
    print(finding.engine(), scored(engine, finding.matrix())[document]);
  }

  private static double[] scored(EnsembleScorer scorer, FeatureMatrix matrix) {
    double[] scores = new double[matrix.documents()];
    scorer.score(matrix, scorer.newScratch(), scores);
    return scores;
  }

  private static void print(String who, double score) {
    System.out.println(
        "  " + who + " " + score + " " + Long.toHexString(Double.doubleToRawLongBits(score)));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.Engines;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * A program: plain documents for long, so that the JIT compiles the engine for them, then for the
 * first time each of the values that decide otherwise.
 *
 * <p>Before that, another model has missing values: methods that engines share have then met them,
 * the ones of the second model have not. {@code FirstSpecialValue FIRST ENGINE...} takes the index
 * of the special value to begin with; each engine prints {@code right}, {@code WRONG} with the
 * document, or {@code skipped}.
 */
public final class FirstSpecialValue {
  /** The tiny value first: it was once taken for NaN. */
  static final float[] SPECIAL = {
    Float.MIN_VALUE,
    0f,
    -0f,
    Float.NaN,
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY,
    MissingValue.ZERO_BOUND,
    -0.5f,
    1e9f,
  };

  private static final int FEATURES = 3;
  private static final int DOCUMENTS = 50;

  /** Enough for the JIT to count branches in what they run, too few for C2. */
  private static final int MIXED_BATCHES = 40;

  /** Enough for C2, which compiles after some 10,000 calls or 40,000 rounds of a loop. */
  private static final int PLAIN_BATCHES = 20_000;

  private FirstSpecialValue() {}

  /** Runs this program in a JVM of its own and checks that every engine is right, or skipped. */
  public static void check(
      Path folder, List<String> flags, boolean vectors, int first, String... engines)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UnlockDiagnosticVMOptions"));
    command.addAll(flags);
    if (vectors) {
      command.add("--add-modules=jdk.incubator.vector");
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(FirstSpecialValue.class.getName());
    command.add(String.valueOf(first));
    command.addAll(Arrays.asList(engines));
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    try {
      assertTrue(process.waitFor(10, TimeUnit.MINUTES), "the JVM does not end");
    } finally {
      process.destroyForcibly();
    }
    String said = Files.readString(out);
    assertEquals(0, process.exitValue(), said);
    assertFalse(said.contains("WRONG"), said);
    assertTrue(said.contains("right"), said);
  }

  public static void main(String[] arguments) {
    int first = Integer.parseInt(arguments[0]);
    for (int i = 1; i < arguments.length; i++) {
      String engine = arguments[i];
      try {
        System.out.println(engine + ": " + run(Engines.named(engine), first));
      } catch (UnsupportedEnsembleException e) {
        System.out.println(engine + ": skipped, " + e.getMessage());
      }
    }
  }

  private static String run(Algorithm algorithm, int first) {
    SplittableRandom random = new SplittableRandom(7);
    // More thresholds of a feature than engines with permutes take: they search them plainly.
    EnsembleScorer known = ScorerCompiler.compile(oneRule(random, 400), algorithm);
    FeatureMatrix some = plain(random);
    for (int d = 0; d < DOCUMENTS; d += 3) {
      some.set(d, 0, Float.NaN);
    }
    double[] scores = new double[DOCUMENTS];
    for (int i = 0; i < MIXED_BATCHES; i++) {
      known.score(some, known.newScratch(), scores);
    }

    EnsembleScorer scorer = ScorerCompiler.compile(bothRules(random), algorithm);
    Scratch scratch = scorer.newScratch();
    FeatureMatrix documents = plain(random);
    for (int i = 0; i < PLAIN_BATCHES; i++) {
      scorer.score(documents, scratch, scores);
    }
    for (int s = 0; s < SPECIAL.length; s++) {
      float special = SPECIAL[(first + s) % SPECIAL.length];
      for (int f = 0; f < FEATURES; f++) {
        FeatureMatrix batch = copy(documents);
        batch.set(1, f, special);
        batch.set(6, f, special);
        scorer.score(batch, scratch, scores);
        String wrong = wrong(scorer.ensemble(), batch, scores);
        if (!wrong.isEmpty()) {
          return "WRONG at feature " + f + ", value " + special + ", " + wrong;
        }
      }
    }
    return "right";
  }

  private static String wrong(TreeEnsemble ensemble, FeatureMatrix batch, double[] scores) {
    ReferenceScorer reference = ReferenceScorer.compile(ensemble);
    double[] expected = new double[DOCUMENTS];
    reference.score(batch, reference.newScratch(), expected);
    for (int d = 0; d < DOCUMENTS; d++) {
      if (Double.doubleToRawLongBits(expected[d]) != Double.doubleToRawLongBits(scores[d])) {
        return "document " + d + ": expected " + expected[d] + ", got " + scores[d];
      }
    }
    return "";
  }

  /** Values that no rule makes an exception of. */
  private static FeatureMatrix plain(SplittableRandom random) {
    FeatureMatrix matrix = new FeatureMatrix(FEATURES, DOCUMENTS);
    for (int d = 0; d < DOCUMENTS; d++) {
      matrix.set(d, 0, (float) random.nextDouble(1, 3));
      matrix.set(d, 1, (float) random.nextDouble(1, 3));
      matrix.set(d, 2, random.nextInt(1, 5));
    }
    return matrix;
  }

  private static FeatureMatrix copy(FeatureMatrix matrix) {
    FeatureMatrix copy = new FeatureMatrix(FEATURES, DOCUMENTS);
    System.arraycopy(matrix.values(), 0, copy.values(), 0, matrix.values().length);
    return copy;
  }

  /** Missing values go right everywhere: nothing has to be done for them but to rank them. */
  private static TreeEnsemble oneRule(SplittableRandom random, int trees) {
    TreeBuilder builder = new TreeBuilder(EnsembleLimits.DEFAULT, FEATURES, false);
    List<Tree> built = new ArrayList<>();
    for (int t = 0; t < trees; t++) {
      builder.start(t, 3);
      builder.split(0, 0, (float) random.nextDouble(1, 3), MissingValue.NAN_RIGHT, 1, 2);
      builder.leaf(1, random.nextDouble(-1, 1));
      builder.leaf(2, random.nextDouble(-1, 1));
      built.add(builder.build(0));
    }
    return ensemble(built);
  }

  /** Every feature's splits send missing values both ways, and zeros too. */
  private static TreeEnsemble bothRules(SplittableRandom random) {
    TreeBuilder builder = new TreeBuilder(EnsembleLimits.DEFAULT, FEATURES, false);
    List<Tree> built = new ArrayList<>();
    MissingValue[] rules = MissingValue.values();
    for (int t = 0; t < 16 * rules.length; t++) {
      MissingValue rule = rules[t % rules.length];
      CategorySet set =
          CategorySet.ofBitmap(
              new long[] {random.nextInt(128)}, CategorySet.Rounding.values()[t % 2]);
      builder.start(t, 7);
      builder.split(0, 0, (float) random.nextDouble(-3, 3), rule, 1, 2);
      builder.split(1, 1, (float) random.nextDouble(-3, 3), rule, 3, 4);
      builder.split(2, 2, set, rule, 5, 6);
      for (int leaf = 3; leaf < 7; leaf++) {
        builder.leaf(leaf, random.nextDouble(-1, 1));
      }
      built.add(builder.build(0));
    }
    return ensemble(built);
  }

  private static TreeEnsemble ensemble(List<Tree> trees) {
    return TreeEnsemble.builder(
            List.of("a", "b", "c"), new ModelSource(new ModelFormat("test"), "", ""))
        .trees(trees)
        .build();
  }
}

package io.quickscorer.cli;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.TreeEnsemble;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quickscorer verify}: compares scores with those that a trainer gave. */
@Command(
    name = "verify",
    description = {
      "Compares the score of each document of DATA with the line of EXPECTED of the same number,"
          + " and prints the largest difference in units in the last place.",
      "",
      "Scores are compared as floats where the trainer sums in float, else as doubles."
    },
    mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {
  @Mixin private ScoreOptions options = new ScoreOptions();

  @Parameters(
      index = "2",
      paramLabel = "EXPECTED",
      description = "The trainer's scores, one per line; may be gzipped.")
  private Path expected = Path.of("");

  @Spec private @Nullable CommandSpec spec;

  private long rows;
  private long differing;
  private long worst;
  private String first = "";

  @Override
  public Integer call() throws Failure {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    try (BufferedReader reader = DataFile.reader(expected)) {
      options.score((ensemble, score) -> compare(ensemble, score, next(reader)));
      if (reader.readLine() != null) {
        throw Failure.data(rows + 1, expected + ": more scores than documents");
      }
    } catch (IOException e) {
      throw Failure.io(expected, e);
    }
    out.printf(Locale.ROOT, "%d rows, %d differing, max %d ulp%n", rows, differing, worst);
    if (!first.isEmpty()) {
      out.println(first);
    }
    out.flush();
    return differing == 0 ? 0 : 1;
  }

  private double next(BufferedReader reader) throws Failure {
    rows++;
    try {
      String line = reader.readLine();
      if (line == null) {
        throw Failure.data(rows, expected + ": fewer scores than documents");
      }
      return Double.parseDouble(line.strip());
    } catch (NumberFormatException e) {
      throw Failure.data(rows, expected + ": expected a number");
    } catch (IOException e) {
      throw Failure.io(expected, e);
    }
  }

  private void compare(TreeEnsemble ensemble, double score, double wanted) {
    long ulps = ulps(ensemble.accumulator() == Accumulator.FLOAT, score, wanted);
    worst = Math.max(worst, ulps);
    if (ulps != 0 && differing++ == 0) {
      first =
          "first differing row "
              + rows
              + ": "
              + ScoreOptions.digits(ensemble, score)
              + ", expected "
              + ScoreOptions.digits(ensemble, wanted);
    }
  }

  /** How many numbers of the type lie between two; both zeros are the same. */
  private static long ulps(boolean floats, double a, double b) {
    if (a == b) {
      return 0;
    }
    return Math.abs(
        floats
            ? ordered(Float.floatToIntBits((float) a), Integer.MIN_VALUE)
                - ordered(Float.floatToIntBits((float) b), Integer.MIN_VALUE)
            : ordered(Double.doubleToLongBits(a), Long.MIN_VALUE)
                - ordered(Double.doubleToLongBits(b), Long.MIN_VALUE));
  }

  /** Bits of sign and magnitude as a number that grows with the value. */
  private static long ordered(long bits, long signBit) {
    return bits < 0 ? signBit - bits : bits;
  }
}

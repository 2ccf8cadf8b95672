// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import com.sun.management.ThreadMXBean;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What must hold for any bytes offered to a reader: an {@link InvalidModelException} that says
 * something, or an ensemble that keeps its promises and gets the same scores, none NaN, from
 * another engine; in both cases at a cost that the bytes' number bounds.
 */
final class ReaderOracle {
  /** Heap bytes that a reader may take, whatever is read, and per byte of the file. */
  static final long FREE_BYTES = 1 << 20;

  static final long BYTES_PER_BYTE = 64;

  /** Thread time that a reader may take, whatever is read, and per byte of the file. */
  private static final long FREE_NANOS = 1_000_000_000;

  private static final long NANOS_PER_BYTE = 1_000;

  /**
   * Few features, because a file may claim as many as the limits allow in a few bytes; few leaves
   * and nodes, because trees of ONNX may unfold to as many.
   */
  static final EnsembleLimits LIMITS =
      new EnsembleLimits(10_000, 1 << 12, 1 << 10, 1_000, 1 << 14, 1 << 12);

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final Algorithm[] ENGINES = {Algorithm.AUTO, Algorithm.QS, Algorithm.BIT_SLICED};

  private ReaderOracle() {}

  /** Something that reads a file; {@link ModelReader} except in the oracle's own tests. */
  interface Reader {
    TreeEnsemble read(byte[] file, ModelFormat format, EnsembleLimits limits);
  }

  /**
   * Offers bytes to a reader.
   *
   * @return whether they are a model
   * @throws AssertionError if something does not hold; whatever else the reader throws passes
   */
  static boolean offer(byte[] file, ModelFormat format) {
    return offer(file, format, ModelReader::read);
  }

  static boolean offer(byte[] file, ModelFormat format, Reader reader) {
    return offer(file, format, reader, BYTES_PER_BYTE);
  }

  /**
   * The same with another bound.
   *
   * @param bytesPerByte heap bytes that the reader may take per byte of the file
   */
  static boolean offer(byte[] file, ModelFormat format, Reader reader, long bytesPerByte) {
    Cost cost = new Cost(file, bytesPerByte);
    TreeEnsemble ensemble;
    do {
      cost.start();
      ensemble = read(file, format, reader);
      cost.stop();
    } while (cost.isTooHigh());
    if (ensemble == null) {
      return false;
    }
    EnsembleInvariants.check(ensemble, LIMITS);
    checkScores(ensemble, Arrays.hashCode(file));
    return true;
  }

  private static @Nullable TreeEnsemble read(byte[] file, ModelFormat format, Reader reader) {
    try {
      return reader.read(file, format, LIMITS);
    } catch (InvalidModelException e) {
      String message = String.valueOf(e.getMessage());
      if (message.isBlank() || message.equals("null")) {
        throw new AssertionError("a refusal that says nothing", e);
      }
      return null;
    }
  }

  /** What reading one file costs: the least of a few tries, for the first one may load classes. */
  private static final class Cost {
    private static final int TRIES = 3;

    private final long length;
    private final long bytesPerByte;
    private int tries;
    private long bytes;
    private long nanos;

    Cost(byte[] file, long bytesPerByte) {
      this.bytesPerByte = bytesPerByte;
      boolean gzipped = file.length > 1 && file[0] == 0x1f && file[1] == (byte) 0x8b;
      length = gzipped ? BoundedInput.FREE_BYTES + 100L * file.length : file.length;
    }

    void start() {
      tries++;
      bytes = THREADS.getCurrentThreadAllocatedBytes();
      nanos = THREADS.getCurrentThreadCpuTime();
    }

    void stop() {
      bytes = THREADS.getCurrentThreadAllocatedBytes() - bytes;
      nanos = THREADS.getCurrentThreadCpuTime() - nanos;
    }

    /** Whether to try again; throws after the last try. */
    boolean isTooHigh() {
      long mostBytes = FREE_BYTES + bytesPerByte * length;
      long mostNanos = FREE_NANOS + NANOS_PER_BYTE * length;
      boolean tooHigh = bytes > mostBytes || nanos > mostNanos;
      if (tooHigh && tries == TRIES) {
        throw new AssertionError(
            String.format(
                Locale.ROOT,
                "reading %d bytes took %d bytes of heap, at most %d, and %d ns, at most %d",
                length,
                bytes,
                mostBytes,
                nanos,
                mostNanos));
      }
      return tooHigh;
    }
  }

  /** Rows of zeros, of missing values, of ones, and of the first threshold of each feature. */
  private static void checkScores(TreeEnsemble ensemble, int choice) {
    int features = ensemble.featureNames().size();
    FeatureMatrix rows = new FeatureMatrix(features, 4);
    for (int f = 0; f < features; f++) {
      rows.set(1, f, Float.NaN);
      rows.set(2, f, 1f);
    }
    ensemble.trees().stream()
        .filter(tree -> tree.splits() > 0 && tree.categories(0) == null)
        // Others split on columns that are derived from these.
        .filter(tree -> tree.feature(0) < features)
        .forEach(tree -> rows.set(3, tree.feature(0), tree.threshold(0)));
    double[] expected = scores(ScorerCompiler.compile(ensemble, Algorithm.OBJECT), rows);
    // A normaliser may take a value, and another feature's weight the sum, beyond all floats.
    if (ensemble.linear() == null && Arrays.stream(expected).anyMatch(Double::isNaN)) {
      throw new AssertionError("a score is NaN");
    }
    double[] others;
    Algorithm engine =
        ensemble.linear() == null
            ? ENGINES[Math.floorMod(choice, ENGINES.length)]
            : Algorithm.LINEAR;
    try {
      others = scores(ScorerCompiler.compile(ensemble, engine), rows);
    } catch (UnsupportedEnsembleException e) {
      return;
    }
    for (int row = 0; row < expected.length; row++) {
      if (Double.doubleToRawLongBits(expected[row]) != Double.doubleToRawLongBits(others[row])) {
        throw new AssertionError(
            "row " + row + ": " + engine + " gives " + others[row] + ", not " + expected[row]);
      }
    }
  }

  private static double[] scores(EnsembleScorer scorer, FeatureMatrix rows) {
    double[] scores = new double[rows.documents()];
    scorer.score(rows, scorer.newScratch(), scores);
    return scores;
  }
}

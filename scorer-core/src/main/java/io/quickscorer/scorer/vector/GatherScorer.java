package io.quickscorer.scorer.vector;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.BlockScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import io.quickscorer.scorer.traversal.KeyScratch;
import io.quickscorer.scorer.traversal.LoopedTrees;
import io.quickscorer.scorer.traversal.OrderedColumns;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Vectorised predication on vectors: as many documents as a vector has lanes walk a tree together,
 * each step fetching nodes and keys by gathers. Takes every ensemble; a unit is a tree.
 *
 * <p>Layout: see {@link LoopedTrees} and {@link OrderedColumns}.
 *
 * <p>Source: Asadi, Lin, de Vries, "Runtime Optimizations for Tree-Based Machine Learning Models",
 * IEEE TKDE 26(9), 2014, section 3 (VPRED), with gathers in place of interleaved scalars.
 */
public final class GatherScorer implements BlockScorer {
  /** Kernels by vector width, one copy each for all ensembles, so that they share compiled code. */
  private static final Map<Integer, GatherKernel> KERNELS =
      VectorSupport.widths().stream()
          .collect(
              Collectors.toMap(
                  bits -> bits,
                  bits -> Specialized.forWidth(GatherLanes.class, GatherKernel.class, bits)));

  private final TreeEnsemble ensemble;
  private final Algorithm algorithm;
  private final GatherKernel kernel;
  private final OrderedColumns columns;
  private final LoopedTrees trees;

  private GatherScorer(
      TreeEnsemble ensemble, Algorithm algorithm, GatherKernel kernel, OrderedColumns columns) {
    this.ensemble = ensemble;
    this.algorithm = algorithm;
    this.kernel = kernel;
    this.columns = columns;
    this.trees = LoopedTrees.of(ensemble, columns);
  }

  /**
   * @param bits width of the vectors: 128, 256 or 512
   * @throws UnsupportedEnsembleException if this JVM has no vectors of that width
   */
  public static GatherScorer compile(TreeEnsemble ensemble, int bits) {
    Algorithm algorithm =
        switch (bits) {
          case 128 -> Algorithm.VPRED_128;
          case 256 -> Algorithm.VPRED_256;
          case 512 -> Algorithm.VPRED_512;
          default -> throw new IllegalArgumentException(bits + " bits, expected 128, 256 or 512");
        };
    String why = VectorSupport.unavailable(bits);
    if (!why.isEmpty()) {
      throw new UnsupportedEnsembleException(algorithm + ": " + why);
    }
    GatherKernel kernel = Objects.requireNonNull(KERNELS.get(bits));
    return new GatherScorer(ensemble, algorithm, kernel, OrderedColumns.of(ensemble));
  }

  @Override
  public TreeEnsemble ensemble() {
    return ensemble;
  }

  @Override
  public Algorithm algorithm() {
    return algorithm;
  }

  @Override
  public long bytes() {
    return trees.bytes();
  }

  @Override
  public Scratch newScratch() {
    return new KeyScratch(columns, 2 * kernel.lanes(), 0);
  }

  @Override
  public int units() {
    return trees.roots().length;
  }

  @Override
  public int treesPerUnit() {
    return 1;
  }

  @Override
  public int documentsPerBlock() {
    return 256;
  }

  @Override
  public void prepare(FeatureMatrix matrix, int from, int to, Scratch scratch) {
    ((KeyScratch) scratch).fill(matrix, from, to);
  }

  @Override
  public int granule() {
    return kernel.lanes();
  }

  @Override
  public void add(
      int unit, FeatureMatrix matrix, int from, int to, Scratch scratch, double[] sums) {
    Accumulator accumulator = ensemble.accumulator();
    int[] keys = ((KeyScratch) scratch).keys();
    int[] nodes = ((KeyScratch) scratch).nodes();
    double[] values = trees.values();
    int lanes = kernel.lanes();
    for (int first = from; first < to; first += lanes) {
      // Beyond the last document the matrix is padded: those lanes walk, and nobody asks where to.
      kernel.walk(trees, unit, keys, matrix.stride(), first, nodes);
      int documents = Math.min(lanes, to - first);
      for (int i = 0; i < documents; i++) {
        sums[first + i] = accumulator.add(sums[first + i], values[nodes[i]]);
      }
    }
  }
}

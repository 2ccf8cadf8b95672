// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.engine.simd.Specialized;
import io.quickscorer.engine.simd.VectorSupport;
import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;

/**
 * Creates bit-sliced scorers that use vectors. A 512-bit instruction (permute) looks up 16
 * thresholds or leaf values at once. With narrower vectors, leaf values are looked up one by one.
 */
public final class BitSlicedScorers {
  /** The engine's algorithms, one for each vector width, ascending. */
  public static final List<Algorithm> WIDTHS =
      List.of(Algorithm.BIT_SLICED_128, Algorithm.BIT_SLICED_256, Algorithm.BIT_SLICED_512);

  private static final SortedMap<Integer, TreeKernel> KERNELS =
      Specialized.forWidths(MethodHandles.lookup(), SimdTreeKernel.class, TreeKernel.class);

  private static final SortedMap<Integer, VectorBitmaps.Expansion> EXPANSIONS =
      Specialized.forWidths(
          MethodHandles.lookup(), SimdRankBitmaps.class, VectorBitmaps.Expansion.class);

  private static final SortedMap<Integer, VectorBitmaps.Ranks> SEARCHES =
      Specialized.forWidths(
          MethodHandles.lookup(), SimdRankSearch.class, VectorBitmaps.Ranks.class);

  private BitSlicedScorers() {}

  /**
   * Compiles an ensemble for one vector width.
   *
   * @param bits the width of the vectors: 128, 256 or 512
   * @throws UnsupportedEnsembleException if the ensemble exceeds the limits of {@link
   *     ProgramCompiler}, or this JVM has no vectors of that width
   */
  public static BitSlicedScorer compile(TreeEnsemble ensemble, int bits, CompileProgress progress) {
    Algorithm algorithm = VectorSupport.algorithm(WIDTHS, bits);
    TreeKernel kernel = Objects.requireNonNull(KERNELS.get(bits));
    return compile(ensemble, algorithm, List.of(kernel), bits, progress);
  }

  /**
   * Compiles an ensemble for all widths. The scorer chooses a width for each block of documents by
   * the size of the block.
   *
   * @throws UnsupportedEnsembleException if the ensemble exceeds the limits of {@link
   *     ProgramCompiler}
   */
  public static BitSlicedScorer compileAllWidths(TreeEnsemble ensemble, CompileProgress progress) {
    if (KERNELS.isEmpty()) {
      return BitSlicedScorer.compile(ensemble, progress);
    }
    List<TreeKernel> kernels = new ArrayList<>();
    kernels.add(new LongTreeKernel());
    kernels.addAll(KERNELS.values());
    int widest = VectorSupport.widths().getLast();
    return compile(ensemble, Algorithm.BIT_SLICED, kernels, widest, progress);
  }

  /**
   * Compiles an ensemble for the given kernels, which are inner loops for different numbers of
   * documents.
   *
   * @param bits the vector width, in bits, for finding ranks and for looking up leaves
   */
  private static BitSlicedScorer compile(
      TreeEnsemble ensemble,
      Algorithm algorithm,
      List<TreeKernel> kernels,
      int bits,
      CompileProgress progress) {
    ProgramCompiler.Compiled compiled = ProgramCompiler.compile(ensemble, progress);
    boolean permutes = bits == 512;
    VectorBitmaps.Ranks ranks =
        permutes ? new SimdRankPlanes() : Objects.requireNonNull(SEARCHES.get(bits));
    return new BitSlicedScorer(
        algorithm,
        compiled.program(),
        new VectorBitmaps(ranks, Objects.requireNonNull(EXPANSIONS.get(bits))),
        kernels.toArray(TreeKernel[]::new),
        permutes ? sums(compiled) : new PlainLeafSums(compiled.program(), compiled.leaves()));
  }

  private static LeafSums sums(ProgramCompiler.Compiled compiled) {
    BitProgram program = compiled.program();
    LeafTable leaves = compiled.leaves();
    TreeEnsemble ensemble = program.ensemble();
    if (LeafPermutes.supports(program)) {
      if (ensemble.accumulator() == Accumulator.DOUBLE) {
        return new SimdDoubleSums(program, leaves);
      }
      if (SimdFloatSums.supports(ensemble, leaves)) {
        return new SimdFloatSums(program, leaves);
      }
    }
    return new PlainLeafSums(program, leaves);
  }
}

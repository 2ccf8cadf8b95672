package io.quickscorer.scorer.bitsliced;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;

/**
 * Runs a {@link BitProgram} over blocks of documents. Takes every ensemble whose trees have at most
 * 1024 leaves.
 *
 * <p>The cost of a block does not depend on how many of its documents exist. With kernels of
 * several widths the scorer takes, block by block, the narrowest that holds all remaining
 * documents, else the widest.
 */
public final class BitSlicedScorer implements EnsembleScorer {
  private final Algorithm algorithm;
  private final BitProgram program;
  private final BitmapKernel bitmaps;
  private final TreeKernel[] trees;
  private final LeafSums sums;

  /**
   * @param trees kernels to choose from, the narrowest first
   */
  public BitSlicedScorer(
      Algorithm algorithm,
      BitProgram program,
      BitmapKernel bitmaps,
      TreeKernel[] trees,
      LeafSums sums) {
    this.algorithm = algorithm;
    this.program = program;
    this.bitmaps = bitmaps;
    this.trees = trees.clone();
    this.sums = sums;
  }

  /** The form that needs no vector module: 64 documents at a time. */
  public static BitSlicedScorer compile(TreeEnsemble ensemble) {
    ProgramCompiler.Compiled compiled = ProgramCompiler.compile(ensemble);
    return new BitSlicedScorer(
        Algorithm.BIT_SLICED,
        compiled.program(),
        new PlainBitmaps(),
        new TreeKernel[] {new LongTreeKernel()},
        new PlainLeafSums(compiled.program(), compiled.leaves()));
  }

  @Override
  public TreeEnsemble ensemble() {
    return program.ensemble();
  }

  @Override
  public Algorithm algorithm() {
    return algorithm;
  }

  @Override
  public long bytes() {
    return program.bytes() + sums.bytes();
  }

  @Override
  public Scratch newScratch() {
    return new BlockBuffers(program, trees[trees.length - 1].words());
  }

  @Override
  public void score(FeatureMatrix matrix, Scratch scratch, double[] scores) {
    checkArguments(matrix, scores);
    BlockBuffers buffers = (BlockBuffers) scratch;
    int first = 0;
    while (first < matrix.documents()) {
      TreeKernel kernel = kernelFor(matrix.documents() - first);
      int documents = Math.min(64 * kernel.words(), matrix.documents() - first);
      scoreBlock(kernel, matrix, first, documents, buffers, scores);
      first += documents;
    }
  }

  private TreeKernel kernelFor(int documents) {
    for (TreeKernel kernel : trees) {
      if (documents <= 64 * kernel.words()) {
        return kernel;
      }
    }
    return trees[trees.length - 1];
  }

  private void scoreBlock(
      TreeKernel kernel,
      FeatureMatrix matrix,
      int first,
      int documents,
      BlockBuffers buffers,
      double[] scores) {
    int words = kernel.words();
    buffers.use(words);
    for (FeaturePredicates predicates : program.features()) {
      int from = matrix.column(predicates.feature()) + first;
      bitmaps.build(matrix.values(), from, documents, predicates, words, buffers.bitmaps, buffers);
    }
    sums.start(buffers, words);
    for (int group = 0; group < program.groups(); group++) {
      kernel.leafCodes(program, group, buffers.bitmaps, buffers.regions, buffers.codes);
      sums.add(group, buffers, words, documents);
    }
    for (int d = 0; d < documents; d++) {
      scores[first + d] = ensemble().rawScore(sums.sum(buffers, words, d));
    }
  }
}

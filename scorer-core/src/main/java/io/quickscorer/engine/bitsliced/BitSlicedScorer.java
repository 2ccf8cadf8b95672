// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Checkpoint;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.Arrays;
import java.util.List;

/**
 * Runs a {@link BitProgram} over blocks of documents. Supports trees of at most 1,024 leaves.
 *
 * <p>The cost of a block does not depend on its number of documents. So for each block, the scorer
 * uses the narrowest kernel whose bitmap has room for all remaining documents. If no kernel has
 * enough room, it uses the widest one. A block is scored with all trees before the next block.
 *
 * @param bitmaps computes the bitmaps of predicates
 * @param trees the kernels (inner loops) to choose from, each for another size of bitmaps, those
 *     for the smallest bitmaps first; at least one
 * @param sums adds the leaf values
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record BitSlicedScorer(
    Algorithm algorithm,
    BitProgram program,
    BitmapKernel bitmaps,
    TreeKernel[] trees,
    LeafSums sums)
    implements EnsembleScorer {

  /** Compiles an ensemble for a scorer without vectors, which processes 64 documents at a time. */
  public static BitSlicedScorer compile(TreeEnsemble ensemble, CompileProgress progress) {
    ProgramCompiler.Compiled compiled = ProgramCompiler.compile(ensemble, progress);
    return new BitSlicedScorer(
        Algorithm.BIT_SLICED,
        compiled.program(),
        new PlainBitmaps(),
        new TreeKernel[] {new LongTreeKernel()},
        new PlainLeafSums(compiled.program(), compiled.leaves()));
  }

  /** Returns the largest number of documents in a bitmap of a kernel (inner loop). */
  public int documentsPerBlock() {
    return blockSizes().getLast();
  }

  /**
   * Returns the possible numbers of documents per block, ascending: one for each kernel (inner
   * loop).
   */
  public List<Integer> blockSizes() {
    return Arrays.stream(trees).map(kernel -> Long.SIZE * kernel.words()).toList();
  }

  /**
   * Returns a copy of this scorer whose largest bitmaps have {@code documents} bits. Each of the
   * two scorers can use the scratch of the other.
   *
   * @throws IllegalArgumentException if no kernel (inner loop) has bitmaps of exactly this many
   *     bits
   */
  public BitSlicedScorer upTo(int documents) {
    TreeKernel[] narrower =
        Arrays.stream(trees)
            .filter(kernel -> Long.SIZE * kernel.words() <= documents)
            .toArray(TreeKernel[]::new);
    if (narrower.length == 0 || Long.SIZE * narrower[narrower.length - 1].words() != documents) {
      throw new IllegalArgumentException(
          algorithm
              + ": blocks of "
              + documents
              + " documents are not supported, expected one of "
              + blockSizes());
    }
    return new BitSlicedScorer(algorithm, program, bitmaps, narrower, sums);
  }

  @Override
  public TreeEnsemble ensemble() {
    return program.ensemble();
  }

  @Override
  public String engine() {
    int narrowest = Long.SIZE * trees[0].words();
    int widest = Long.SIZE * trees[trees.length - 1].words();
    return narrowest == widest
        ? algorithm.label()
        : algorithm.label() + " of " + narrowest + " to " + widest + " bits";
  }

  @Override
  public long bytes() {
    return program.bytes() + sums.bytes();
  }

  @Override
  public Scratch newScratch() {
    return new Growing(program);
  }

  @Override
  public long scratchBytes(int documents) {
    return (long) kernelFor(documents).words() * program.predicates() * Long.BYTES;
  }

  @Override
  public void score(FeatureMatrix matrix, Scratch scratch, double[] scores, Checkpoint checkpoint) {
    checkArguments(matrix, scores);
    Growing growing = (Growing) scratch;
    int first = 0;
    while (first < matrix.documents()) {
      TreeKernel kernel = kernelFor(matrix.documents() - first);
      int documents = Math.min(64 * kernel.words(), matrix.documents() - first);
      scoreBlock(
          kernel, matrix, first, documents, growing.buffers(kernel.words()), scores, checkpoint);
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
      double[] scores,
      Checkpoint checkpoint) {
    int words = kernel.words();
    for (FeaturePredicates predicates : program.features()) {
      int from = matrix.column(predicates.feature()) + first;
      bitmaps.build(matrix.values(), from, documents, predicates, words, buffers.bitmaps, buffers);
    }
    sums.start(buffers, words);
    for (int group = 0; group < program.groups(); group++) {
      checkpoint.pass();
      kernel.leafCodes(program, group, buffers.bitmaps, buffers.regions, buffers.codes);
      sums.add(group, buffers, words, documents);
    }
    for (int d = 0; d < documents; d++) {
      scores[first + d] = ensemble().rawScore(sums.sum(buffers, words, d));
    }
  }

  /** The buffers of one thread. They grow to the largest bitmaps for which they were used. */
  private static final class Growing implements Scratch {
    private final BitProgram program;
    private BlockBuffers buffers;

    Growing(BitProgram program) {
      this.program = program;
      this.buffers = new BlockBuffers(program, 1);
    }

    BlockBuffers buffers(int words) {
      if (buffers.maxWords() < words) {
        buffers = new BlockBuffers(program, words);
      }
      buffers.use(words);
      return buffers;
    }

    @Override
    public long bytes() {
      return buffers.bytes();
    }
  }
}

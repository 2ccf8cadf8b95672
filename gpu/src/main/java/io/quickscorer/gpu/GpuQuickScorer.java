// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.engine.columns.SplitTable;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.gpu.CudaDriver.DeviceMemory;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs GPU-QuickScorer. The trees are divided into blocks whose bitvectors fit shared memory. For
 * each block of trees, a first kernel finds how many splits of each column have a false test for
 * the document. A second kernel combines the masks of these splits with AND, and finds the leaves
 * that the documents reach.
 *
 * <p>Three points differ from the paper. A separate kernel adds the leaf values in tree order,
 * because sums per block would be rounded differently. Trees may have up to 65,535 leaves instead
 * of 64. Tests for missing values or categories have separate columns. Source: Lettich, Lucchese,
 * Nardini, Orlando, Perego, Tonellotto, Venturini, "Parallelizing the Traversal of Large Ensembles
 * of Decision Trees", IEEE TPDS 30(9), 2019, section 6.
 */
final class GpuQuickScorer extends DeviceScorer {
  private static final int STRUCT_BYTES = 88;
  private static final int MAX_LEAVES = 65_535;
  private static final int BLOCKS_PER_MULTIPROCESSOR = 256;

  private record Block(
      RankStep ranks,
      DeviceMemory masks,
      DeviceMemory treeNumbers,
      DeviceMemory leaves,
      int splits,
      int firstTree,
      int trees) {}

  private final List<Block> blocks;
  private final TreeBlocks cut;
  private final LeafSum sum;
  private final int leavesPerTree;
  private final int words;
  private final int maxColumns;

  private GpuQuickScorer(
      TreeEnsemble ensemble,
      ModelMemory memory,
      SplitColumns columns,
      List<Block> blocks,
      TreeBlocks cut,
      LeafSum sum) {
    super(ensemble, memory, columns.rows());
    this.blocks = blocks;
    this.cut = cut;
    this.sum = sum;
    this.leavesPerTree = ensemble.shape().maxLeaves();
    this.words = FalseNodeLists.words(leavesPerTree);
    this.maxColumns = blocks.stream().mapToInt(b -> b.ranks.count()).max().orElse(0);
  }

  /**
   * Compiles an ensemble.
   *
   * @throws UnsupportedEnsembleException if a tree has more than 65,535 leaves
   * @throws CudaException if the device fails or has too little memory
   */
  static GpuQuickScorer compile(TreeEnsemble ensemble, GpuDevice device, CompileProgress progress) {
    int leaves = ensemble.shape().maxLeaves();
    if (leaves > MAX_LEAVES) {
      throw new UnsupportedEnsembleException(
          Algorithm.GPU_QS + ": a tree has " + leaves + " leaves, expected at most " + MAX_LEAVES);
    }
    int words = FalseNodeLists.words(leaves);
    int splitBytes = (words <= FalseNodeLists.STORED_WORDS ? words : 1) * Integer.BYTES + 2;
    TreeBlocks cut =
        TreeBlocks.of(
            device.shape(),
            ensemble.trees().size(),
            words,
            (long) splitBytes * (leaves - 1) + (long) Double.BYTES * leaves);
    return compile(ensemble, device, cut, progress);
  }

  /**
   * Compiles an ensemble with the blocks of trees that {@code cut} defines, to compare divisions.
   */
  static GpuQuickScorer compile(
      TreeEnsemble ensemble, GpuDevice device, TreeBlocks cut, CompileProgress progress) {
    List<Tree> trees = ensemble.trees();
    SplitColumns columns =
        new SplitColumns(
            new SplitTable(trees, ensemble.featureNames().size(), progress.part(0, 0.5)),
            Integer.MAX_VALUE);
    CompileProgress listing = progress.part(0.5, 1);
    LeafSum sum = LeafSum.of(ensemble);
    device.makeCurrent();
    ModelMemory memory = new ModelMemory(device);
    try {
      List<Block> blocks = new ArrayList<>();
      for (int first = 0; first < trees.size(); first += cut.trees()) {
        int end = Math.min(first + cut.trees(), trees.size());
        FalseNodeLists lists =
            new FalseNodeLists(
                trees.subList(first, end),
                columns,
                sum,
                ensemble.shape().maxLeaves(),
                listing.part((double) first / trees.size(), (double) end / trees.size()));
        blocks.add(
            new Block(
                new RankStep(memory, lists.columns()),
                memory.upload(lists.packMasks()),
                memory.upload(lists.packTrees()),
                memory.upload(lists.packLeaves()),
                lists.splits(),
                first,
                end - first));
      }
      return new GpuQuickScorer(ensemble, memory, columns, blocks, cut, sum);
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.GPU_QS;
  }

  @Override
  long bytesPerDocument() {
    return (long) maxColumns * Integer.BYTES + (long) ensemble().trees().size() * sum.valueBytes();
  }

  @Override
  void enqueue(DeviceStream stream, int documents, int stride) {
    int trees = ensemble().trees().size();
    long values = stream.leaves.reserve((long) documents * trees * sum.valueBytes()).address();
    stream.ranks.reserve((long) maxColumns * stride * Integer.BYTES);
    String kernel =
        words == 1 ? "updateScores32" : words == 2 ? "updateScores64" : "updateScoresWide";
    int grid = Math.min(documents, device().shape().multiprocessors() * BLOCKS_PER_MULTIPROCESSOR);
    for (Block block : blocks) {
      block.ranks.enqueue(stream, documents, stride, 0, 0);
      ByteBuffer struct = stream.struct(kernel, STRUCT_BYTES);
      struct.putLong(block.ranks.columns().address());
      struct.putLong(stream.ranks.reserve(0).address());
      struct.putLong(block.masks.address()).putLong(block.treeNumbers.address());
      struct.putLong(block.leaves.address()).putLong(values);
      struct.putInt(documents).putInt(stride).putInt(block.ranks.count()).putInt(block.splits);
      struct.putInt(block.trees).putInt(block.firstTree).putInt(trees);
      struct.putInt(leavesPerTree).putInt(words).putInt(sum == LeafSum.FLOAT ? 1 : 0);
      stream.launch(kernel, grid, 1, cut.threads(), words * block.trees * Integer.BYTES);
    }
    sum.enqueue(stream, ensemble(), documents, 1, trees);
  }
}

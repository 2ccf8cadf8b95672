// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.gpu.CudaDriver.DeviceMemory;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.nio.ByteBuffer;

/**
 * Scores by quantised traversal: every document follows every tree by comparing integers. A first
 * kernel replaces each value by its rank among its column's thresholds. The ranks of some documents
 * (a tile) and the nodes of some trees are in shared memory. A node is one 32-bit word. A step to a
 * child takes six or seven instructions without a branch (see docs/kernels.md).
 *
 * <p>Trees may have up to 16,384 leaves, if the remaining bits of a node suffice for the indices of
 * all columns. Leaf values are added in tree order.
 */
final class GpuTraversalScorer extends DeviceScorer {
  private static final int STRUCT_BYTES = 128;

  private final RankStep ranks;
  private final NodeLayout layout;
  private final DeviceMemory nodes;
  private final DeviceMemory leafBase;
  private final DeviceMemory steps;
  private final DeviceMemory leaves;
  private final LeafSum sum;
  private final WalkPlan.Planner planner;
  private final double meanSteps;

  private GpuTraversalScorer(
      TreeEnsemble ensemble,
      ModelMemory memory,
      NodeLayout.WithColumns form,
      WalkPlan.Planner planner,
      CompileProgress progress) {
    super(ensemble, memory, form.columns().rows());
    this.sum = LeafSum.of(ensemble);
    PackedTrees packed = new PackedTrees(ensemble, sum, form.layout(), form.columns(), progress);
    this.layout = form.layout();
    this.ranks = new RankStep(memory, form.columns().columns());
    this.nodes = memory.upload(packed.nodes());
    this.leafBase = memory.upload(packed.leafBase());
    this.steps = memory.upload(packed.steps());
    this.planner = planner;
    this.meanSteps = packed.meanSteps();
    this.leaves = memory.upload(packed.leaves());
  }

  /**
   * Compiles an ensemble. Times several plans (divisions of a batch among threads) on the device to
   * find the fastest ones.
   *
   * @throws UnsupportedEnsembleException if 32-bit nodes cannot represent the trees
   * @throws CudaException if the device fails or has too little memory
   */
  static GpuTraversalScorer compileTimed(
      TreeEnsemble ensemble, GpuDevice device, CompileProgress progress) {
    TimedPlans plans = new TimedPlans();
    GpuTraversalScorer scorer = compile(ensemble, device, plans, progress);
    try {
      plans.time(scorer);
    } catch (RuntimeException | Error e) {
      scorer.close();
      throw e;
    }
    return scorer;
  }

  /**
   * Compiles an ensemble. {@code planner} divides each batch among threads.
   *
   * @throws UnsupportedEnsembleException if 32-bit nodes cannot represent the trees
   * @throws CudaException if the device fails or has too little memory
   */
  static GpuTraversalScorer compile(
      TreeEnsemble ensemble, GpuDevice device, WalkPlan.Planner planner, CompileProgress progress) {
    NodeLayout.WithColumns form = NodeLayout.of(ensemble, progress.part(0, 0.5));
    device.makeCurrent();
    ModelMemory memory = new ModelMemory(device);
    try {
      return new GpuTraversalScorer(ensemble, memory, form, planner, progress.part(0.5, 1));
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.GPU;
  }

  @Override
  long bytesPerDocument() {
    return (long) ranks.count() * Integer.BYTES;
  }

  WalkPlan.Work work(int documents) {
    return new WalkPlan.Work(
        documents,
        ensemble().trees().size(),
        ranks.count(),
        layout.treeBytes(),
        layout.oblivious(),
        meanSteps,
        sum.valueBytes());
  }

  WalkPlan plan(int documents) {
    return planner.plan(device(), work(documents));
  }

  @Override
  void enqueue(DeviceStream stream, int documents, int stride) {
    int trees = ensemble().trees().size();
    WalkPlan plan = plan(documents);
    ranks.enqueue(stream, documents, stride, 1, layout.thresholdPosition());
    long values =
        plan.split()
            ? stream.leaves.reserve((long) trees * stride * sum.valueBytes()).address()
            : 0;
    String kernel = plan.kernel();
    ByteBuffer struct = stream.struct(kernel, STRUCT_BYTES);
    struct.putLong(stream.ranks.reserve(1).address()).putLong(nodes.address());
    struct.putLong(leafBase.address()).putLong(steps.address()).putLong(leaves.address());
    struct.putLong(values);
    struct.putLong(stream.sums.reserve((long) documents * Double.BYTES).address());
    struct.putDouble(ensemble().initialScore());
    struct.putInt(documents).putInt(stride).putInt(ranks.count()).putInt(trees);
    struct.putInt(plan.treesPerBlock()).putInt(layout.treeBytes());
    struct.putInt(plan.tileShift()).putInt(plan.groups());
    putNodeFields(struct, plan);
    struct.putInt(plan.nodesAt()).putInt(plan.stageAt()).putInt(plan.sumsAt());
    struct.putInt(sum.ordinal());
    stream.launch(kernel, plan.tiles(documents), plan.gridY(), plan.threads(), plan.sharedBytes());
    if (plan.split()) {
      sum.enqueue(stream, ensemble(), documents, stride, 1);
    }
  }

  private void putNodeFields(ByteBuffer struct, WalkPlan plan) {
    int rowShift = plan.sharedRanks() ? plan.rowShift() : 0;
    struct.putInt(layout.columnPosition() - rowShift).putInt(layout.columnMask() << rowShift);
    struct.putInt(layout.childMask()).putInt(1 << layout.thresholdPosition());
  }
}

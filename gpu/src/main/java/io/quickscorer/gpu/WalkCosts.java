// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * Estimates the time of a {@link WalkPlan} in clock cycles, to compare plans. The estimates count
 * instructions and memory accesses, as docs/kernels.md explains.
 *
 * @param access cycles until each of the 32 threads of a warp has read one word from shared memory
 * @param addFloat cycles that a warp takes per tree to add one float to each sum
 * @param addDouble cycles that a warp takes per tree to add one double to each sum
 * @param warpOfDoubles cycles until each of the 32 threads of a warp has added one double
 * @param cacheBytes number of bytes that a multiprocessor reads from the level-2 cache per cycle
 */
record WalkCosts(
    double access, double addFloat, double addDouble, double warpOfDoubles, double cacheBytes) {
  private static final int WARP = 32;

  /** Number of instructions that a multiprocessor can start per cycle: it has four schedulers. */
  private static final double ISSUE = 4;

  /** Maximum number of threads on a multiprocessor if each uses 64 registers. */
  private static final int RESIDENT_THREADS = 1024;

  /** Number of instructions from a node to its child, including those of the loop. */
  static final double STEP_INSTRUCTIONS = 6.6;

  static final double SHIFTED_STEP_INSTRUCTIONS = 7.6;

  /** Number of instructions per level of an oblivious tree, including those of the loop. */
  static final double LEVEL_INSTRUCTIONS = 6;

  /** Instructions per tree, in addition to those for its nodes: about 220 for four trees. */
  static final double TREE_INSTRUCTIONS = 55;

  /** Cycles for which shared memory is busy when a thread moves from a node to its child. */
  private static final double STEP_SHARED = 2.5;

  private static final double STEP_ACCESSES = 2;

  /**
   * Number of shared-memory reads per level of an oblivious tree: one for a rank, and one per two
   * levels for nodes.
   */
  private static final double LEVEL_ACCESSES = 1.5;

  /** Cycles per leaf value: the value is read through the level-1 cache, copied and added. */
  private static final double LEAF_SHARED = 13;

  /** Cycles that a thread needs from a node to its child, including all waiting. */
  private static final double STEP_LATENCY = 75;

  /** Cycles per level of an oblivious tree. A thread processes four levels at the same time. */
  private static final double LEVEL_LATENCY = STEP_LATENCY / 4;

  /** Cycles per round (some trees followed together), in addition to those for its nodes. */
  private static final double ROUND_LATENCY = 500;

  private static final double NODES_NOT_HIDDEN = 0.15;
  private static final double CACHE_LATENCY = 700;

  /** Factor by which moves to a child take longer if the nodes are not in shared memory. */
  private static final double NODES_PENALTY = 1.2;

  private static final double RANKS_PENALTY = 4;

  private static final double LAUNCH = 8000;

  /** Returns the costs for a device, which depend on its compute capability. */
  static WalkCosts of(DeviceShape device) {
    return switch (device.capability()) {
      case 80 -> new WalkCosts(1, 15, 19, 1, 47);
      case 90, 100 -> new WalkCosts(1, 15, 19, 0.5, 21);
      default -> new WalkCosts(2, 15, 60, 16, 21);
    };
  }

  /** Returns the plan with the lowest estimated time for a batch. */
  static WalkPlan cheapest(GpuDevice device, WalkPlan.Work work) {
    return cheapest(device.shape(), work, device.batchBytes());
  }

  /**
   * Returns the plan with the lowest estimated time for a batch.
   *
   * @param work the sizes of the batch
   * @param splitBytes maximum device memory, in bytes, for the leaf values of plans that divide the
   *     trees
   */
  static WalkPlan cheapest(DeviceShape shape, WalkPlan.Work work, long splitBytes) {
    return Collections.min(WalkPlan.candidates(shape, work, splitBytes), order(shape, work));
  }

  /** Returns all plans of a batch, in ascending order of their estimated times. */
  static List<WalkPlan> ranked(GpuDevice device, WalkPlan.Work work) {
    List<WalkPlan> plans = WalkPlan.candidates(device.shape(), work, device.batchBytes());
    plans.sort(order(device.shape(), work));
    return plans;
  }

  private static Comparator<WalkPlan> order(DeviceShape shape, WalkPlan.Work work) {
    WalkCosts costs = of(shape);
    return Comparator.comparingDouble(plan -> costs.clocks(shape, plan, work));
  }

  /** Returns the estimated cycles to follow all trees for a batch and to add the leaf values. */
  double clocks(DeviceShape device, WalkPlan plan, WalkPlan.Work work) {
    int tile = 1 << plan.tileShift();
    double blocks =
        Math.ceil((double) plan.tiles(work.documents()) * plan.gridY() / device.multiprocessors());
    int atOnce =
        Math.max(
            1,
            Math.min(device.blocksAtOnce(plan.sharedBytes()), RESIDENT_THREADS / plan.threads()));
    double resident = Math.min(blocks, atOnce);
    double warps = resident * plan.threads() / WARP;
    double steps = work.steps();
    double instructions = steps * stepInstructions(plan) + TREE_INSTRUCTIONS;
    double shared = steps * stepShared(plan) + LEAF_SHARED;
    double throughput = Math.max(instructions / ISSUE, shared);
    if (work.valueBytes() == Double.BYTES) {
      throughput = Math.max(throughput, warpOfDoubles);
    }
    double chain = steps * (plan.oblivious() ? LEVEL_LATENCY : STEP_LATENCY) + ROUND_LATENCY;
    double latency = chain / (WalkPlan.UNROLL * warps);
    double penalty =
        (plan.sharedNodes() ? 1 : NODES_PENALTY) * (plan.sharedRanks() ? 1 : RANKS_PENALTY);
    double warpTrees = blocks * plan.treesPerBlock() * tile / WARP;
    // In each block, 32 threads (a warp) add the values of the block's documents, tree by tree.
    double adding = plan.split() ? 0 : blocks * plan.treesPerBlock() * add(work) / resident;
    double walking = Math.max(warpTrees * (throughput + latency) * penalty, adding);
    double nodes = blocks * plan.treesPerBlock() * work.treeBytes() / cacheBytes;
    double ranks =
        plan.sharedRanks()
            ? blocks * work.columns() * tile * Integer.BYTES / cacheBytes
                + CACHE_LATENCY * Math.ceil(blocks / atOnce)
            : 0;
    return Math.max(walking, nodes)
        + NODES_NOT_HIDDEN * nodes
        + ranks
        + (plan.split() ? sums(device, work) : 0);
  }

  private static double stepInstructions(WalkPlan plan) {
    if (plan.oblivious()) {
      return LEVEL_INSTRUCTIONS;
    }
    return plan.shifted() ? SHIFTED_STEP_INSTRUCTIONS : STEP_INSTRUCTIONS;
  }

  private double stepShared(WalkPlan plan) {
    return plan.oblivious()
        ? LEVEL_ACCESSES * access
        : Math.max(STEP_ACCESSES * access, STEP_SHARED);
  }

  private double add(WalkPlan.Work work) {
    return work.valueBytes() == Float.BYTES ? addFloat : addDouble;
  }

  private double sums(DeviceShape device, WalkPlan.Work work) {
    double values = 2.0 * work.documents() * work.trees() * work.valueBytes();
    return LAUNCH + work.trees() * add(work) + values / device.multiprocessors() / cacheBytes;
  }
}

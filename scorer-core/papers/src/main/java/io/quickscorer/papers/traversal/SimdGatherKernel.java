// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import io.quickscorer.engine.simd.SimdSpecies;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import java.util.stream.IntStream;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Follows a tree from its root with one document per vector lane. A step to a child reads nodes and
 * keys with four gather instructions.
 *
 * <p>Slow in a JVM that uses several vector widths: a gather calls virtual methods, and all widths
 * share the JIT profile of these methods. So the JIT keeps allocating vector objects.
 */
final class SimdGatherKernel implements GatherKernel {
  private static final int BITS = SimdSpecies.bits(MethodHandles.lookup());
  private static final VectorSpecies<Integer> INTS = SimdSpecies.ints(BITS);
  private static final int LANES = INTS.length();
  private static final int[] LANE_NUMBERS = IntStream.range(0, LANES).toArray();

  @Override
  public int lanes() {
    return LANES;
  }

  @Override
  public void walk(LoopedTrees trees, int tree, int[] keys, int stride, int first, int[] nodes) {
    Arrays.fill(nodes, 0, LANES, trees.roots()[tree]);
    for (int step = trees.depths()[tree]; step > 0; step--) {
      step(trees.columns(), trees.bounds(), trees.left(), keys, stride, first, nodes);
    }
  }

  /**
   * Moves the document in each lane from its node to a child.
   *
   * @param nodes the first half contains, for each lane, the index of the document's node; this
   *     method replaces it by the child's index. The second half is a buffer for indices in {@code
   *     keys}
   */
  private static void step(
      int[] columns, int[] bounds, int[] left, int[] keys, int stride, int first, int[] nodes) {
    IntVector column = IntVector.fromArray(INTS, columns, 0, nodes, 0);
    column
        .lanewise(VectorOperators.MUL, IntVector.broadcast(INTS, stride))
        .lanewise(VectorOperators.ADD, IntVector.broadcast(INTS, first))
        .lanewise(VectorOperators.ADD, IntVector.fromArray(INTS, LANE_NUMBERS, 0))
        .intoArray(nodes, LANES);
    IntVector key = IntVector.fromArray(INTS, keys, 0, nodes, LANES);
    IntVector bound = IntVector.fromArray(INTS, bounds, 0, nodes, 0);
    VectorMask<Integer> right = key.compare(VectorOperators.GT, bound);
    IntVector.fromArray(INTS, left, 0, nodes, 0)
        .lanewise(VectorOperators.ADD, IntVector.broadcast(INTS, 1), right)
        .intoArray(nodes, 0);
  }
}

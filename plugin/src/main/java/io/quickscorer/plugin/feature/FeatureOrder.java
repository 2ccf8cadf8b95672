// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.guard.Work;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.IntFunction;

/** Finds an order for computing features, so that each feature is computed after its inputs. */
public final class FeatureOrder {
  private FeatureOrder() {}

  /**
   * Returns the indices of all features, each after its inputs. It visits the inputs depth first,
   * without recursion, because a chain of inputs may be as long as the set.
   *
   * @param inputs {@code inputs.get(f)} are the features that feature f reads
   * @param name returns a feature's name, for messages
   * @throws IllegalArgumentException naming the features of a cycle
   */
  public static int[] of(List<int[]> inputs, IntFunction<String> name) {
    int size = inputs.size();
    int[] order = new int[size];
    int[] stack = new int[size];
    int[] nextInput = new int[size];
    boolean[] done = new boolean[size];
    boolean[] open = new boolean[size];
    int ordered = 0;
    for (int root = 0; root < size; root++) {
      if (done[root]) {
        continue;
      }
      int depth = 0;
      stack[depth++] = root;
      open[root] = true;
      while (depth > 0) {
        Work.step();
        int feature = stack[depth - 1];
        if (nextInput[feature] == inputs.get(feature).length) {
          depth--;
          open[feature] = false;
          done[feature] = true;
          order[ordered++] = feature;
          continue;
        }
        int input = inputs.get(feature)[nextInput[feature]++];
        if (open[input]) {
          throw cycle(Arrays.copyOf(stack, depth), input, name);
        }
        if (!done[input]) {
          stack[depth++] = input;
          open[input] = true;
        }
      }
    }
    return order;
  }

  private static IllegalArgumentException cycle(int[] path, int input, IntFunction<String> name) {
    StringJoiner names = new StringJoiner("] reads [", "feature [", "]");
    boolean inCycle = false;
    for (int feature : path) {
      inCycle |= feature == input;
      if (inCycle) {
        names.add(name.apply(feature));
      }
    }
    names.add(name.apply(input));
    return new IllegalArgumentException(names + ": a feature can't depend on itself");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Recursions, which {@link Recursions} must find, and what is none. */
@SuppressWarnings("unused") // read by the rule
abstract class PlantedRecursions {
  static int foundDirectly(Object value) {
    return value instanceof List<?> list ? foundDirectly(list.getFirst()) : 0;
  }

  static int foundByTwo(int levels) {
    return foundTheOther(levels);
  }

  static int foundTheOther(int levels) {
    return levels == 0 ? 0 : foundByTwo(levels - 1);
  }

  static int foundInALambda(List<?> list) {
    return list.stream().mapToInt(inner -> foundInALambda((List<?>) inner)).sum();
  }

  static void foundByReference(List<?> list) {
    list.forEach(PlantedRecursions::foundEach);
  }

  static void foundEach(Object inner) {
    foundByReference((List<?>) inner);
  }

  static void foundByListener(List<Consumer<String>> listeners) {
    listeners.add(answer -> foundAnswer(listeners));
  }

  static void foundAnswer(List<Consumer<String>> listeners) {
    foundByListener(listeners);
  }

  static void task(Executor executor) {
    executor.execute(() -> task(executor));
    executor.execute(Objects.requireNonNull(() -> task(executor)));
  }

  /** Overridden by what calls it again. */
  abstract int foundVirtually();

  static final class Node extends PlantedRecursions {
    private final PlantedRecursions inner;

    Node(PlantedRecursions inner) {
      this.inner = inner;
    }

    @Override
    int foundVirtually() {
      return 1 + inner.foundVirtually();
    }
  }

  static int straight(int levels) {
    return foundDirectly(levels);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import io.quickscorer.hostile.Change.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Which two sizes of a scenario to enlarge together: near ones first. */
final class Pairs {
  /** How many changes of a place take part. */
  private static final int BEST = 3;

  private final SplittableRandom random;

  /** By scenario, place and kind, the changes that cost most for their sizes. */
  private final Map<Scenario, Map<String, Cell>> lively = new HashMap<>();

  private final PriorityQueue<Pair> waiting =
      new PriorityQueue<>(Comparator.comparingDouble(Pair::distance));

  /**
   * Two.
   *
   * @param distance less for what promises more
   */
  record Pair(Cell first, Cell second, double distance) {
    List<Change> changes() {
      List<Change> changes = new ArrayList<>(first.useful());
      changes.addAll(second.useful());
      return changes;
    }
  }

  Pairs(SplittableRandom random) {
    this.random = random;
  }

  /** A change whose small sizes are known. */
  void add(Cell cell) {
    Map<String, Cell> others = lively.computeIfAbsent(cell.scenario(), s -> new HashMap<>());
    Change change = cell.useful().getFirst();
    String place = String.join("/", change.path());
    for (int best = 0; best < BEST; best++) {
      String key = place + ' ' + group(change) + ' ' + best;
      Cell there = others.get(key);
      if (there == null || isBetter(cell, there)) {
        others.put(key, cell);
        for (Cell other : List.copyOf(others.values())) {
          if (!other.useful().getFirst().path().equals(change.path())) {
            waiting.add(new Pair(cell, other, distance(cell, other)));
          }
        }
        return;
      }
    }
  }

  /** Changes of some size that multiply already, to be combined with a third one. */
  void addGrown(Cell cell, double cost) {
    for (Cell other : lively.getOrDefault(cell.scenario(), Map.of()).values()) {
      if (cell.changes().stream()
          .noneMatch(c -> c.path().equals(other.useful().getFirst().path()))) {
        waiting.add(new Pair(cell, other, distance(cell, other) - Math.min(2, cost)));
      }
    }
  }

  private static String group(Change change) {
    return change.kind() == Kind.TEXT ? change.label().split(" ")[0] : change.kind().name();
  }

  private static boolean isBetter(Cell one, Cell other) {
    return one.isAccepted() != other.isAccepted()
        ? one.isAccepted()
        : one.usefulCost() > 1.5 * other.usefulCost();
  }

  /** How far the places are from one another, in steps, and how little each one does. */
  private double distance(Cell cell, Cell other) {
    double least = Double.MAX_VALUE;
    for (Change one : cell.useful()) {
      List<String> there = other.useful().getFirst().path();
      int same = 0;
      while (same < Math.min(one.path().size(), there.size())
          && one.path().get(same).equals(there.get(same))) {
        same++;
      }
      least = Math.min(least, one.path().size() + there.size() - 2.0 * same);
    }
    return least
        + (cell.isAccepted() ? 0 : 1)
        + (other.isAccepted() ? 0 : 1)
        + 4 * random.nextDouble();
  }

  @Override
  public String toString() {
    return waiting.size() + " pairs";
  }

  /** The next two, or null if there is none. */
  @Nullable Pair next() {
    return waiting.poll();
  }
}

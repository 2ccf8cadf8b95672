// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.input.IntList;
import io.quickscorer.reader.onnx.OnnxForest.Split;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Replaces splits on computed columns by splits on features, so that the steps before the trees are
 * no longer needed. A split on a column becomes one or more splits on the column's feature. These
 * lead a feature value to the child to which the original split leads the result of the steps. The
 * bounds of the new splits are found by bisection over all floats.
 */
final class OnnxFolding {
  /** The index of minus infinity in the ascending order of all floats. */
  private static final int FIRST = number(Float.NEGATIVE_INFINITY);

  /** The index of plus infinity in the ascending order of all floats. */
  private static final int LAST = number(Float.POSITIVE_INFINITY);

  /** Number of evaluations of a column's steps that are allowed for a file of any size. */
  private static final long FREE_STEPS = 1L << 26;

  /** Number of evaluations that each split adds to the limit {@link #FREE_STEPS}. */
  private static final long STEPS_PER_SPLIT = 1 << 12;

  private static final int MAX_PIECES = 1 << 16;

  /**
   * For each comparison (mode), one byte: bit s + 1 is set if the comparison is true when {@code
   * value - bound} has the sign s (-1, 0 or 1). A table, because the JIT could compile several
   * comparisons of one number wrongly.
   */
  private static final byte[] SIGNS = {
    0b011, 0b001, 0b110, 0b100, 0b010, 0b101, 0b101, 0b101, 0b101
  };

  /** Basic limit of the number of splits; each split in the file adds 4 to the limit. */
  private static final int FREE_SPLITS = 1 << 20;

  /** The element of {@link #goesTo} for a split that is not replaced by a child. */
  private static final int STAYS = Integer.MIN_VALUE;

  private final OnnxForest forest;
  private final List<OnnxColumn> columns;

  /**
   * A division of all floats into ranges. Within a range, the result of a column's steps never
   * decreases or never increases.
   *
   * @param starts the index of the first float of each range, in the ascending order of all floats
   * @param first the result of the steps for the first float of each range
   * @param last the result of the steps for the last float of each range
   */
  private record Pieces(int[] starts, double[] first, double[] last) {
    int end(int piece) {
      return piece + 1 < starts.length ? starts[piece + 1] - 1 : LAST;
    }
  }

  /** For each column, its division of all floats into ranges; null until it is computed. */
  private final @Nullable Pieces[] pieces;

  /** The splits of the new forest: the original splits in their order, then additional ones. */
  private final List<Split> folded;

  private final int[] goesTo;
  private long stepsLeft;

  private OnnxFolding(OnnxForest forest, List<OnnxColumn> columns) {
    this.forest = forest;
    this.columns = columns;
    this.pieces = new Pieces[columns.size()];
    this.folded = new ArrayList<>(forest.splits());
    this.goesTo = new int[folded.size()];
    this.stepsLeft = FREE_STEPS + STEPS_PER_SPLIT * goesTo.length;
  }

  /**
   * Returns an equivalent forest whose splits test features, not computed columns.
   *
   * @param forest the forest whose splits test columns
   */
  static OnnxForest fold(OnnxForest forest, List<OnnxColumn> columns) {
    return new OnnxFolding(forest, columns).fold();
  }

  private static int number(float value) {
    int bits = Float.floatToIntBits(value);
    return bits < 0 ? Integer.MIN_VALUE - bits : bits;
  }

  private static float value(int number) {
    return Float.intBitsToFloat(number < 0 ? Integer.MIN_VALUE - number : number);
  }

  private OnnxForest fold() {
    for (int i = 0; i < goesTo.length; i++) {
      goesTo[i] = folded.get(i).mode() == OnnxForest.LEAF ? STAYS : fold(i);
    }
    folded.replaceAll(
        split ->
            split.mode() == OnnxForest.LEAF
                ? split
                : split.to(target(split.whenTrue()), target(split.whenFalse())));
    int[] roots = Arrays.stream(forest.roots()).map(this::target).toArray();
    return new OnnxForest(folded, forest.leaves(), roots);
  }

  /**
   * Follows {@link #goesTo} from {@code child} to the first node that is not replaced, and returns
   * this node.
   */
  private int target(int child) {
    int at = child;
    while (at >= 0 && at < goesTo.length && goesTo[at] != STAYS) {
      at = goesTo[at];
      step(1);
    }
    return at;
  }

  /**
   * Replaces a split on a computed column by splits on the column's feature. If all values go to
   * one child, returns this child; otherwise returns {@link #STAYS}.
   */
  private int fold(int number) {
    Split split = forest.splits().get(number);
    int tested = split.feature();
    if (tested < 0 || tested >= columns.size()) {
      throw new InvalidModelException(
          "node " + number + ": feature " + tested + ", expected 0.." + (columns.size() - 1));
    }
    OnnxColumn column = columns.get(tested);
    if (column.steps().isEmpty() || Double.isNaN(split.value())) {
      folded.set(number, split.of(column.feature()));
      return STAYS;
    }
    if (forest.mixesMissing(number)) {
      throw new InvalidModelException(
          "node "
              + number
              + ": nodes_missing_value_tracks_true differs from its value in the next BRANCH_EQ"
              + " node, expected equal values");
    }
    boolean forNaN = holds(split, column.apply(Double.NaN));
    int category = column.category();
    if (category >= 0) {
      boolean within = holds(split, column.apply(category));
      // The category plus 1 represents all other numbers, for which the result is equal.
      boolean without = holds(split, column.apply(category + 1.0));
      if (within != without) {
        folded.set(
            number,
            new Split(
                column.feature(),
                category,
                OnnxForest.CATEGORY,
                forNaN == within,
                split.child(within),
                split.child(without)));
        return STAYS;
      }
    }
    return chain(number, column.feature(), runs(split), forNaN);
  }

  private static boolean holds(Split split, double value) {
    return Double.isNaN(value)
        ? split.missingTrue() || split.mode() == OnnxForest.NEQ
        : holds(split, sign(value, split.value()));
  }

  private static boolean holds(Split split, int sign) {
    return (SIGNS[split.mode()] >>> sign + 1 & 1) != 0;
  }

  /**
   * Divides all floats, in ascending order, into runs in which the result of a split is constant.
   * Returns the index of the first float of each run except the first run.
   */
  private IntList runs(Split split) {
    OnnxColumn column = columns.get(split.feature());
    Pieces all = pieces(split.feature());
    double bound = split.value();
    IntList runs = new IntList();
    IntList changes = new IntList();
    boolean last = holds(split, all.first[0]);
    for (int piece = 0; piece < all.starts.length; piece++) {
      step(1);
      if (holds(split, all.first[piece]) != last) {
        runs.add(all.starts[piece]);
        last = !last;
      }
      if (sign(all.first[piece], bound) == sign(all.last[piece], bound)) {
        continue;
      }
      changes.clear();
      addChanges(column, column.steps().size(), all.starts[piece], all.end(piece), bound, changes);
      for (int i = 0; i < changes.size(); i++) {
        if (holds(split, column.apply(value(changes.get(i)))) != last) {
          runs.add(changes.get(i));
          last = !last;
        }
      }
    }
    return runs;
  }

  /**
   * Replaces a split by a chain of new splits, one for each run except the last run. A run is a
   * range of floats for which the original split has one result, see {@link #runs}.
   *
   * @param runs the index of the first float of each run except the first run
   * @param forNaN the result of the original split for NaN
   */
  private int chain(int number, int feature, IntList runs, boolean forNaN) {
    long limit = FREE_SPLITS + 4L * goesTo.length;
    if (folded.size() + (long) runs.size() > limit) {
      throw new InvalidModelException(
          "the operators before the trees cannot be replaced by splits, because more than "
              + limit
              + " splits would be needed; compute the operators' results as features, and export"
              + " the model without these operators");
    }
    Split split = forest.splits().get(number);
    boolean holds = holds(split, pieces(split.feature()).first[0]);
    if (runs.size() == 0) {
      if (holds == forNaN) {
        return split.child(holds);
      }
      // Every number is at most infinity, so only NaN goes to the second child.
      double all = Double.POSITIVE_INFINITY;
      folded.set(number, atMost(feature, all, false, split.child(holds), split.child(forNaN)));
      return STAYS;
    }
    int at = number;
    for (int run = 0; run < runs.size(); run++, holds = !holds) {
      boolean last = run + 1 == runs.size();
      int next = last ? split.child(!holds) : folded.size();
      double bound = value(runs.get(run) - 1);
      folded.set(at, atMost(feature, bound, forNaN == holds, split.child(holds), next));
      if (!last) {
        at = next;
        folded.add(split);
      }
    }
    return STAYS;
  }

  private static Split atMost(
      int feature, double bound, boolean missingTrue, int whenTrue, int whenFalse) {
    return new Split(feature, bound, OnnxForest.LEQ, missingTrue, whenTrue, whenFalse);
  }

  private Pieces pieces(int number) {
    Pieces known = pieces[number];
    if (known != null) {
      return known;
    }
    OnnxColumn column = columns.get(number);
    int[] starts = {FIRST, FIRST + 1, LAST};
    for (int done = 0; done < column.steps().size(); done++) {
      double[] breaks = column.steps().get(done).breaks();
      IntList all = new IntList();
      for (int piece = 0; piece < starts.length; piece++) {
        int end = piece + 1 < starts.length ? starts[piece + 1] - 1 : LAST;
        all.add(starts[piece]);
        for (double each : breaks) {
          addChanges(column, done, starts[piece], end, each, all);
        }
        if (all.size() > MAX_PIECES) {
          throw new InvalidModelException(
              "the operators before the trees compute a function with more than "
                  + MAX_PIECES
                  + " pieces; compute the operators' results as features, and export the model"
                  + " without these operators");
        }
      }
      starts = Arrays.stream(all.toArray()).sorted().distinct().toArray();
    }
    int count = starts.length;
    Pieces found = new Pieces(starts, new double[count], new double[count]);
    for (int piece = 0; piece < count; piece++) {
      found.first[piece] = column.apply(value(starts[piece]));
      found.last[piece] = column.apply(value(found.end(piece)));
    }
    pieces[number] = found;
    return found;
  }

  /**
   * Finds the floats at which the sign of {@code result - wanted} changes, where {@code result} is
   * the result of a column's first steps.
   *
   * @param steps the number of steps to apply
   * @param start the index of the first float, in the ascending order of all floats
   * @param end the index of the last float
   * @param to receives the indexes of the floats
   */
  private void addChanges(
      OnnxColumn column, int steps, int start, int end, double wanted, IntList to) {
    int at = start;
    int sign = sign(column, steps, start, wanted);
    int last = sign(column, steps, end, wanted);
    while (sign != last) {
      long below = at;
      long above = end;
      while (above - below > 1) {
        long middle = (below + above) >> 1;
        if (sign(column, steps, (int) middle, wanted) == sign) {
          below = middle;
        } else {
          above = middle;
        }
      }
      at = (int) above;
      to.add(at);
      sign = sign(column, steps, at, wanted);
    }
  }

  /**
   * Applies a column's first steps to a float, and returns the sign of the result minus {@code
   * wanted}.
   *
   * @param steps the number of steps to apply
   * @param number the index of the float in the ascending order of all floats
   */
  private int sign(OnnxColumn column, int steps, int number, double wanted) {
    step(1 + steps);
    double value = value(number);
    for (int i = 0; i < steps; i++) {
      value = column.steps().get(i).apply(value);
    }
    return sign(value, wanted);
  }

  private static int sign(double value, double wanted) {
    return value > wanted ? 1 : value < wanted ? -1 : 0;
  }

  private void step(int count) {
    stepsLeft -= count;
    if (stepsLeft < 0) {
      throw new InvalidModelException(
          "combining the operators before the trees with the splits takes too long; compute the"
              + " operators' results as features, and export the model without these operators");
    }
  }
}

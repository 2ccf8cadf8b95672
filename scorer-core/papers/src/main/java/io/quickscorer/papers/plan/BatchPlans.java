// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.plan;

import io.quickscorer.scorer.Algorithm;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The plan (engine and order of work) for each range of batch sizes. Immutable data with a text
 * form in which {@link ScoringPlan} defines each plan, for example
 *
 * <pre> qs tau=1000 DSD d=all;
 * from 5: vqs-512 tau=256 DSD d=all; from 17: bitsliced tau=16 DSD d=512 </pre>
 *
 * @param ranges the ranges in ascending order; the first one starts at 1
 */
public record BatchPlans(List<Range> ranges) {
  /** Maximum number of ranges. It limits the number of compiled engines. */
  private static final int MAX_RANGES = 16;

  private static final Pattern FROM = Pattern.compile("from (\\d{1,9}):(.*)");

  /**
   * A range of batch sizes and its plan. The range ends where the next one begins.
   *
   * @param fewest number of documents of the smallest batch in the range, at least 1
   * @param plan the engine and the order of work for these batches
   */
  public record Range(int fewest, ScoringPlan plan) {}

  public BatchPlans {
    ranges = List.copyOf(ranges);
    int last = 0;
    for (Range range : ranges) {
      if (last == 0 ? range.fewest() != 1 : range.fewest() <= last) {
        throw new IllegalArgumentException(
            (last == 0 ? "the first plan" : "a plan")
                + " begins at "
                + range.fewest()
                + " documents, "
                + (last == 0
                    ? "expected 1"
                    : "but the previous plan begins at " + last + "; expected ascending numbers"));
      }
      last = range.fewest();
    }
    if (ranges.isEmpty() || ranges.size() > MAX_RANGES) {
      throw new IllegalArgumentException(ranges.size() + " plans, expected 1 to " + MAX_RANGES);
    }
  }

  /** Returns plans that use the given plan for every batch size. */
  public static BatchPlans of(ScoringPlan plan) {
    return new BatchPlans(List.of(new Range(1, plan)));
  }

  /**
   * Parses a text that {@link #toString} returned, and returns its plans.
   *
   * @param algorithms finds an algorithm by its label, or throws IllegalArgumentException
   * @throws IllegalArgumentException if a part is not a plan, or the sizes are not in ascending
   *     order
   */
  public static BatchPlans parse(String text, Function<String, Algorithm> algorithms) {
    List<Range> ranges = new ArrayList<>();
    for (String part : text.split(";", MAX_RANGES + 1)) {
      Matcher from = FROM.matcher(part.strip());
      ranges.add(
          from.matches()
              ? new Range(
                  Integer.parseInt(from.group(1)), ScoringPlan.parse(from.group(2), algorithms))
              : new Range(ranges.isEmpty() ? 1 : 0, ScoringPlan.parse(part, algorithms)));
    }
    return new BatchPlans(ranges);
  }

  /** Returns the plan for batches with a number of documents. */
  public ScoringPlan of(int documents) {
    int i = ranges.size() - 1;
    while (i > 0 && documents < ranges.get(i).fewest()) {
      i--;
    }
    return ranges.get(i).plan();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(ranges.getFirst().plan().toString());
    for (Range range : ranges.subList(1, ranges.size())) {
      text.append("; from ").append(range.fewest()).append(": ").append(range.plan());
    }
    return text.toString();
  }
}

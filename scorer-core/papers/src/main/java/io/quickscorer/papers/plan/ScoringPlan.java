// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.plan;

import io.quickscorer.scorer.Algorithm;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How an ensemble is scored: plain data that can be printed, stored and prescribed. The text is
 *
 * <pre>
 *   ALGORITHM tau=TREES ORDER [d=DOCUMENTS] [s=SCORERS]
 *   vqs-512 tau=256 DSDS d=64 s=2
 *   qs tau=1000 DSD d=all
 * </pre>
 *
 * with {@code d} for the orders that have blocks of documents and {@code s} for those that have
 * blocks of scorers.
 *
 * @param algorithm the engine
 * @param treesPerUnit trees of the engine's scorers, the papers' tau; 1 where a scorer is a tree
 * @param order nesting of the loops
 * @param documents documents per document block, 1 or more, or {@link #ALL}; without meaning for DS
 *     and SDS
 * @param units scorers per scorer block, 1 or more; without meaning for DS and DSD
 */
public record ScoringPlan(
    Algorithm algorithm, int treesPerUnit, LoopOrder order, int documents, int units) {
  /** One block of all documents. */
  public static final int ALL = Integer.MAX_VALUE;

  private static final Pattern TEXT =
      Pattern.compile(
          "(?<algorithm>\\S+) tau=(?<tau>\\d{1,9}) (?<order>[DS]{2,4})"
              + "(?: d=(?<d>\\d{1,9}|all))?(?: s=(?<s>\\d{1,9}))?");

  private static final String EXPECTED =
      "expected ALGORITHM tau=N, then DS, DSD d=N, SDS s=N, DSDS d=N s=N or SDSD d=N s=N";

  private static final List<LoopOrder> WITHOUT_DOCUMENTS = List.of(LoopOrder.DS, LoopOrder.SDS);
  private static final List<LoopOrder> WITHOUT_UNITS = List.of(LoopOrder.DS, LoopOrder.DSD);

  public ScoringPlan {
    if (treesPerUnit < 1 || documents < 1 || units < 1) {
      throw new IllegalArgumentException(
          "a plan has "
              + treesPerUnit
              + " trees per unit, blocks of "
              + documents
              + " documents and "
              + units
              + " units, expected 1 or more of each");
    }
  }

  /** The plan of an engine that has no blocks: every document passes all trees. */
  public ScoringPlan(Algorithm algorithm, int treesPerUnit) {
    this(algorithm, treesPerUnit, LoopOrder.DS, 1, 1);
  }

  /**
   * Parses the text of {@link #toString}.
   *
   * @param algorithms finds an algorithm by its label, or throws IllegalArgumentException
   * @throws IllegalArgumentException if it is not a plan; the message shows the form of one
   */
  public static ScoringPlan parse(String text, Function<String, Algorithm> algorithms) {
    Matcher matcher = TEXT.matcher(text.strip().replaceAll("\\s+", " "));
    if (!matcher.matches()) {
      throw new IllegalArgumentException("the text is not a plan, " + EXPECTED);
    }
    LoopOrder order = order(matcher.group("order"));
    String d = matcher.group("d");
    String s = matcher.group("s");
    if ((d == null) != WITHOUT_DOCUMENTS.contains(order)
        || (s == null) != WITHOUT_UNITS.contains(order)) {
      throw new IllegalArgumentException(
          "the block sizes do not fit order " + order + ", " + EXPECTED);
    }
    return new ScoringPlan(
        algorithms.apply(matcher.group("algorithm")),
        Integer.parseInt(matcher.group("tau")),
        order,
        d == null ? 1 : d.equals("all") ? ALL : Integer.parseInt(d),
        s == null ? 1 : Integer.parseInt(s));
  }

  private static LoopOrder order(String name) {
    for (LoopOrder order : LoopOrder.values()) {
      if (order.name().equals(name)) {
        return order;
      }
    }
    throw new IllegalArgumentException("unknown order " + name + ", " + EXPECTED);
  }

  /** Returns this plan with another number of trees per unit. */
  public ScoringPlan withTreesPerUnit(int trees) {
    return new ScoringPlan(algorithm, trees, order, documents, units);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(algorithm + " tau=" + treesPerUnit + " " + order);
    if (!WITHOUT_DOCUMENTS.contains(order)) {
      text.append(" d=").append(documents == ALL ? "all" : documents);
    }
    if (!WITHOUT_UNITS.contains(order)) {
      text.append(" s=").append(units);
    }
    return text.toString();
  }
}

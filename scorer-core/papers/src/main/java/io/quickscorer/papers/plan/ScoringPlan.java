// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.plan;

import io.quickscorer.scorer.Algorithm;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The engine and the loops by which an ensemble is scored. Immutable data with a text form:
 *
 * <pre>
 *   ALGORITHM tau=TREES ORDER [d=DOCUMENTS] [s=SCORERS]
 *   vqs-512 tau=256 DSDS d=64 s=2
 *   qs tau=1000 DSD d=all
 * </pre>
 *
 * {@code d} is present if the order has blocks of documents, {@code s} if it has blocks of scorers.
 * A scorer is the engine's unit: a tree or a block of trees.
 *
 * @param algorithm the engine
 * @param treesPerUnit number of trees per scorer, the paper's tau; 1 if a scorer is a tree
 * @param order the nesting of the loops
 * @param documents number of documents per block, at least 1, or {@link #ALL}; not used for DS and
 *     SDS
 * @param units number of scorers per block, at least 1; not used for DS and DSD
 */
public record ScoringPlan(
    Algorithm algorithm, int treesPerUnit, LoopOrder order, int documents, int units) {
  /** The number of documents per block if one block contains all documents. */
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
              + " units, expected at least 1 of each");
    }
  }

  /** Creates the plan that scores one document after the other, without blocks. */
  public ScoringPlan(Algorithm algorithm, int treesPerUnit) {
    this(algorithm, treesPerUnit, LoopOrder.DS, 1, 1);
  }

  /**
   * Parses a plan's text, as {@link #toString} returns it.
   *
   * @param algorithms finds an algorithm by its label, or throws IllegalArgumentException
   * @throws IllegalArgumentException if the text is not a plan; the message shows the expected form
   */
  public static ScoringPlan parse(String text, Function<String, Algorithm> algorithms) {
    Matcher matcher = TEXT.matcher(text.strip().replaceAll("\\s+", " "));
    if (!matcher.matches()) {
      throw new IllegalArgumentException("[" + text + "] is not a plan, " + EXPECTED);
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

  /** Returns a copy of this plan with another number of trees per unit (block of trees). */
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

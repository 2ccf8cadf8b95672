// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.plan;

import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.scorer.BlockScorer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One of the paper's 28 cases: a loop order, and the cache levels that a block of documents and a
 * block of scorers fill. Level 4 is memory.
 *
 * <p>Source: Jin, Yang, Tang, "A Comparison of Cache Blocking Methods for Fast Execution of
 * Ensemble-based Score Computation", SIGIR 2016, section 4, tables 1, 8, 9, 10. The cost formulas
 * are the paper's; a cost of 1 is an access to cache level 1. The paper uses miss rates without a
 * definition. Here, the miss rate of a cache level is the share of a document block that does not
 * fit into the level.
 *
 * @param order DSD, SDS, DSDS or SDSD
 * @param documentLevel cache level that a block of documents fills; 0 for SDS
 * @param unitLevel cache level that a block of scorers (units) fills; 0 for DSD
 */
record RangeCase(LoopOrder order, int documentLevel, int unitLevel) {
  /** Cost of an access to cache level 2, as a multiple of an access to level 1; a typical value. */
  private static final double C2 = 3;

  /** Cost of an access to cache level 3, as a multiple of an access to level 1; a typical value. */
  private static final double C3 = 12;

  /** Cost of an access to memory, as a multiple of an access to cache level 1; a typical value. */
  private static final double C4 = 60;

  /** Number of accesses to a scorer's data per access to a feature value; the paper's eta. */
  private static final double ETA = 1;

  /** Maximum value of a ratio that the paper calls "much smaller than 1". */
  private static final double SMALL = 0.25;

  private static final int MAX_CANDIDATES = 6;

  /**
   * Values that are tried for the paper's mu: the share (0 to 1) that an engine reads, on average,
   * of the data of a document or scorer.
   */
  private static final double[] SHARES = {1, 0.75, 0.5, 0.25};

  private static final List<RangeCase> PROPOSITION_1 =
      List.of(
          new RangeCase(LoopOrder.DSD, 2, 0),
          new RangeCase(LoopOrder.DSDS, 2, 1),
          new RangeCase(LoopOrder.SDSD, 2, 2),
          new RangeCase(LoopOrder.SDSD, 1, 2),
          new RangeCase(LoopOrder.SDSD, 1, 3),
          new RangeCase(LoopOrder.SDSD, 2, 3));

  /**
   * The sizes on which the costs depend.
   *
   * @param caches the cache sizes of the machine
   * @param documentBytes size of the features of one document, in bytes
   * @param unitBytes size of one scorer (tree or block of trees), in bytes
   * @param documents number of documents of a call
   * @param units number of scorers
   */
  record Sizes(
      CacheSizes caches, double documentBytes, double unitBytes, int documents, int units) {
    int documentLevel() {
      return caches.levelOf(documentBytes);
    }

    int unitLevel() {
      return caches.levelOf(unitBytes);
    }

    /**
     * Returns how many documents fill half of a cache level.
     *
     * @param mu the share of each document that is read, 0 to 1
     */
    int documentsOf(int level, double mu) {
      return half(level, mu * documentBytes, documents);
    }

    /**
     * Returns how many scorers (trees or blocks of trees) fill half of a cache level.
     *
     * @param mu the share of each scorer that is read, 0 to 1
     */
    int unitsOf(int level, double mu) {
      return half(level, mu * unitBytes, units);
    }

    private int half(int level, double bytes, int all) {
      double fit = level == 4 ? all : 0.5 * caches.ofLevel(level) / bytes;
      return (int) Math.clamp(fit, 1, Math.max(1, all));
    }
  }

  /** Returns all 28 combinations of a loop order and the cache levels that its blocks fill. */
  static List<RangeCase> all() {
    List<RangeCase> cases = new ArrayList<>();
    for (int outer = 1; outer <= 4; outer++) {
      cases.add(new RangeCase(LoopOrder.DSD, outer, 0));
      cases.add(new RangeCase(LoopOrder.SDS, 0, outer));
      for (int inner = 1; inner <= outer; inner++) {
        cases.add(new RangeCase(LoopOrder.DSDS, outer, inner));
        cases.add(new RangeCase(LoopOrder.SDSD, inner, outer));
      }
    }
    return cases;
  }

  /**
   * Returns the cases that may be fast. These are the cases of the paper's Proposition 1 if a
   * document and a scorer fit cache level 1, and many documents fit cache level 2. Otherwise these
   * are the cases with the lowest costs.
   */
  static List<RangeCase> candidates(Sizes sizes) {
    double perDocument = ETA * C4 / sizes.documentsOf(2, 1);
    double perUnit = C4 / sizes.unitsOf(2, 1);
    if (sizes.documentLevel() == 1 && sizes.unitLevel() == 1 && perDocument < SMALL) {
      return perUnit < SMALL ? PROPOSITION_1.subList(0, 4) : PROPOSITION_1;
    }
    return all().stream()
        .filter(range -> range.fits(sizes))
        .sorted(Comparator.comparingDouble(range -> range.cost(sizes)))
        .limit(MAX_CANDIDATES)
        .toList();
  }

  /** Returns plans, with several block sizes, for the cases that may be fast for a batch size. */
  static List<ScoringPlan> plans(BlockScorer engine, int documents, CacheSizes caches) {
    Sizes sizes = sizes(engine, documents, caches);
    return plans(engine, sizes, candidates(sizes));
  }

  /** Returns plans of all cases for a batch size, with several block sizes. */
  static List<ScoringPlan> allPlans(BlockScorer engine, int documents, CacheSizes caches) {
    return plans(engine, sizes(engine, documents, caches), all());
  }

  private static Sizes sizes(BlockScorer engine, int documents, CacheSizes caches) {
    EnsembleShape shape = engine.ensemble().shape();
    return new Sizes(
        caches,
        Math.max(1, (double) Float.BYTES * shape.usedFeatures()),
        Math.max(1, (double) engine.bytes() / engine.units()),
        documents,
        engine.units());
  }

  private static List<ScoringPlan> plans(BlockScorer engine, Sizes sizes, List<RangeCase> cases) {
    List<ScoringPlan> plans = new ArrayList<>();
    for (RangeCase range : cases) {
      for (double share : SHARES) {
        int d = sizes.documentsOf(Math.max(1, range.documentLevel()), share);
        int s = sizes.unitsOf(Math.max(1, range.unitLevel()), share);
        plans.add(plan(engine, range.order(), d, s, sizes.documents()));
      }
    }
    return plans;
  }

  /**
   * Returns a plan in a normal form, so that equivalent plans are equal. The size of a block of
   * documents is {@link ScoringPlan#ALL}, or a multiple of {@link BlockScorer#granule}. Sizes that
   * the order does not use are 1.
   *
   * @param d number of documents per block
   * @param s number of scorers per block
   */
  static ScoringPlan plan(BlockScorer engine, LoopOrder order, int d, int s, int documents) {
    boolean blocksOfDocuments = order != LoopOrder.DS && order != LoopOrder.SDS;
    boolean blocksOfUnits = order != LoopOrder.DS && order != LoopOrder.DSD;
    int granule = engine.granule();
    int whole = d >= documents ? ScoringPlan.ALL : Math.ceilDiv(d, granule) * granule;
    return new ScoringPlan(
        engine.algorithm(),
        engine.treesPerUnit(),
        order,
        blocksOfDocuments ? whole : 1,
        blocksOfUnits ? Math.min(s, engine.units()) : 1);
  }

  /** Returns whether a scorer and a document are small enough for this case's cache levels. */
  boolean fits(Sizes sizes) {
    boolean documents = documentLevel == 0 || documentLevel >= sizes.documentLevel();
    boolean units = unitLevel == 0 || unitLevel >= sizes.unitLevel();
    return documents
        && units
        && (order != LoopOrder.DSD || documentLevel >= sizes.unitLevel())
        && (order != LoopOrder.SDS || unitLevel >= sizes.documentLevel());
  }

  /** Returns the estimated cost of memory accesses. Costs can be compared only for equal sizes. */
  double cost(Sizes sizes) {
    double d = sizes.documentsOf(Math.max(1, documentLevel), 1);
    double s = sizes.unitsOf(Math.max(1, unitLevel), 1);
    double extraUnit = cost(sizes.unitLevel());
    double extraDocument = cost(sizes.documentLevel());
    double alpha = missRate(sizes, 1, d);
    double beta = missRate(sizes, 2, d);
    double documentCost;
    double unitCost;
    switch (order) {
      case DSD -> {
        documentCost = documentBlock(alpha, beta) + C4 / sizes.units();
        unitCost = extraUnit + C4 / d;
      }
      case SDS -> {
        documentCost = extraDocument + C4 / s;
        unitCost = unitLevel == 1 ? C4 / sizes.documents() : cost(unitLevel);
      }
      case DSDS -> {
        documentCost = extraDocument + (documentLevel == 1 ? C4 / d : cost(documentLevel) / s);
        unitCost = cost(unitLevel) + (unitLevel == 4 ? 0 : C4 / d);
      }
      default -> {
        documentCost = documentBlock(alpha, beta) + (documentLevel == 4 ? 0 : C4 / s);
        unitCost = extraUnit + (unitLevel == 1 ? C4 / s : cost(unitLevel) / d);
      }
    }
    return 1 + documentCost + ETA * (1 + unitCost);
  }

  /**
   * Returns the cost of reading a block of documents again, from the cache level that the block
   * fills. The parameters are the miss rates of the cache levels 1 and 2.
   */
  private double documentBlock(double alpha, double beta) {
    return switch (documentLevel) {
      case 1 -> 0;
      case 2 -> alpha * C2;
      case 3 -> alpha * C2 + alpha * beta * C3;
      default -> C4;
    };
  }

  private static double cost(int level) {
    return switch (level) {
      case 1 -> 0;
      case 2 -> C2;
      case 3 -> C3;
      default -> C4;
    };
  }

  /**
   * Returns a cache level's miss rate for blocks of d documents; at least 1 / number of scorers.
   */
  private static double missRate(Sizes sizes, int level, double d) {
    double fits = sizes.caches().ofLevel(level) / (d * sizes.documentBytes());
    return Math.max(1.0 / sizes.units(), 1 - fits);
  }

  @Override
  public String toString() {
    return switch (order) {
      case DSD -> "DSD" + documentLevel;
      case SDS -> "SDS" + unitLevel;
      case DSDS -> "DSD" + documentLevel + "S" + unitLevel;
      default -> "SDS" + unitLevel + "D" + documentLevel;
    };
  }
}

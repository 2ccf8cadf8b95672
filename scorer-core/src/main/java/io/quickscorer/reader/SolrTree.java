// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.Thresholds;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.reader.input.DocumentReader;
import io.quickscorer.reader.input.IntList;
import io.quickscorer.reader.input.Numbers;
import io.quickscorer.reader.input.Tokens.Token;
import java.util.Map;

/**
 * Reads the trees of Solr's MultipleAdditiveTreesModel. A tree has nested nodes and a weight. Most
 * numbers are strings, in every form that Java's {@code Float.parseFloat} accepts.
 *
 * <p>Solr sends x left if {@code x <= threshold + 1e-6f} in float. A leaf adds {@code weight *
 * value}, computed in float; a leaf without a value adds 0. At a split on a feature that the model
 * does not list, the tree adds 0. If missing values do not count as 0, a missing value goes left if
 * {@code missing} is "left", otherwise right.
 *
 * <p>One instance reads all trees of a model, one after the other.
 */
final class SolrTree {
  private static final float SLACK = 1e-6f;
  private static final int ABSENT = -1;

  /** The element of {@link #feature} for a leaf. */
  private static final int LEAF = -1;

  /** The element of {@link #feature} for a split on a feature that the model does not list. */
  private static final int UNLISTED = -2;

  private final DocumentReader reader;
  private final Map<String, Integer> features;
  private final Map<Integer, Normaliser> normalisers;
  private final boolean nullIsZero;
  private final EnsembleLimits limits;

  // The nodes of the present tree, in the order in which they begin in the file. Thresholds and
  // values are stored as the bits of floats.
  private final IntList feature = new IntList();
  private final IntList threshold = new IntList();
  private final IntList value = new IntList();
  private final IntList missingLeft = new IntList();
  private final IntList left = new IntList();
  private final IntList right = new IntList();
  private final IntList open = new IntList();

  /**
   * Creates a reader of a model's trees.
   *
   * @param features the numbers of the features that the model lists, by name
   * @param normalisers the normalisers by number of the feature
   * @param nullIsZero whether a missing value counts as 0 before normalisation
   */
  SolrTree(
      DocumentReader reader,
      Map<String, Integer> features,
      Map<Integer, Normaliser> normalisers,
      boolean nullIsZero,
      EnsembleLimits limits) {
    this.reader = reader;
    this.features = features;
    this.normalisers = normalisers;
    this.nullIsZero = nullIsZero;
    this.limits = limits;
  }

  /**
   * Reads a tree and builds it. The present token must be the tree's first token.
   *
   * @param builder a builder that allows nodes that cannot be reached
   */
  Tree read(TreeBuilder builder, int number) {
    long offset = reader.offset();
    clear();
    float weight = Float.NaN;
    reader.beginObject("tree");
    String name;
    while ((name = reader.nextName()) != null) {
      switch (name) {
        case "weight" -> weight = number(reader, name);
        case "root" -> readNodes();
        default -> throw reader.failure("expected weight or root");
      }
    }
    if (!Float.isFinite(weight) || feature.size() == 0) {
      throw reader.failure("expected a finite weight and a root");
    }
    try {
      return build(builder, number, weight);
    } catch (InvalidModelException e) {
      throw e.at(offset);
    }
  }

  private void clear() {
    feature.clear();
    threshold.clear();
    value.clear();
    missingLeft.clear();
    left.clear();
    right.clear();
  }

  /**
   * Returns the present value of the document as a float: a JSON number, or a string in a form that
   * Java parses, which may end in f or d.
   */
  static float number(DocumentReader reader, String what) {
    if (reader.token() != Token.STRING) {
      return reader.floatValue(what);
    }
    try {
      return reader.floatInString();
    } catch (InvalidModelException e) {
      return marked(reader, what);
    }
  }

  /** Parses a string that has spaces around the number, or one of Java's suffixes, as a float. */
  private static float marked(DocumentReader reader, String what) {
    String text = reader.string(what).strip();
    int last = text.length() - 1;
    boolean marked = last > 0 && "fFdD".indexOf(text.charAt(last)) >= 0;
    try {
      return Numbers.floatOf(marked ? text.substring(0, last) : text, reader.offset());
    } catch (InvalidModelException e) {
      throw reader.failure(what + ": expected a number");
    }
  }

  private void readNodes() {
    open.add(begin());
    while (open.size() > 0) {
      int node = open.get(open.size() - 1);
      String name = reader.nextName();
      if (name == null) {
        check(node);
        open.removeLast();
        continue;
      }
      switch (name) {
        case "feature" -> feature.set(node, features.getOrDefault(reader.string(name), UNLISTED));
        case "threshold" -> threshold.set(node, bits(number(reader, name) + SLACK));
        case "value" -> value.set(node, bits(number(reader, name)));
        case "missing" -> missingLeft.set(node, reader.string(name).equals("left") ? 1 : 0);
        case "left" -> {
          left.set(node, feature.size());
          open.add(begin());
        }
        case "right" -> {
          right.set(node, feature.size());
          open.add(begin());
        }
        default ->
            throw reader.failure(
                "node " + node + ": expected feature, threshold, missing, left, right or value");
      }
    }
  }

  private static int bits(float value) {
    return Float.floatToRawIntBits(value);
  }

  private int begin() {
    int node = feature.size();
    reader.beginObject("node " + node);
    // A tree of n nodes in which each split has two children has (n + 1) / 2 leaves.
    reader.check("leaves", (node + 2L) / 2, Limit.LEAVES, limits);
    feature.add(LEAF);
    threshold.add(bits(Float.NaN));
    value.add(0);
    missingLeft.add(0);
    left.add(ABSENT);
    right.add(ABSENT);
    return node;
  }

  private void check(int node) {
    boolean split = feature.get(node) != LEAF;
    if (split && Float.isNaN(Float.intBitsToFloat(threshold.get(node)))) {
      throw reader.failure("node " + node + ": the split has no numeric threshold");
    }
    if (split != (left.get(node) != ABSENT) || split != (right.get(node) != ABSENT)) {
      throw reader.failure("node " + node + ": expected a feature and two children, or neither");
    }
  }

  private Tree build(TreeBuilder builder, int number, float weight) {
    builder.start(number, feature.size());
    for (int node = 0; node < feature.size(); node++) {
      int f = feature.get(node);
      if (f == LEAF) {
        builder.leaf(node, weight * Float.intBitsToFloat(value.get(node)));
      } else if (f == UNLISTED) {
        builder.leaf(node, 0);
      } else {
        Normaliser normaliser = normalisers.get(f);
        float bound = Thresholds.lessOrEqual(Float.intBitsToFloat(threshold.get(node)));
        bound = normaliser == null ? bound : normaliser.bound(bound);
        boolean goesLeft = nullIsZero ? 0 <= bound : missingLeft.get(node) == 1;
        builder.split(
            node, f, bound, MissingValue.of(goesLeft, false), left.get(node), right.get(node));
      }
    }
    return builder.build(0);
  }
}

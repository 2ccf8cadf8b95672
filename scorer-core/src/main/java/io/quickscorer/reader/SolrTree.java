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
import io.quickscorer.reader.input.Numbers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonToken;

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

  /** The number that a node has in place of a feature if the node is a leaf. */
  private static final int LEAF = -1;

  /** The number that a split has in place of a feature if the model does not list the feature. */
  private static final int UNLISTED = -2;

  private static final class Node {
    private int feature = LEAF;
    private float threshold = Float.NaN;
    private float value;
    private boolean missingLeft;
    private int left = ABSENT;
    private int right = ABSENT;
  }

  private final DocumentReader reader;
  private final Map<String, Integer> features;
  private final Map<Integer, Normaliser> normalisers;
  private final boolean nullIsZero;
  private final EnsembleLimits limits;

  /** The nodes of the current tree, in the order in which they begin in the file. */
  private final List<Node> nodes = new ArrayList<>();

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
   * Reads a tree and builds it. The current token must be the tree's first token.
   *
   * @param builder a builder that allows nodes that cannot be reached
   */
  Tree read(TreeBuilder builder, int number) {
    long offset = reader.offset();
    nodes.clear();
    float weight = Float.NaN;
    for (String name : reader.fields("tree")) {
      switch (name) {
        case "weight" -> weight = number(reader, name);
        case "root" -> readNodes();
        default -> throw reader.failure("unknown field, expected weight or root");
      }
    }
    if (!Float.isFinite(weight) || nodes.isEmpty()) {
      throw reader.failure("expected a finite weight and a root");
    }
    try {
      return build(builder, number, weight);
    } catch (InvalidModelException e) {
      throw e.at(offset);
    }
  }

  /**
   * Returns the reader's current value as a float. The value is a JSON number, or a string that
   * Java parses: such a string may have spaces around the number and end in f or d.
   */
  static float number(DocumentReader reader, String what) {
    if (reader.token() != JsonToken.VALUE_STRING) {
      return reader.floatValue(what);
    }
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
    Deque<Node> open = new ArrayDeque<>();
    open.push(begin());
    while (!open.isEmpty()) {
      Node node = open.element();
      String name = reader.nextName();
      if (name == null) {
        check(open.pop());
        continue;
      }
      switch (name) {
        case "feature" -> node.feature = features.getOrDefault(reader.string(name), UNLISTED);
        case "threshold" -> node.threshold = number(reader, name) + SLACK;
        case "value" -> node.value = number(reader, name);
        case "missing" -> node.missingLeft = reader.string(name).equals("left");
        case "left" -> {
          node.left = nodes.size();
          open.push(begin());
        }
        case "right" -> {
          node.right = nodes.size();
          open.push(begin());
        }
        default ->
            throw reader.failure(
                place(node)
                    + ": unknown field, expected feature, threshold, missing, left, right or"
                    + " value");
      }
    }
  }

  private String place(Node node) {
    return "node " + nodes.indexOf(node);
  }

  private Node begin() {
    reader.beginObject("node " + nodes.size());
    // A tree of n nodes in which each split has two children has (n + 1) / 2 leaves.
    reader.check("leaves", (nodes.size() + 2L) / 2, Limit.LEAVES, limits);
    Node node = new Node();
    nodes.add(node);
    return node;
  }

  private void check(Node node) {
    boolean split = node.feature != LEAF;
    if (split && Float.isNaN(node.threshold)) {
      throw reader.failure(place(node) + ": the split has no numeric threshold");
    }
    if (split != (node.left != ABSENT) || split != (node.right != ABSENT)) {
      throw reader.failure(place(node) + ": expected a feature and two children, or neither");
    }
  }

  private Tree build(TreeBuilder builder, int number, float weight) {
    builder.start(number, nodes.size());
    for (int i = 0; i < nodes.size(); i++) {
      Node node = nodes.get(i);
      if (node.feature < 0) {
        builder.leaf(i, node.feature == LEAF ? weight * node.value : 0);
      } else {
        Normaliser normaliser = normalisers.get(node.feature);
        float bound = Thresholds.lessOrEqual(node.threshold);
        bound = normaliser == null ? bound : normaliser.bound(bound);
        boolean goesLeft = nullIsZero ? 0 <= bound : node.missingLeft;
        builder.split(
            i, node.feature, bound, MissingValue.of(goesLeft, false), node.left, node.right);
      }
    }
    return builder.build(0);
  }
}

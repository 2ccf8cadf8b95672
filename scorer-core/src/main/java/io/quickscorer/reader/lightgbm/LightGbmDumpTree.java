// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.lightgbm;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.Thresholds;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.reader.input.DocumentReader;
import io.quickscorer.reader.input.DoubleList;
import io.quickscorer.reader.input.IntList;
import io.quickscorer.reader.input.Numbers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** Reads one tree of a LightGBM dump: nested nodes, read with an explicit stack. */
final class LightGbmDumpTree {
  private static final int ABSENT = -1;
  private static final double INFINITE = 1e300;

  /**
   * A node of the tree that is being read. Nodes are numbered in the order in which they begin in
   * the file; a node refers to its children by number.
   */
  private static final class Node {
    private int feature = ABSENT;
    private int left = ABSENT;
    private int right = ABSENT;
    private boolean leaf;
    private double value = Double.NaN;

    /** The number of rows of the training data that reached the node; NaN if absent. */
    private double cover = Double.NaN;

    private double gain = Double.NaN;

    /** The constant of a linear leaf; null for other nodes. */
    private @Nullable Double constant;

    private int[] features = {};
    private double[] coefficients = {};
    private boolean coefficientsGiven;
    private boolean categorical;
    private boolean defaultLeft;
    private String missingType = "None";
    private @Nullable String categories;
    private @Nullable CategorySet set;
  }

  /** The nodes of one tree. The first node is the root. */
  static final class Nodes {
    private final long offset;
    private final List<Node> nodes = new ArrayList<>();

    private Nodes(long offset) {
      this.offset = offset;
    }

    Tree build(TreeBuilder builder, int number) {
      try {
        builder.start(number, nodes.size());
        for (int i = 0; i < nodes.size(); i++) {
          Node node = nodes.get(i);
          declare(builder, i, node);
          if (!Double.isNaN(node.cover)) {
            builder.cover(i, node.cover);
          }
          if (!Double.isNaN(node.gain)) {
            builder.gain(i, (float) node.gain);
          }
        }
        return builder.build(0);
      } catch (InvalidModelException e) {
        throw e.at(offset);
      }
    }

    private static void declare(TreeBuilder builder, int number, Node node) {
      CategorySet set = node.set;
      if (node.leaf) {
        builder.leaf(number, node.value);
        if (node.constant != null) {
          builder.linearLeaf(number, node.constant, node.features, node.coefficients);
        }
      } else if (set != null) {
        // For every missing type, NaN is not in the set and goes right.
        builder.split(number, node.feature, set, MissingValue.NAN_RIGHT, node.left, node.right);
      } else {
        MissingValue rule =
            node.missingType.equals("None")
                // With missing type None, NaN is treated as 0.
                ? MissingValue.of(0 <= node.value, false)
                : MissingValue.of(node.defaultLeft, node.missingType.equals("Zero"));
        float bound = Thresholds.lessOrEqualZeroed(node.value);
        builder.split(number, node.feature, bound, rule, node.left, node.right);
      }
    }
  }

  private final DocumentReader reader;
  private final EnsembleLimits limits;

  LightGbmDumpTree(DocumentReader reader, EnsembleLimits limits) {
    this.reader = reader;
    this.limits = limits;
  }

  /** Reads a tree and returns its nodes. The current token must be the first token of the root. */
  Nodes read() {
    Nodes tree = new Nodes(reader.offset());
    Deque<Node> open = new ArrayDeque<>();
    open.push(begin(tree));
    while (!open.isEmpty()) {
      Node node = open.element();
      String name = reader.nextName();
      if (name == null) {
        finish(node, tree.nodes.size());
        open.pop();
      } else if (name.equals("left_child") || name.equals("right_child")) {
        if (name.startsWith("l")) {
          node.left = tree.nodes.size();
        } else {
          node.right = tree.nodes.size();
        }
        open.push(begin(tree));
      } else {
        readField(node, name);
      }
    }
    return tree;
  }

  private Node begin(Nodes tree) {
    reader.beginObject("node");
    Node node = new Node();
    tree.nodes.add(node);
    return node;
  }

  private void readField(Node node, String name) {
    switch (name) {
      case "split_feature" -> node.feature = reader.count(name);
      case "threshold" -> {
        if (reader.token() == JsonToken.VALUE_STRING) {
          node.categories = reader.string(name);
        } else {
          node.value = unbounded(reader.doubleValue(name));
        }
      }
      case "decision_type" -> node.categorical = isCategorical(reader.string(name));
      case "default_left" -> node.defaultLeft = reader.bool(name);
      case "missing_type" -> node.missingType = missingType(reader.string(name));
      case "leaf_value" -> {
        node.leaf = true;
        node.value = reader.doubleValue(name);
      }
      case "internal_count", "leaf_count" -> node.cover = reader.doubleValue(name);
      case "split_gain" -> node.gain = reader.doubleValue(name);
      case "leaf_const" -> node.constant = reader.doubleValue(name);
      case "leaf_features" -> {
        IntList features = new IntList();
        reader.integers(name, 0, Integer.MAX_VALUE, features);
        node.features = features.toArray();
      }
      case "leaf_coeff" -> {
        DoubleList coefficients = new DoubleList();
        reader.doubles(name, coefficients);
        node.coefficients = coefficients.toArray();
        node.coefficientsGiven = true;
      }
      default -> {}
    }
  }

  /**
   * Returns {@code threshold}, or infinity of the same sign for 1e300 and -1e300, which LightGBM
   * writes in place of infinity.
   */
  private static double unbounded(double threshold) {
    return Math.abs(threshold) >= INFINITE
        ? Math.copySign(Double.POSITIVE_INFINITY, threshold)
        : threshold;
  }

  private boolean isCategorical(String decision) {
    return switch (decision) {
      case "==" -> true;
      case "<=" -> false;
      default -> throw reader.failure("decision_type: expected <= or ==");
    };
  }

  private String missingType(String type) {
    return switch (type) {
      // Returns constants instead of strings of the file, because nodes are kept until the end of
      // the document and such strings would need memory.
      case "None" -> "None";
      case "Zero" -> "Zero";
      case "NaN" -> "NaN";
      default -> throw reader.failure("missing_type: expected None, Zero or NaN");
    };
  }

  private void finish(Node node, int nodesSoFar) {
    String categories = node.categories;
    if (node.leaf == (node.feature != ABSENT)) {
      throw reader.failure(
          "one of the first "
              + nodesSoFar
              + " nodes: expected either the fields of a leaf or those of a split");
    }
    // A linear leaf without a constant would score like a leaf that is not linear.
    if (node.coefficientsGiven != (node.constant != null)) {
      throw reader.failure("linear leaf: expected both leaf_const and leaf_coeff");
    }
    if (node.features.length != node.coefficients.length) {
      throw reader.failure(
          "leaf_coeff: found "
              + node.coefficients.length
              + " coefficients, expected "
              + node.features.length);
    }
    if (node.leaf) {
      return;
    }
    if (node.left == ABSENT || node.right == ABSENT) {
      throw reader.failure("left_child, right_child: missing");
    }
    if (node.categorical != (categories != null)) {
      throw reader.failure(
          node.categorical
              ? "threshold: expected categories, such as 1||3, because decision_type is =="
              : "threshold: expected a number, because decision_type is <=");
    }
    if (categories != null) {
      node.set = set(categories);
      node.categories = null;
    }
  }

  /** Returns the set of categories in a text such as {@code 1||3||5}. */
  private CategorySet set(String categories) {
    IntList members = new IntList();
    int start = 0;
    while (start <= categories.length()) {
      int bar = categories.indexOf("||", start);
      int end = bar < 0 ? categories.length() : bar;
      long member = category(categories.substring(start, end));
      if (member < 0) {
        throw reader.failure("threshold: category " + member + ", expected 0 or more");
      }
      reader.check("threshold: category", member, Limit.CATEGORY, limits);
      members.add((int) member);
      start = end + 2;
    }
    return CategorySet.of(members.toArray(), CategorySet.Rounding.TOWARD_ZERO);
  }

  private long category(String digits) {
    try {
      return Numbers.longOf(digits, reader.offset());
    } catch (InvalidModelException e) {
      throw reader.failure("threshold: expected categories, such as 1||3");
    }
  }
}

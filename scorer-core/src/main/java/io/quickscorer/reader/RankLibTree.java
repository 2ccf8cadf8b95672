// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.Thresholds;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.reader.XmlScanner.Event;
import io.quickscorer.reader.input.Numbers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/**
 * A {@code <tree>} element of RankLib or QuickRank. It has nested {@code <split>} elements, of
 * which the first is the root. {@link #build} returns the tree in this library's form.
 */
final class RankLibTree {
  private static final int ABSENT = -1;

  private static final class Node {
    private final int offset;
    private int feature = ABSENT;
    private int left = ABSENT;
    private int right = ABSENT;
    private boolean hasThreshold;
    private boolean hasOutput;
    private float threshold;
    private double output;
    private float floatOutput;

    Node(int offset) {
      this.offset = offset;
    }
  }

  private final int number;
  private final int offset;
  private final float weight;
  private final EnsembleLimits limits;
  private final List<Node> nodes = new ArrayList<>();
  private int largestFeature;

  private RankLibTree(int number, int offset, float weight, EnsembleLimits limits) {
    this.number = number;
    this.offset = offset;
    this.weight = weight;
    this.limits = limits;
  }

  /** Reads a tree up to its end tag and returns it. The current token must be its start tag. */
  static RankLibTree read(XmlScanner xml, int number, EnsembleLimits limits) {
    RankLibTree tree = new RankLibTree(number, xml.offset(), weight(xml, number), limits);
    Deque<Node> open = new ArrayDeque<>();
    Event event;
    while ((event = xml.next()) != Event.END || !xml.name().equals("tree")) {
      if (event == Event.END_OF_FILE) {
        throw tree.failure(xml, "the file ends inside the tree");
      }
      if (event == Event.START) {
        tree.start(xml, open);
      } else {
        tree.end(xml, open);
      }
    }
    if (tree.nodes.isEmpty()) {
      throw tree.failure(xml, "found no split in the tree, expected one or more");
    }
    return tree;
  }

  private static float weight(XmlScanner xml, int number) {
    String weight = xml.attribute("weight");
    try {
      return Numbers.floatOf(weight, xml.offset());
    } catch (InvalidModelException e) {
      throw InvalidModelException.at(
          xml.offset(), "tree " + number + ", weight: expected a number");
    }
  }

  private void start(XmlScanner xml, Deque<Node> open) {
    switch (xml.name()) {
      case "split" -> startSplit(xml, open);
      case "feature", "threshold", "output" -> {
        if (open.isEmpty()) {
          throw failure(xml, xml.name() + " is outside a split");
        }
      }
      default -> throw failure(xml, "unknown element, expected split, feature, threshold, output");
    }
  }

  private void startSplit(XmlScanner xml, Deque<Node> open) {
    Node parent = open.peek();
    if (parent == null && !nodes.isEmpty()) {
      throw failure(xml, "the tree has a second root");
    }
    if (parent != null) {
      switch (xml.attribute("pos")) {
        case "left" -> parent.left = child(xml, parent.left);
        case "right" -> parent.right = child(xml, parent.right);
        default -> throw failure(xml, "pos: expected left or right");
      }
    }
    Node node = new Node(xml.offset());
    nodes.add(node);
    open.push(node);
  }

  private int child(XmlScanner xml, int before) {
    if (before != ABSENT) {
      throw failure(xml, "pos: both children of a split are " + xml.attribute("pos"));
    }
    return nodes.size();
  }

  private void end(XmlScanner xml, Deque<Node> open) {
    Node node = open.element();
    switch (xml.name()) {
      case "split" -> {
        check(xml, node);
        open.pop();
      }
      case "feature" -> node.feature = feature(xml);
      case "threshold" -> {
        node.threshold = number(xml, XmlScanner::floatText);
        node.hasThreshold = true;
      }
      default -> {
        node.output = number(xml, XmlScanner::doubleText);
        node.floatOutput = xml.floatText();
        node.hasOutput = true;
      }
    }
  }

  private int feature(XmlScanner xml) {
    long feature = number(xml, XmlScanner::longText);
    if (feature < 1) {
      throw failure(xml, "feature " + feature + ", expected 1 or more");
    }
    String what = "tree " + number + ": feature " + feature;
    limits.check(what, feature, Limit.FEATURES, xml.offset());
    largestFeature = Math.max(largestFeature, (int) feature);
    return (int) feature;
  }

  private <N> N number(XmlScanner xml, Function<XmlScanner, N> text) {
    try {
      return text.apply(xml);
    } catch (InvalidModelException e) {
      throw failure(xml, xml.name() + ": expected a number");
    }
  }

  private void check(XmlScanner xml, Node node) {
    boolean split = node.feature != ABSENT;
    if (split == node.hasOutput) {
      throw failure(xml, "a node must have either an output or a feature");
    }
    if (split && (!node.hasThreshold || node.left == ABSENT || node.right == ABSENT)) {
      throw failure(xml, "a split needs a threshold and two children");
    }
    if (!split && (node.left != ABSENT || node.right != ABSENT)) {
      throw failure(xml, "a node with an output has children");
    }
  }

  int largestFeature() {
    return largestFeature;
  }

  /**
   * Returns the tree in this library's form.
   *
   * @param index the number of the tree in the ensemble
   * @param quickRank whether outputs are doubles and missing values go right, as in QuickRank
   * @param rounded whether the value of each leaf is rounded to float
   */
  Tree build(TreeBuilder builder, int index, boolean quickRank, boolean rounded) {
    try {
      builder.start(index, nodes.size());
      for (int i = 0; i < nodes.size(); i++) {
        Node node = nodes.get(i);
        if (node.hasOutput) {
          double value = (quickRank ? node.output : node.floatOutput) * (double) weight;
          builder.leaf(i, rounded ? (float) value : value);
        } else {
          boolean missingLeft = !quickRank && 0 <= node.threshold;
          builder.split(
              i,
              node.feature - 1,
              Float.isNaN(node.threshold) ? Float.NaN : Thresholds.lessOrEqual(node.threshold),
              MissingValue.of(missingLeft, false),
              node.left,
              node.right);
        }
      }
      return builder.build(0);
    } catch (InvalidModelException e) {
      throw e.at(offset);
    }
  }

  private InvalidModelException failure(XmlScanner xml, String what) {
    int at = nodes.isEmpty() ? offset : Math.max(xml.offset(), nodes.getLast().offset);
    return InvalidModelException.at(at, "tree " + number + ": " + what);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import io.quickscorer.reader.input.DocumentReader;
import io.quickscorer.reader.input.DoubleList;
import io.quickscorer.reader.input.IntList;
import java.util.ArrayDeque;
import java.util.Deque;
import tools.jackson.core.JsonToken;

/** Reads one tree of CatBoost's JSON model, oblivious or not. */
final class CatBoostJsonTree {
  private static final int ABSENT = -1;

  private final DocumentReader reader;
  private final IntList features = new IntList();
  private final IntList values = new IntList();
  private final DoubleList leaves = new DoubleList();
  private final IntList left = new IntList();
  private final IntList right = new IntList();
  private final CatBoostOutputs outputs;

  CatBoostJsonTree(DocumentReader reader, CatBoostOutputs outputs) {
    this.reader = reader;
    this.outputs = outputs;
  }

  /** Reads an oblivious tree and returns it. The current token must be the tree's first token. */
  CatBoostTrees.Oblivious readOblivious() {
    long offset = reader.offset();
    clear();
    for (String name : reader.fields("tree")) {
      switch (name) {
        case "splits" -> {
          for (JsonToken _ : reader.elements(name)) {
            if (features.size() == CatBoostTrees.MAX_DEPTH) {
              throw reader.failure(
                  "splits: more than " + CatBoostTrees.MAX_DEPTH + " splits are not supported");
            }
            features.add(0);
            values.add(0);
            readSplit(features.size() - 1);
          }
        }
        case "leaf_values" -> reader.doubles(name, leaves);
        default -> {}
      }
    }
    int perOutput = 1 << features.size();
    if (leaves.size() == 0 || leaves.size() % perOutput != 0) {
      throw reader.failure(
          "leaf_values: found "
              + leaves.size()
              + " values, expected "
              + perOutput
              + " (leaves) times the number of outputs");
    }
    outputs.found(leaves.size() / perOutput, offset);
    return new CatBoostTrees.Oblivious(
        offset, features.toArray(), values.toArray(), outputs.of(leaves.toArray()));
  }

  private void clear() {
    features.clear();
    values.clear();
    leaves.clear();
    left.clear();
    right.clear();
  }

  private void readSplit(int to) {
    int feature = ABSENT;
    int category = ABSENT;
    int number = ABSENT;
    boolean isCtr = false;
    boolean hasBorder = false;
    boolean hasHash = false;
    float border = 0;
    int hash = 0;
    for (String name : reader.fields("split")) {
      switch (name) {
        case "float_feature_index" -> feature = reader.count(name);
        case "border" -> {
          border = reader.floatValue(name);
          hasBorder = true;
        }
        case "cat_feature_index" -> category = reader.count(name);
        case "value" -> {
          hash = (int) reader.integer(name, Integer.MIN_VALUE, 0xffff_ffffL);
          hasHash = true;
        }
        case "split_index" -> number = reader.count(name);
        case "split_type" -> isCtr = isCtr(reader.string(name));
        default -> {}
      }
    }
    if (isCtr) {
      if (number == ABSENT) {
        throw reader.failure("split: expected split_index, because the split is on a CTR");
      }
      features.set(to, CatBoostTrees.CTR);
      values.set(to, number);
      return;
    }
    if (hasHash ? category == ABSENT || feature != ABSENT : feature == ABSENT || !hasBorder) {
      throw reader.failure(
          "split: expected float_feature_index and border, or cat_feature_index and value");
    }
    features.set(to, hasHash ? ~category : feature);
    values.set(to, hasHash ? hash : Float.floatToRawIntBits(border));
  }

  private boolean isCtr(String type) {
    return switch (type) {
      case "FloatFeature", "OneHotFeature" -> false;
      case "OnlineCtr" -> true;
      default ->
          throw reader.failure("split_type: only splits of numbers and categories are supported");
    };
  }

  /**
   * Reads a tree of nested nodes with an explicit stack, not by recursion, and returns the tree.
   * The current token must be the first token of the tree.
   */
  CatBoostTrees.NonSymmetric readNonSymmetric() {
    long offset = reader.offset();
    clear();
    Deque<Node> open = new ArrayDeque<>();
    open.push(begin());
    while (!open.isEmpty()) {
      Node node = open.element();
      String name = reader.nextName();
      if (name == null) {
        end(open.pop());
        continue;
      }
      switch (name) {
        case "split" -> {
          readSplit(node.number);
          node.split = true;
        }
        case "value" -> {
          leaves.set(node.number, readLeaf());
          node.leaf = true;
        }
        case "left", "right" -> {
          Node child = begin();
          (name.equals("left") ? left : right).set(node.number, child.number);
          open.push(child);
        }
        default -> {}
      }
    }
    return new CatBoostTrees.NonSymmetric(
        offset,
        features.toArray(),
        values.toArray(),
        left.toArray(),
        right.toArray(),
        leaves.toArray());
  }

  /**
   * Returns the value of a leaf for the output that is scored. The file contains a number, or an
   * array with a number for each output.
   */
  private double readLeaf() {
    if (reader.token() != JsonToken.START_ARRAY) {
      outputs.found(1, reader.offset());
      return reader.doubleValue("value");
    }
    DoubleList all = new DoubleList();
    reader.doubles("value", all);
    if (all.size() == 0) {
      throw reader.failure("value: found no number, expected one or more");
    }
    outputs.found(all.size(), reader.offset());
    return outputs.of(all.toArray())[0];
  }

  private static final class Node {
    private final int number;
    private boolean split;
    private boolean leaf;

    Node(int number) {
      this.number = number;
    }
  }

  private Node begin() {
    reader.beginObject("node");
    features.add(0);
    values.add(0);
    leaves.add(0);
    left.add(ABSENT);
    right.add(ABSENT);
    return new Node(features.size() - 1);
  }

  private void end(Node node) {
    boolean children = left.get(node.number) != ABSENT && right.get(node.number) != ABSENT;
    boolean none = left.get(node.number) == ABSENT && right.get(node.number) == ABSENT;
    if (node.leaf ? node.split || !none : !node.split || !children) {
      throw reader.failure(
          "node " + node.number + ": expected either a value or split, left and right");
    }
  }
}

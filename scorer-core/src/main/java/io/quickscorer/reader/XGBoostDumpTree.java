// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.reader.XGBoostDumpNodes.Node;
import io.quickscorer.reader.input.DocumentReader;
import io.quickscorer.reader.input.IntList;
import io.quickscorer.reader.input.Tokens.Token;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Reads one tree of an XGBoost dump in JSON: nested nodes, read with an explicit stack. The fields
 * of a node may be in any order.
 */
final class XGBoostDumpTree {
  /** The names of a node's fields, including those that are skipped. */
  static final List<String> FIELDS =
      List.of(
          "nodeid",
          "depth",
          "split",
          "split_condition",
          "yes",
          "no",
          "missing",
          "gain",
          "cover",
          "children",
          "leaf",
          "bias",
          "weight");

  private static final class Open {
    private final Node node;
    private boolean inChildren;

    Open(Node node) {
      this.node = node;
    }
  }

  private final DocumentReader reader;
  private final XGBoostDumpNodes nodes;
  private final IntList categories = new IntList();

  XGBoostDumpTree(DocumentReader reader, XGBoostDumpNodes nodes) {
    this.reader = reader;
    this.nodes = nodes;
  }

  /** Reads a tree and returns it. The present token must be the first token of the root. */
  XGBoostTree read() {
    long offset = reader.offset();
    Deque<Open> open = new ArrayDeque<>();
    open.push(begin());
    while (!open.isEmpty()) {
      Open each = open.element();
      if (each.inChildren) {
        each.inChildren = reader.nextElement();
        if (each.inChildren) {
          open.push(begin());
        }
        continue;
      }
      String name = reader.nextName();
      if (name == null) {
        nodes.check(each.node);
        open.pop();
      } else {
        readField(each, name);
      }
    }
    return nodes.assemble(offset);
  }

  private Open begin() {
    reader.beginObject("node");
    return new Open(nodes.begin());
  }

  private void readField(Open open, String name) {
    Node node = open.node;
    int max = Integer.MAX_VALUE;
    switch (name) {
      case "nodeid" -> node.id = (int) reader.integer(name, 0, max);
      case "yes" -> node.yes = (int) reader.integer(name, 0, max);
      case "no" -> node.no = (int) reader.integer(name, 0, max);
      case "missing" -> node.missing = (int) reader.integer(name, 0, max);
      case "split" -> {
        // XGBoost 0.72 writes the number of the feature if the model has no feature names.
        String feature =
            reader.token() == Token.NUMBER
                ? "f" + reader.integer(name, 0, max)
                : reader.string(name);
        node.feature = nodes.feature(feature);
      }
      case "split_condition" -> readCondition(node);
      case "leaf" -> {
        if (reader.token() == Token.BEGIN_ARRAY) {
          throw reader.failure("leaf: found several values, but only one output is supported");
        }
        node.leaf = true;
        node.value = reader.floatValue(name);
      }
      case "cover" -> node.cover = reader.floatValue(name);
      case "gain" -> node.gain = reader.floatValue(name);
      case "bias", "weight" -> throw reader.failure(name + ": " + XGBoostDump.LINEAR);
      case "children" -> {
        reader.beginArray(name);
        open.inChildren = true;
      }
      default -> reader.skip();
    }
  }

  private void readCondition(Node node) {
    node.hasCondition = true;
    if (reader.token() != Token.BEGIN_ARRAY) {
      node.value = reader.floatValue("split_condition");
      return;
    }
    reader.integers("split_condition", 0, Integer.MAX_VALUE, categories);
    nodes.categories(node, categories);
  }
}

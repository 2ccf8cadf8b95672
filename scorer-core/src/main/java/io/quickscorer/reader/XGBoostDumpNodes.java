// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.input.IntList;
import io.quickscorer.reader.input.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Collects the nodes of one tree of an XGBoost dump, in JSON or text, and assembles the tree. Each
 * node has a number, and a split refers to its children by their numbers.
 *
 * <p>A split on an indicator feature has no condition and no child for missing values: {@code yes}
 * is the child if the feature is present, that is, its value is above 0; {@code no} is the child if
 * it is absent.
 */
final class XGBoostDumpNodes {
  static final int ABSENT = -1;

  /** A node of the tree that is being read. */
  static final class Node {
    final long offset;
    int id = ABSENT;
    int feature = ABSENT;
    int yes = ABSENT;
    int no = ABSENT;
    int missing = ABSENT;
    boolean hasCondition;
    boolean leaf;
    float value;
    float cover = Float.NaN;
    float gain = Float.NaN;
    @Nullable CategorySet set;

    private Node(long offset) {
      this.offset = offset;
    }

    private boolean isIndicator() {
      return !leaf && !hasCondition;
    }
  }

  private final Place place;
  private final Map<String, Integer> names;
  private final EnsembleLimits limits;
  private final List<Node> nodes = new ArrayList<>();
  private boolean indicators;

  /**
   * Creates a collector without nodes.
   *
   * @param names receives the names of the features, numbered in the order in which they occur
   */
  XGBoostDumpNodes(Place place, Map<String, Integer> names, EnsembleLimits limits) {
    this.place = place;
    this.names = names;
    this.limits = limits;
  }

  /** Adds a node to the tree and returns it. */
  Node begin() {
    Node node = new Node(place.offset());
    nodes.add(node);
    return node;
  }

  boolean isEmpty() {
    return nodes.isEmpty();
  }

  /** Returns whether at least one split so far was on an indicator feature. */
  boolean hasIndicators() {
    return indicators;
  }

  /** Returns the number of a feature with a name. A new name gets the next number. */
  int feature(String name) {
    Integer known = names.putIfAbsent(name, names.size());
    place.check("split: features", names.size(), Limit.FEATURES, limits);
    return known == null ? names.size() - 1 : known;
  }

  /** Sets the categories that a split tests. */
  void categories(Node node, IntList categories) {
    int largest = -1;
    for (int i = 0; i < categories.size(); i++) {
      largest = Math.max(largest, categories.get(i));
    }
    place.check("split_condition: category", largest, Limit.CATEGORY, limits);
    node.set = CategorySet.of(categories.toArray(), CategorySet.Rounding.NEGATIVE_IS_NONE);
  }

  /** Checks that all required fields of a node were read. */
  void check(Node node) {
    if (node.id == ABSENT) {
      throw place.failure("nodeid: missing");
    }
    String at = "node " + node.id + ", ";
    boolean split = node.feature != ABSENT;
    if (node.leaf == split) {
      throw place.failure(at + "expected either a leaf or a split");
    }
    if (!split) {
      return;
    }
    if (node.yes == ABSENT || node.no == ABSENT) {
      throw place.failure(at + "expected the fields yes and no");
    }
    if (node.isIndicator() && node.missing == ABSENT) {
      indicators = true;
    } else if (!node.hasCondition) {
      throw place.failure(at + "split_condition: missing");
    } else if (node.missing == ABSENT) {
      // The learning-to-rank plugin accepts trees without the field, and sends missing values to
      // "no".
      node.missing = node.no;
    } else if (node.missing != node.yes && node.missing != node.no) {
      throw place.failure(at + "missing: expected the id of one of the two children");
    }
  }

  /**
   * Returns the tree of all nodes that were added since the previous tree, and starts the next
   * tree.
   *
   * @param offset the byte offset of the tree
   */
  XGBoostTree assemble(long offset) {
    int count = nodes.size();
    Map<Integer, Integer> numbers = new HashMap<>();
    for (Node node : nodes) {
      if (numbers.putIfAbsent(node.id, numbers.size()) != null) {
        throw place.failure("nodeid: two nodes have the number " + node.id);
      }
    }
    int[] left = new int[count];
    int[] right = new int[count];
    int[] features = new int[count];
    int[] conditions = new int[count];
    byte[] defaultLeft = new byte[count];
    @Nullable CategorySet[] sets = new CategorySet[count];
    for (int i = 0; i < count; i++) {
      Node node = nodes.get(i);
      features[i] = Math.max(0, node.feature);
      if (node.isIndicator()) {
        // A value is above 0 if it is not less than the smallest positive float.
        conditions[i] = Float.floatToRawIntBits(Float.MIN_VALUE);
        left[i] = number(numbers, node, node.no);
        right[i] = number(numbers, node, node.yes);
        defaultLeft[i] = 1;
        continue;
      }
      conditions[i] = Float.floatToRawIntBits(node.value);
      CategorySet set = node.set;
      // Members of a set go to "yes", which is the right child in XGBoost's models.
      int first = set == null ? node.yes : node.no;
      left[i] = node.leaf ? -1 : number(numbers, node, first);
      right[i] = node.leaf ? -1 : number(numbers, node, set == null ? node.no : node.yes);
      defaultLeft[i] = (byte) (node.missing == first ? 1 : 0);
      sets[i] = set;
    }
    int[] covers = statistics(node -> node.cover);
    int[] gains = statistics(node -> node.gain);
    nodes.clear();
    return new XGBoostTree(
        offset, left, right, features, conditions, defaultLeft, sets, covers, gains);
  }

  /**
   * Returns a statistic of all nodes as the bits of floats; NaN if it is absent. If the root lacks
   * it, all nodes do, and the array is empty.
   */
  private int[] statistics(ToDoubleFunction<Node> statistic) {
    if (Double.isNaN(statistic.applyAsDouble(nodes.getFirst()))) {
      return new int[0];
    }
    return nodes.stream()
        .mapToInt(node -> Float.floatToRawIntBits((float) statistic.applyAsDouble(node)))
        .toArray();
  }

  private int number(Map<Integer, Integer> numbers, Node node, int child) {
    Integer number = numbers.get(child);
    if (number == null) {
      throw InvalidModelException.at(
          node.offset,
          place.placed("node " + node.id + ": the child " + child + " does not exist"));
    }
    return number;
  }
}

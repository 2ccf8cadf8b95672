// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.reader.input.DocumentReader;
import io.quickscorer.reader.input.IntList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the trees of an XGBoost model, which stores one array for each field of the nodes. The
 * lists for one tree are reused for the next tree.
 */
final class XGBoostTreeReader {
  private static final int ROOT_PARENT = Integer.MAX_VALUE;

  /** The names of the lists that must have one element per node. */
  private static final List<String> REQUIRED =
      List.of("right_children", "split_indices", "split_conditions", "default_left");

  /** The names of the lists that are empty or have one element per node. */
  private static final List<String> OPTIONAL =
      List.of("split_type", "sum_hessian", "loss_changes", "parents");

  private final DocumentReader reader;

  /** For each field name of the file, the list of the field's values in the current tree. */
  private final Map<String, IntList> lists = new HashMap<>();

  private final IntList left = list("left_children");
  private final IntList right = list("right_children");
  private final IntList parents = list("parents");
  private final IntList features = list("split_indices");
  private final IntList conditions = list("split_conditions");
  private final IntList defaultLeft = list("default_left");
  private final IntList splitTypes = list("split_type");
  private final IntList covers = list("sum_hessian");
  private final IntList gains = list("loss_changes");
  private final IntList categories = list("categories");
  private final IntList categoryNodes = list("categories_nodes");
  private final IntList categorySegments = list("categories_segments");
  private final IntList categorySizes = list("categories_sizes");
  private long nodeCount;
  private long id;

  XGBoostTreeReader(DocumentReader reader) {
    this.reader = reader;
  }

  /**
   * Reads a tree and returns it. The current token must be the first token of the tree.
   *
   * @param number the number of the tree; if the field {@code id} is present, it must be equal
   */
  XGBoostTree read(int number) {
    long offset = reader.offset();
    lists.values().forEach(IntList::clear);
    nodeCount = -1;
    id = number;
    for (String name : reader.fields("tree")) {
      readField(name);
    }
    if (id != number) {
      throw reader.failure("id: " + id + ", expected " + number);
    }
    check();
    byte[] directions = new byte[defaultLeft.size()];
    for (int node = 0; node < directions.length; node++) {
      directions[node] = (byte) defaultLeft.get(node);
    }
    return new XGBoostTree(
        offset,
        left.toArray(),
        right.toArray(),
        features.toArray(),
        conditions.toArray(),
        directions,
        categorySets(),
        covers.toArray(),
        gains.toArray());
  }

  private IntList list(String name) {
    return lists.computeIfAbsent(name, key -> new IntList());
  }

  private void readField(String name) {
    int max = Integer.MAX_VALUE;
    switch (name) {
      case "left_children", "right_children", "parents" ->
          reader.integers(name, -1, max, list(name));
      case "split_indices",
          "categories",
          "categories_nodes",
          "categories_segments",
          "categories_sizes" ->
          reader.integers(name, 0, max, list(name));
      case "default_left", "split_type" -> reader.integers(name, 0, 1, list(name));
      case "split_conditions", "sum_hessian", "loss_changes" -> reader.floatBits(name, list(name));
      case "id" -> id = reader.count(name);
      case "tree_param" -> readParameters();
      default -> {}
    }
  }

  private void readParameters() {
    for (String name : reader.fields("tree_param")) {
      switch (name) {
        case "num_nodes" -> nodeCount = reader.count(name);
        case "size_leaf_vector" -> {
          int values = reader.count(name);
          if (values > 1) {
            throw reader.failure(
                name
                    + ": "
                    + values
                    + ", but trees whose leaves have several values (multi-target) are not"
                    + " supported");
          }
        }
        default -> {}
      }
    }
  }

  private void check() {
    int nodes = left.size();
    if (nodes == 0 || (nodeCount >= 0 && nodeCount != nodes)) {
      throw reader.failure(
          "left_children: " + nodes + " elements, but num_nodes is " + Math.max(nodeCount, 1));
    }
    for (String name : REQUIRED) {
      checkSize(name, nodes);
    }
    for (String name : OPTIONAL) {
      if (list(name).size() > 0) {
        checkSize(name, nodes);
      }
    }
    for (int node = 0; node < nodes; node++) {
      if ((left.get(node) < 0) != (right.get(node) < 0)) {
        throw reader.failure("node " + node + ": found one child, expected none or two");
      }
      if (parents.size() > 0 && features.get(node) != XGBoostTree.DELETED && left.get(node) >= 0) {
        checkParent(node, left.get(node));
        checkParent(node, right.get(node));
      }
    }
    int rootParent = parents.size() > 0 ? parents.get(0) : ROOT_PARENT;
    if (rootParent != ROOT_PARENT && rootParent != -1) {
      throw reader.failure("parents: the root has parent " + rootParent + ", expected none");
    }
  }

  private void checkSize(String name, int nodes) {
    int size = list(name).size();
    if (size != nodes) {
      throw reader.failure(name + ": " + size + " elements, expected " + nodes);
    }
  }

  private void checkParent(int node, int child) {
    if (child >= parents.size() || parents.get(child) != node) {
      throw reader.failure("node " + node + ": child " + child + " has another parent");
    }
  }

  private @Nullable CategorySet[] categorySets() {
    int nodes = left.size();
    int count = categoryNodes.size();
    if (categorySegments.size() != count || categorySizes.size() != count) {
      throw reader.failure(
          "categories_segments, categories_sizes: "
              + categorySegments.size()
              + " and "
              + categorySizes.size()
              + " elements, expected "
              + count
              + " each");
    }
    long members = 0;
    @Nullable CategorySet[] sets = new CategorySet[count == 0 ? 0 : nodes];
    for (int i = 0; i < count; i++) {
      int node = categoryNodes.get(i);
      if (node >= nodes || sets[node] != null) {
        throw reader.failure(
            "categories_nodes: element "
                + i
                + " is "
                + node
                + ", expected each node 0.."
                + (nodes - 1)
                + " at most once");
      }
      sets[node] = set(i);
      members += categorySizes.get(i);
      if (members > categories.size()) {
        // Otherwise, many nodes could use the same categories in the file, and copies of these
        // would need far more memory than the file.
        throw reader.failure(
            "categories_sizes: the sum of elements 0 to "
                + i
                + " is "
                + members
                + ", but the number of categories is "
                + categories.size());
      }
    }
    if (count > 0 && splitTypes.size() == 0) {
      // Without split_type, XGBoost would treat these splits as numeric.
      throw reader.failure("categories_nodes: split_type is missing");
    }
    for (int node = 0; node < splitTypes.size(); node++) {
      boolean listed = count > 0 && sets[node] != null;
      boolean split = left.get(node) >= 0 && features.get(node) != XGBoostTree.DELETED;
      if (split && listed != (splitTypes.get(node) == 1)) {
        throw reader.failure(
            "node "
                + node
                + ": split_type is "
                + splitTypes.get(node)
                + ", but categories_nodes "
                + (listed ? "contains" : "does not contain")
                + " the node");
      }
    }
    return sets;
  }

  private CategorySet set(int segment) {
    long from = categorySegments.get(segment);
    long to = from + categorySizes.get(segment);
    if (to > categories.size()) {
      throw reader.failure(
          "categories_segments: segment "
              + segment
              + " ends at "
              + to
              + ", but there are "
              + categories.size()
              + " categories");
    }
    int[] members = new int[(int) (to - from)];
    Arrays.setAll(members, i -> categories.get((int) from + i));
    return CategorySet.of(members, CategorySet.Rounding.NEGATIVE_IS_NONE);
  }
}

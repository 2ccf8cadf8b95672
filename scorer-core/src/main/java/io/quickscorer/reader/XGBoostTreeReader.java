// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.reader.input.DocumentReader;
import io.quickscorer.reader.input.IntList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the trees of an XGBoost model, which stores one array for each field of the nodes. The
 * lists for one tree are reused for the next tree.
 */
final class XGBoostTreeReader {
  private static final int ROOT_PARENT = Integer.MAX_VALUE;

  private final DocumentReader reader;
  private final IntList left = new IntList();
  private final IntList right = new IntList();
  private final IntList parents = new IntList();
  private final IntList features = new IntList();
  private final IntList conditions = new IntList();
  private final IntList defaultLeft = new IntList();
  private final IntList splitTypes = new IntList();
  private final IntList covers = new IntList();
  private final IntList gains = new IntList();
  private final IntList categories = new IntList();
  private final IntList categoryNodes = new IntList();
  private final IntList categorySegments = new IntList();
  private final IntList categorySizes = new IntList();
  private long nodeCount;
  private long id;

  XGBoostTreeReader(DocumentReader reader) {
    this.reader = reader;
  }

  /**
   * Reads a tree and returns it. The present token must be the first token of the tree.
   *
   * @param number the number of the tree, to which the field {@code id} must be equal if it is
   *     present
   */
  XGBoostTree read(int number) {
    long offset = reader.offset();
    clear();
    id = number;
    reader.beginObject("tree");
    String name;
    while ((name = reader.nextName()) != null) {
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

  private void clear() {
    for (IntList list :
        new IntList[] {
          left,
          right,
          parents,
          features,
          conditions,
          defaultLeft,
          splitTypes,
          covers,
          gains,
          categories,
          categoryNodes,
          categorySegments,
          categorySizes
        }) {
      list.clear();
    }
    nodeCount = -1;
  }

  private void readField(String name) {
    int max = Integer.MAX_VALUE;
    switch (name) {
      case "left_children" -> reader.integers(name, -1, max, left);
      case "right_children" -> reader.integers(name, -1, max, right);
      case "parents" -> reader.integers(name, -1, max, parents);
      case "split_indices" -> reader.integers(name, 0, max, features);
      case "split_conditions" -> reader.floatBits(name, conditions);
      case "sum_hessian" -> reader.floatBits(name, covers);
      case "loss_changes" -> reader.floatBits(name, gains);
      case "default_left" -> reader.integers(name, 0, 1, defaultLeft);
      case "split_type" -> reader.integers(name, 0, 1, splitTypes);
      case "categories" -> reader.integers(name, 0, max, categories);
      case "categories_nodes" -> reader.integers(name, 0, max, categoryNodes);
      case "categories_segments" -> reader.integers(name, 0, max, categorySegments);
      case "categories_sizes" -> reader.integers(name, 0, max, categorySizes);
      case "id" -> id = reader.integer(name, 0, max);
      case "tree_param" -> readParameters();
      default -> reader.skip();
    }
  }

  private void readParameters() {
    reader.beginObject("tree_param");
    String name;
    while ((name = reader.nextName()) != null) {
      switch (name) {
        case "num_nodes" -> nodeCount = reader.integer(name, 0, Integer.MAX_VALUE);
        case "size_leaf_vector" -> {
          long values = reader.integer(name, 0, Integer.MAX_VALUE);
          if (values > 1) {
            throw reader.failure(
                name
                    + ": "
                    + values
                    + ", but trees whose leaves have several values (multi-target) are not"
                    + " supported");
          }
        }
        default -> reader.skip();
      }
    }
  }

  private void check() {
    int nodes = left.size();
    if (nodes == 0 || (nodeCount >= 0 && nodeCount != nodes)) {
      throw reader.failure(
          "left_children: " + nodes + " elements, but num_nodes is " + Math.max(nodeCount, 1));
    }
    checkSize("right_children", right, nodes);
    checkSize("split_indices", features, nodes);
    checkSize("split_conditions", conditions, nodes);
    checkSize("default_left", defaultLeft, nodes);
    if (splitTypes.size() > 0) {
      checkSize("split_type", splitTypes, nodes);
    }
    if (covers.size() > 0) {
      checkSize("sum_hessian", covers, nodes);
    }
    if (gains.size() > 0) {
      checkSize("loss_changes", gains, nodes);
    }
    if (parents.size() > 0) {
      checkSize("parents", parents, nodes);
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

  private void checkSize(String what, IntList list, int nodes) {
    if (list.size() != nodes) {
      throw reader.failure(what + ": " + list.size() + " elements, expected " + nodes);
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
                + ", expected each of 0.."
                + (nodes - 1)
                + " once");
      }
      sets[node] = set(i);
      members += categorySizes.get(i);
      if (members > categories.size()) {
        // Otherwise, many nodes could use the same categories in the file, and copies of these
        // would need far more memory than the file.
        throw reader.failure(
            "categories_sizes: the segments up to "
                + i
                + " have "
                + members
                + " categories, but there are "
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
        throw reader.failure("node " + node + ": split_type and categories_nodes do not agree");
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

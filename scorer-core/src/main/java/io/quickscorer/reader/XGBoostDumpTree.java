package io.quickscorer.reader;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.Tokens.Token;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads one tree of an XGBoost dump: nested nodes, walked with a stack of our own. A node's parts
 * may come in any order.
 */
final class XGBoostDumpTree {
  private static final int ABSENT = -1;

  /** One node as it is being read. */
  private static final class Node {
    private final long offset;
    private int id = ABSENT;
    private int feature = ABSENT;
    private int yes = ABSENT;
    private int no = ABSENT;
    private int missing = ABSENT;
    private boolean hasCondition;
    private boolean leaf;
    private float value;
    private float cover = Float.NaN;
    private float gain = Float.NaN;
    private long @Nullable [] set;
    private boolean inChildren;

    Node(long offset) {
      this.offset = offset;
    }
  }

  private final DocumentReader reader;
  private final Map<String, Integer> names;
  private final EnsembleLimits limits;
  private final IntList categories = new IntList();
  private long setBytesLeft;

  /**
   * @param names collects the features' names with the order in which they occur
   */
  XGBoostDumpTree(
      DocumentReader reader, Map<String, Integer> names, EnsembleLimits limits, long fileBytes) {
    this.reader = reader;
    this.names = names;
    this.limits = limits;
    this.setBytesLeft = XGBoostTreeReader.setBytes(fileBytes);
  }

  /** Reads the tree whose root's first token is current. */
  XGBoostTree read() {
    long offset = reader.offset();
    List<Node> nodes = new ArrayList<>();
    Deque<Node> open = new ArrayDeque<>();
    open.push(begin(nodes));
    while (!open.isEmpty()) {
      Node node = open.element();
      if (node.inChildren) {
        node.inChildren = reader.nextElement();
        if (node.inChildren) {
          open.push(begin(nodes));
        }
        continue;
      }
      String name = reader.nextName();
      if (name == null) {
        check(node);
        open.pop();
      } else {
        readField(node, name);
      }
    }
    return assemble(offset, nodes);
  }

  private Node begin(List<Node> nodes) {
    reader.beginObject("node");
    Node node = new Node(reader.offset());
    nodes.add(node);
    return node;
  }

  private void readField(Node node, String name) {
    int most = Integer.MAX_VALUE;
    switch (name) {
      case "nodeid" -> node.id = (int) reader.integer(name, 0, most);
      case "yes" -> node.yes = (int) reader.integer(name, 0, most);
      case "no" -> node.no = (int) reader.integer(name, 0, most);
      case "missing" -> node.missing = (int) reader.integer(name, 0, most);
      case "split" -> node.feature = feature(reader.string(name));
      case "split_condition" -> readCondition(node);
      case "leaf" -> {
        if (reader.token() == Token.BEGIN_ARRAY) {
          throw reader.failure("leaf: several values, only one output is supported");
        }
        node.leaf = true;
        node.value = reader.floatValue(name);
      }
      case "cover" -> node.cover = reader.floatValue(name);
      case "gain" -> node.gain = reader.floatValue(name);
      case "bias", "weight" ->
          throw reader.failure(
              name + ": gblinear's dump has rounded weights and no base score; give the model");
      case "children" -> {
        reader.beginArray(name);
        node.inChildren = true;
      }
      default -> reader.skip();
    }
  }

  private int feature(String name) {
    Integer known = names.putIfAbsent(name, names.size());
    reader.check("split: features", names.size(), Limit.FEATURES, limits);
    return known == null ? names.size() - 1 : known;
  }

  private void readCondition(Node node) {
    node.hasCondition = true;
    if (reader.token() != Token.BEGIN_ARRAY) {
      node.value = reader.floatValue("split_condition");
      return;
    }
    reader.integers("split_condition", 0, Integer.MAX_VALUE, categories);
    int largest = -1;
    for (int i = 0; i < categories.size(); i++) {
      largest = Math.max(largest, categories.get(i));
    }
    reader.check("split_condition: category", largest, Limit.CATEGORY, limits);
    int words = (largest + Long.SIZE) / Long.SIZE;
    setBytesLeft -= (long) words * Long.BYTES;
    if (setBytesLeft < 0) {
      throw reader.failure("split_condition: sets too large for a file of this size");
    }
    long[] bitmap = new long[words];
    for (int i = 0; i < categories.size(); i++) {
      bitmap[categories.get(i) >> 6] |= 1L << categories.get(i);
    }
    node.set = bitmap;
  }

  private void check(Node node) {
    if (node.id == ABSENT) {
      throw reader.failure("nodeid: missing");
    }
    String at = "node " + node.id + ", ";
    boolean split = node.feature != ABSENT;
    if (node.leaf == split) {
      throw reader.failure(at + "expected either a leaf or a split");
    }
    if (split && !node.hasCondition) {
      throw reader.failure(at + "split_condition: missing (indicator features are not supported)");
    }
    if (split && (node.yes == ABSENT || node.no == ABSENT)) {
      throw reader.failure(at + "yes, no: missing");
    }
    if (split && node.missing != node.yes && node.missing != node.no) {
      throw reader.failure(at + "missing: expected one of the two children");
    }
  }

  private XGBoostTree assemble(long offset, List<Node> nodes) {
    int count = nodes.size();
    Map<Integer, Integer> numbers = new HashMap<>();
    for (Node node : nodes) {
      if (numbers.putIfAbsent(node.id, numbers.size()) != null) {
        throw reader.failure("nodeid: " + node.id + " is given twice");
      }
    }
    int[] left = new int[count];
    int[] right = new int[count];
    int[] features = new int[count];
    int[] conditions = new int[count];
    byte[] defaultLeft = new byte[count];
    long[][] sets = new long[count][];
    for (int i = 0; i < count; i++) {
      Node node = nodes.get(i);
      conditions[i] = Float.floatToRawIntBits(node.value);
      features[i] = Math.max(0, node.feature);
      long[] set = node.set;
      // Members of a set take "yes", which is the right child in XGBoost's own terms.
      int first = set == null ? node.yes : node.no;
      left[i] = node.leaf ? -1 : number(numbers, node, first);
      right[i] = node.leaf ? -1 : number(numbers, node, set == null ? node.no : node.yes);
      defaultLeft[i] = (byte) (node.missing == first ? 1 : 0);
      if (set != null) {
        sets[i] = set;
      }
    }
    return new XGBoostTree(
        offset,
        left,
        right,
        features,
        conditions,
        defaultLeft,
        sets,
        statistics(nodes, node -> node.cover),
        statistics(nodes, node -> node.gain));
  }

  /** Float bits, NaN where not given; empty if the root has none, as a tree has all or none. */
  private static int[] statistics(List<Node> nodes, ToDoubleFunction<Node> statistic) {
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
          node.offset, reader.placed("node " + node.id + ": no child " + child));
    }
    return number;
  }
}

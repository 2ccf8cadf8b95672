// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.NumberedNames;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.input.IntList;
import io.quickscorer.reader.input.Place;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The trees of an XGBoost dump, in JSON or text. A reader begins and checks one node after the
 * other, and ends each tree. Then it builds the ensemble.
 *
 * <p>Each node has a number, and a split refers to its children by their numbers. A split on an
 * indicator feature has no condition and no child for missing values: {@code yes} is the child if
 * the feature is present, that is, its value is above 0; {@code no} is the child if it is absent.
 *
 * <p>A dump lacks the base score, dropout weights and the number of classes, and usually the
 * objective; scores start at 0. If all names have the form {@code f<number>}, the features are
 * {@code f0, f1, ...} up to the largest number. Otherwise, they are the names in the order in which
 * they occur.
 */
final class XGBoostDump {
  /** A note for the user on every dump: which parts of the model a dump lacks. */
  public static final String NOTE =
      "a dump lacks the base score and dropout weights: raw scores differ from the trainer's by the"
          + " base score, and models trained with dropout are scored without it";

  /** A note for the user on a dump that does not contain the objective. */
  public static final String CLASSES_NOTE =
      "a dump does not distinguish the trees of several classes or targets: for such a model"
          + " the score is their sum, which is meaningless; upload the model's own file instead";

  /**
   * A note for the user on a dump with splits on indicator features, which test only whether a
   * value is present.
   */
  public static final String INDICATORS_NOTE =
      "a dump lacks the thresholds of indicator features (type i): such a feature counts as present"
          + " if its value is above 0, otherwise as absent";

  private static final Pattern INDEXED = Pattern.compile("f(0|[1-9]\\d{0,8})");

  /** The message of the exception for a dump of a linear model. */
  static final String LINEAR =
      "dumps of gblinear models are not supported: weights are rounded and the base score is"
          + " missing; use the saved model";

  static final int ABSENT = -1;

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
  private final EnsembleLimits limits;
  private final Map<String, Integer> names = new LinkedHashMap<>();
  private final Deque<XGBoostTree> trees = new ArrayDeque<>();

  private final List<Node> nodes = new ArrayList<>();

  private boolean indicators;

  XGBoostDump(Place place, EnsembleLimits limits) {
    this.place = place;
    this.limits = limits;
  }

  /** Returns the number of trees that are complete. */
  int size() {
    return trees.size();
  }

  /** Returns whether the current tree has no node yet. */
  boolean isEmpty() {
    return nodes.isEmpty();
  }

  /** Checks that one more tree does not exceed the limits. */
  void checkNext() {
    place.check("trees", trees.size() + 1L, Limit.TREES, limits);
  }

  /** Adds a node to the current tree and returns it. */
  Node begin() {
    Node node = new Node(place.offset());
    nodes.add(node);
    return node;
  }

  /** Returns the index of the feature with a name. A new name gets the next index. */
  int feature(String name) {
    Integer known = names.putIfAbsent(name, names.size());
    place.check("split: features", names.size(), Limit.FEATURES, limits);
    return known == null ? names.size() - 1 : known;
  }

  void categories(Node node, IntList categories) {
    int[] members = categories.toArray();
    int largest = Arrays.stream(members).max().orElse(-1);
    place.check("split_condition: category", largest, Limit.CATEGORY, limits);
    node.set = CategorySet.of(members, CategorySet.Rounding.NEGATIVE_IS_NONE);
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
      throw place.failure(at + "field [missing]: expected the id of one of the two children");
    }
  }

  /** Ends the current tree, whose byte offset is {@code offset}, and starts the next one. */
  void endTree(long offset) {
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
      // Members of a set go to "yes", which is the right child in XGBoost's models. A present
      // indicator goes there too: its value is not less than the smallest positive float.
      boolean yesIsLeft = node.set == null && !node.isIndicator();
      int first = yesIsLeft ? node.yes : node.no;
      features[i] = Math.max(0, node.feature);
      conditions[i] = Float.floatToRawIntBits(node.isIndicator() ? Float.MIN_VALUE : node.value);
      left[i] = node.leaf ? -1 : number(numbers, node, first);
      right[i] = node.leaf ? -1 : number(numbers, node, yesIsLeft ? node.no : node.yes);
      defaultLeft[i] = (byte) (node.isIndicator() || node.missing == first ? 1 : 0);
      sets[i] = node.set;
    }
    int[] covers = statistics(node -> node.cover);
    int[] gains = statistics(node -> node.gain);
    nodes.clear();
    trees.add(
        new XGBoostTree(
            offset, left, right, features, conditions, defaultLeft, sets, covers, gains));
  }

  /**
   * Returns a statistic of all nodes as the bits of floats, with NaN for nodes without it. Returns
   * an empty array if the root has no such statistic, because then no node has one.
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

  /**
   * Returns the ensemble of all complete trees.
   *
   * @param objective the objective as the file spells it; empty if the file does not contain it
   */
  TreeEnsemble build(ModelFormat format, String objective, OutputTransform transform) {
    int[] order = indexedOrder();
    List<String> featureNames = new ArrayList<>(names.keySet());
    if (order.length > 0) {
      featureNames = NumberedNames.indexed(1 + Arrays.stream(order).max().orElse(0));
    }
    TreeEnsemble.Builder ensemble =
        TreeEnsemble.builder(
            featureNames, new ModelSource(format, "", objective, notes(objective)));
    TreeBuilder builder = new TreeBuilder(limits, featureNames.size(), false);
    List<Tree> built = new ArrayList<>(trees.size());
    while (!trees.isEmpty()) {
      XGBoostTree raw = trees.remove();
      for (int node = 0; order.length > 0 && node < raw.features().length; node++) {
        raw.features()[node] = raw.left()[node] < 0 ? 0 : order[raw.features()[node]];
      }
      built.add(raw.build(builder, built.size(), 1f));
    }
    return ensemble.trees(built).accumulator(Accumulator.FLOAT).transform(transform).build();
  }

  private List<String> notes(String objective) {
    List<String> notes = new ArrayList<>(List.of(NOTE));
    if (objective.isEmpty()) {
      notes.add(CLASSES_NOTE);
    }
    if (indicators) {
      notes.add(INDICATORS_NOTE);
    }
    return notes;
  }

  /**
   * Returns the numbers in feature names of the form {@code f<number>}, in the order in which the
   * names first occur. Returns an empty array if at least one name has another form.
   */
  private int[] indexedOrder() {
    int[] order = new int[names.size()];
    for (Map.Entry<String, Integer> name : names.entrySet()) {
      if (!INDEXED.matcher(name.getKey()).matches()) {
        return new int[0];
      }
      int number = Integer.parseInt(name.getKey().substring(1));
      order[name.getValue()] = number;
      place.check("feature f" + number + ": features", number + 1L, Limit.FEATURES, limits);
    }
    return order;
  }
}

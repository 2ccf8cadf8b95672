package io.quickscorer.reader;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.Tokens.Token;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * XGBoost's {@code get_dump(dump_format="json")}: an array of trees of nested nodes, or that array
 * as {@code splits} of an object that gives the {@code objective} too, as other search plugins take
 * it.
 *
 * <p>A dump has lost the base score, dropout weights and, unless given, the objective; scores start
 * at 0. Features are {@code f0, f1, ...} up to the largest if all names are such, else the names in
 * the order in which they occur.
 */
final class XGBoostDumpReader {
  static final String NOTE =
      "a dump lacks the base score and dropout weights: raw scores differ from the trainer's by the"
          + " base score, and models trained with dropout are scored without it";

  /** A field that other search plugins add to a model: missing values count as 0. */
  static final String MISSING_AS_ZERO = "missing_as_zero";

  private final DocumentReader reader;
  private final EnsembleLimits limits;
  private final XGBoostDumpTree tree;
  private final Map<String, Integer> names = new LinkedHashMap<>();
  private final Deque<XGBoostTree> trees = new ArrayDeque<>();
  private String objective = "";
  private boolean missingAsZero;
  private OutputTransform transform = OutputTransform.IDENTITY;

  private XGBoostDumpReader(Tokens tokens, long fileBytes, EnsembleLimits limits) {
    this.reader = new DocumentReader(tokens);
    this.limits = limits;
    this.tree = new XGBoostDumpTree(reader, names, limits, fileBytes);
  }

  static TreeEnsemble read(Tokens tokens, long fileBytes, EnsembleLimits limits) {
    return new XGBoostDumpReader(tokens, fileBytes, limits).read();
  }

  private TreeEnsemble read() {
    if (reader.token() == Token.BEGIN_OBJECT) {
      readObject();
    } else {
      readTrees();
    }
    reader.end();
    int[] order = indexedOrder();
    List<String> featureNames = new ArrayList<>(names.keySet());
    if (order.length > 0) {
      int count = 1 + Arrays.stream(order).max().orElse(0);
      featureNames.clear();
      for (int i = 0; i < count; i++) {
        featureNames.add("f" + i);
      }
    }
    TreeEnsemble.Builder ensemble =
        TreeEnsemble.builder(
            featureNames,
            new ModelSource(ModelFormat.XGBOOST_DUMP_JSON.label(), "", objective, List.of(NOTE)));
    TreeBuilder builder = new TreeBuilder(limits, featureNames.size(), false);
    List<Tree> built = new ArrayList<>(trees.size());
    while (!trees.isEmpty()) {
      XGBoostTree raw = trees.remove();
      for (int node = 0; order.length > 0 && node < raw.features().length; node++) {
        raw.features()[node] = raw.left()[node] < 0 ? 0 : order[raw.features()[node]];
      }
      built.add(raw.build(builder, built.size(), 1f));
    }
    TreeEnsemble model =
        ensemble.trees(built).accumulator(Accumulator.FLOAT).transform(transform).build();
    return missingAsZero ? Rebinding.missingAsZero(model, limits) : model;
  }

  private void readObject() {
    reader.beginObject("document");
    String name;
    while ((name = reader.nextName()) != null) {
      switch (name) {
        case "objective" -> {
          objective = reader.string(name);
          transform = XGBoostObjective.of(objective, reader.offset()).transform();
        }
        case "splits" -> readTrees();
        case MISSING_AS_ZERO -> missingAsZero = reader.bool(name);
        default -> reader.skip();
      }
    }
  }

  private void readTrees() {
    reader.beginArray("trees");
    while (reader.nextElement()) {
      reader.check("trees", trees.size() + 1L, Limit.TREES, limits);
      reader.place("tree " + trees.size() + ", ");
      trees.add(tree.read());
      reader.place("");
    }
  }

  /**
   * The number in each name {@code f<number>}, by order of occurrence; empty if one is not such.
   */
  private int[] indexedOrder() {
    int[] order = new int[names.size()];
    for (Map.Entry<String, Integer> name : names.entrySet()) {
      String digits = name.getKey().substring(Math.min(1, name.getKey().length()));
      boolean plain = digits.equals("0") || (!digits.startsWith("0") && !digits.startsWith("-"));
      if (!name.getKey().startsWith("f") || !plain || digits.length() > 9) {
        return new int[0];
      }
      try {
        order[name.getValue()] = Integer.parseInt(digits);
      } catch (NumberFormatException e) {
        return new int[0];
      }
      reader.check(
          "feature f" + digits + ": features", order[name.getValue()] + 1L, Limit.FEATURES, limits);
    }
    return order;
  }
}

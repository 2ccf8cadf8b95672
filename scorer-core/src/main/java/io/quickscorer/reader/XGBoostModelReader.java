// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static io.quickscorer.reader.XGBoostOutputs.BEST;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelFormat.Trait;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.NumberedNames;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.common.FormatReader;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.input.DocumentReader;
import io.quickscorer.reader.input.IntList;
import io.quickscorer.reader.input.Numbers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/**
 * Reads XGBoost's model document as {@code Booster.save_model} of 1.0 to 3.x writes it, in JSON or
 * Universal Binary JSON.
 *
 * <p>XGBoost sums in float, in the order of the file, starting from the raw form of the base score.
 * It sends x left if {@code x < condition} in float. If the file's list of tree weights is not
 * empty, dropout scaled the trees. The booster's name is not used to recognise dropout, because it
 * changed between versions. {@link XGBoostLinear} builds linear boosters. If there are several
 * outputs, only one is scored. Leaves with several values are not supported.
 */
final class XGBoostModelReader {
  /** The format of XGBoost's JSON file, as {@code Booster.save_model} writes it. */
  public static final FormatReader JSON =
      format("xgboost_json", DocumentReader::json).withFields("learner");

  /** The format of XGBoost's model document in Universal Binary JSON. */
  public static final FormatReader UBJSON =
      format("xgboost_ubjson", DocumentReader::ubjson)
          .startingAs(
              input -> input.at(0) == '{' && input.at(1) > 0 && "iUIlL".indexOf(input.at(1)) >= 0);

  private final DocumentReader reader;
  private final ModelFormat format;
  private final EnsembleLimits limits;
  private final XGBoostTreeReader treeReader;
  private final Deque<XGBoostTree> trees = new ArrayDeque<>();
  private final IntList weights = new IntList();
  private final IntList linearWeights = new IntList();
  private final IntList rounds = new IntList();
  private final XGBoostOutputs outputs;
  private final XGBoostCategories categories;

  private boolean hasModel;
  private boolean linear;
  private boolean missingAsZero;
  private String booster = "";
  private boolean hasWeights;
  private String version = "";
  private boolean clamps = true;
  private String objective = "";
  private long objectiveOffset;
  private String baseScore = "";
  private long baseScoreOffset;
  private int featureCount = -1;
  private long treeCount = -1;
  private List<String> featureNames = List.of();

  private XGBoostModelReader(
      DocumentReader reader, ModelFormat format, EnsembleLimits limits, ReadOptions options) {
    this.outputs = new XGBoostOutputs(options);
    this.reader = reader;
    this.format = format;
    this.limits = limits;
    this.treeReader = new XGBoostTreeReader(reader);
    this.categories = new XGBoostCategories(reader, limits);
  }

  private static FormatReader format(String label, Function<BoundedInput, DocumentReader> reader) {
    ModelFormat format = new ModelFormat(label);
    return FormatReader.of(
            label,
            "XGBoost",
            (input, limits, options) ->
                new XGBoostModelReader(reader.apply(input), format, limits, options).read())
        .with(Trait.ABSENT_IS_MISSING);
  }

  private TreeEnsemble read() {
    for (String name : reader.fields("document")) {
      switch (name) {
        case "learner" -> readLearner();
        case "version" -> readVersion();
        case "Config" ->
            throw reader.failure(
                "Config: the file is a pickled booster with its training state; save the model by"
                    + " booster.save_model(\"model.ubj\") instead");
        case XGBoostDumpReader.MISSING_AS_ZERO -> missingAsZero = reader.bool(name);
        default -> {}
      }
    }
    reader.end();
    TreeEnsemble model = assemble();
    return missingAsZero ? Rebinding.missingAsZero(model, limits) : model;
  }

  private void readVersion() {
    IntList numbers = new IntList();
    reader.integers("version", 0, Integer.MAX_VALUE, numbers);
    StringBuilder joined = new StringBuilder();
    for (int i = 0; i < Math.min(3, numbers.size()); i++) {
      joined.append(i == 0 ? "" : ".").append(numbers.get(i));
    }
    version = joined.toString();
    clamps = numbers.size() < 2 || XGBoostObjective.clamps(numbers.get(0), numbers.get(1));
  }

  private void readLearner() {
    for (String name : reader.fields("learner")) {
      switch (name) {
        case "gradient_booster" -> readBooster();
        case "learner_model_param" -> readLearnerParameters();
        case "objective" -> reader.field(name, "name", this::readObjective);
        case "attributes" -> reader.field(name, BEST, () -> outputs.best(reader.string(BEST)));
        case "feature_names" -> featureNames = reader.strings(name, limits);
        default -> {}
      }
    }
  }

  private void readObjective() {
    objective = reader.string("objective.name");
    objectiveOffset = reader.offset();
  }

  private void readLearnerParameters() {
    for (String name : reader.fields("learner_model_param")) {
      switch (name) {
        case "base_score" -> {
          baseScore = reader.string(name);
          baseScoreOffset = reader.offset();
        }
        case "num_feature" -> {
          featureCount = reader.count(name);
          reader.check("features", featureCount, Limit.FEATURES, limits);
        }
        case "num_class" -> outputs.classes(reader.count(name), reader.offset());
        case "num_target" -> outputs.targets(reader.count(name), reader.offset());
        default -> {}
      }
    }
  }

  /**
   * Reads the booster. In 1.x and 2.x, a booster with dropout ({@code dart}) contains the tree
   * booster whose trees it scales.
   */
  private void readBooster() {
    for (String name : reader.fields("gradient_booster")) {
      switch (name) {
        case "name" -> booster = reader.string("gradient_booster.name");
        case "model" -> readModel();
        case "gbtree" -> reader.field(name, "model", this::readModel);
        case "weight_drop" -> readWeights();
        default -> {}
      }
    }
  }

  private void readModel() {
    if (hasModel) {
      throw reader.failure("model: found two models, expected one");
    }
    hasModel = true;
    for (String name : reader.fields("model")) {
      switch (name) {
        case "trees" -> reader.elements(name, "tree", Limit.TREES, limits, this::readTree);
        case "tree_info" -> {
          reader.integers(name, 0, Integer.MAX_VALUE, outputs.groups());
          outputs.groupsAt(reader.offset());
        }
        case "gbtree_model_param" ->
            reader.field(name, "num_trees", () -> treeCount = reader.count("num_trees"));
        case "iteration_indptr" -> reader.integers(name, 0, Integer.MAX_VALUE, rounds);
        case "weight_drop" -> readWeights();
        case "cats" -> categories.read();
        case "weights" -> {
          linear = true;
          reader.floatBits("weights", linearWeights);
        }
        default -> {}
      }
    }
  }

  private void readWeights() {
    if (hasWeights) {
      throw reader.failure("weight_drop: found two lists of weights, expected one");
    }
    hasWeights = true;
    reader.floatBits("weight_drop", weights);
  }

  private void readTree() {
    trees.add(treeReader.read(trees.size()));
  }

  private TreeEnsemble assemble() {
    if (featureCount < 0) {
      throw reader.failure("learner_model_param.num_feature: missing");
    }
    // 3.x writes a list of weights for every model of trees. The list is empty if the training
    // dropped no tree.
    boolean weighted = weights.size() > 0;
    if (weighted && weights.size() != trees.size()) {
      throw reader.failure(
          "weight_drop: found "
              + weights.size()
              + " weights, but the model has "
              + trees.size()
              + " trees");
    }
    XGBoostObjective known = XGBoostObjective.of(objective, objectiveOffset);
    outputs.settle(objective, known, objectiveOffset);
    int last = rounds.size() > 0 ? rounds.size() - 1 : trees.size() / outputs.count();
    List<String> notes = outputs.notes(known, last);
    notes.addAll(XGBoostTree.notes(trees));
    notes.addAll(categories.notes());
    TreeEnsemble.Builder ensemble =
        TreeEnsemble.builder(names(), new ModelSource(format, version, objective, notes));
    float margin = known.baseMargin(baseScore(), clamps, baseScoreOffset);
    ensemble.accumulator(Accumulator.FLOAT).transform(known.transform());
    ensemble.categories(categories.lists(featureCount));
    if (linear != booster.equals("gblinear")) {
      throw reader.failure(
          "gradient_booster: "
              + (linear
                  ? "the booster has weights, but its name is not gblinear"
                  : "the booster's name is gblinear, but it has no weights"));
    }
    if (linear) {
      return XGBoostLinear.build(
          ensemble, linearWeights, featureCount, outputs, margin, reader.offset());
    }
    checkTreeCount();
    TreeBuilder builder = new TreeBuilder(limits, featureCount, true);
    List<Tree> built = new ArrayList<>(trees.size());
    for (int number = 0; !trees.isEmpty(); number++) {
      // Each tree is removed from the queue before it is built, so that memory never contains both
      // forms of all trees.
      XGBoostTree tree = trees.remove();
      if (outputs.takes(number)) {
        float weight = weighted ? Float.intBitsToFloat(weights.get(number)) : 1f;
        built.add(tree.build(builder, number, weight));
      }
    }
    return ensemble.trees(built).initialScore(margin).build();
  }

  private void checkTreeCount() {
    int count = trees.size();
    if (count == 0) {
      return;
    }
    int groups = outputs.assigned();
    int last = rounds.size() == 0 ? count : rounds.get(rounds.size() - 1);
    if (treeCount >= 0 && treeCount != count) {
      throw reader.failure("num_trees: " + treeCount + ", but the model has " + count + " trees");
    }
    if ((groups >= 0 || outputs.count() > 1) && groups != count) {
      throw reader.failure(
          "tree_info: " + Math.max(0, groups) + " elements, but the model has " + count + " trees");
    }
    if (last != count) {
      throw reader.failure(
          "iteration_indptr: ends at " + last + ", but the model has " + count + " trees");
    }
  }

  /**
   * Returns the base score of the output that is scored. The file has one number for all outputs,
   * such as {@code 5E-1}, or, from 3.x on, a list with one number per output.
   */
  private float baseScore() {
    String text = baseScore;
    if (text.startsWith("[") && text.endsWith("]")) {
      text = text.substring(1, text.length() - 1);
    }
    String[] each = text.split(",", -1);
    if (each.length != 1 && each.length != outputs.count()) {
      throw InvalidModelException.at(
          baseScoreOffset,
          "base_score: found "
              + each.length
              + " numbers, but the model has "
              + outputs.count()
              + " outputs");
    }
    // The linear booster uses the first output's base score for all outputs.
    int own = each.length == 1 || linear ? 0 : outputs.chosen();
    try {
      return Numbers.floatOf(each[own], baseScoreOffset);
    } catch (InvalidModelException e) {
      throw InvalidModelException.at(baseScoreOffset, "base_score: expected a number");
    }
  }

  private List<String> names() {
    if (!featureNames.isEmpty()) {
      if (featureNames.size() != featureCount) {
        throw reader.failure(
            "feature_names: found "
                + featureNames.size()
                + " names, but num_feature is "
                + featureCount);
      }
      return featureNames;
    }
    return NumberedNames.indexed(featureCount);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.DerivedColumns;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.NumberedNames;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.OutputTransform.Kind;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.common.FormatReader;
import io.quickscorer.reader.common.Outputs;
import io.quickscorer.reader.onnx.OnnxForest.Split;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads ONNX files with one tree operator, as onnxmltools, skl2onnx and CatBoost export them:
 * {@code TreeEnsembleRegressor}, {@code TreeEnsembleClassifier} or {@code TreeEnsemble}.
 *
 * <p>Scores are equal to those of ONNX Runtime on one thread: the sum starts at 0, leaves are added
 * in tree order with the precision of the operator's input, and the base value is added last.
 * Operators before and after the trees become part of the ensemble if the result is exact or
 * differs by one rounding at most; all other operators are not supported.
 */
public final class OnnxModelReader {
  /** The format of ONNX files with one tree operator. */
  public static final FormatReader FORMAT =
      FormatReader.of(
              "onnx",
              "",
              (input, limits, options) ->
                  new OnnxModelReader(OnnxGraph.read(input), limits, options).read())
          .startingAs(OnnxGraph::recognises);

  private static final String REGRESSOR = "TreeEnsembleRegressor";
  private static final String CLASSIFIER = "TreeEnsembleClassifier";
  private static final String ENSEMBLE = "TreeEnsemble";
  private static final Set<String> TREES = Set.of(REGRESSOR, CLASSIFIER, ENSEMBLE);

  /** Number of operators that the message for a graph without a tree operator lists. */
  private static final int SHOWN_OPERATORS = 8;

  /**
   * The operators after the trees that only copy a value or change its shape, and so do not affect
   * scores.
   */
  private static final Set<String> SHAPES =
      Set.of("Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "ZipMap");

  /**
   * The names of the functions that aggregate trees, in the order of their numbers in the operator
   * {@code TreeEnsemble}.
   */
  private static final List<String> AGGREGATES = List.of("AVERAGE", "SUM", "MIN", "MAX");

  /**
   * The names of the functions that are applied to the result, in the order of their numbers in the
   * operator {@code TreeEnsemble}.
   */
  private static final List<String> TRANSFORMS =
      List.of("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT");

  private final OnnxGraph graph;
  private final OnnxNode trees;
  private final EnsembleLimits limits;
  private final Outputs outputs;
  private boolean joint;
  private double scale = 1;
  private double bias;
  private boolean ignoredTransform;
  private OutputTransform transform = OutputTransform.IDENTITY;

  private OnnxModelReader(OnnxGraph graph, EnsembleLimits limits, ReadOptions options) {
    this.graph = graph;
    this.limits = limits;
    this.outputs = new Outputs(options);
    trees = treeOperator(graph);
  }

  private TreeEnsemble read() {
    OnnxForest forest = forest();
    int tested = forest.splits().stream().mapToInt(Split::feature).max().orElse(0);
    limits.check("features", tested + 1L, Limit.FEATURES);
    OnnxInputs inputs = new OnnxInputs(trees, graph, limits, Math.max(1, tested + 1));
    List<OnnxColumn> columns = inputs.columns();
    int features = inputs.features();
    boolean plain = columns.size() == features;
    for (int i = 0; plain && i < features; i++) {
      plain = columns.get(i).feature() == i && columns.get(i).steps().isEmpty();
    }
    forest = plain ? forest : OnnxFolding.fold(forest, columns);
    List<String> names =
        inputs.names().isEmpty() ? NumberedNames.indexed(features) : inputs.names();
    readAggregate(forest.roots().length);
    readPostTransform();
    boolean classifier = trees.operator().equals(CLASSIFIER);
    followOutput(classifier ? 1 : 0);
    ModelSource source =
        new ModelSource(FORMAT.format(), graph.producerVersion(), "", notes(inputs));
    DerivedColumns derived = inputs.derived();
    TreeEnsemble.Builder ensemble = TreeEnsemble.builder(names, source);
    if (derived != null) {
      ensemble.derived(derived);
    }
    int all = features + (derived == null ? 0 : derived.size());
    return ensemble
        .trees(OnnxTrees.build(forest, all, limits))
        .accumulator(inputs.type() == OnnxTensor.DOUBLE ? Accumulator.DOUBLE : Accumulator.FLOAT)
        .scaleAndBias(scale, bias)
        .transform(transform)
        .categories(inputs.encoders().categories())
        .build();
  }

  private List<String> notes(OnnxInputs inputs) {
    List<String> notes = new ArrayList<>(outputs.notes(joint));
    if (!graph.producer().isEmpty()) {
      notes.add("exported by " + graph.producer());
    }
    notes.add(
        inputs.type() == OnnxTensor.DOUBLE
            ? "ONNX Runtime rounds the score to float"
            : "thresholds, leaves and sums are floats as in ONNX Runtime; a trainer that computes"
                + " in double may give other scores");
    if (inputs.encoders().isStrict()) {
      notes.add(
          "ONNX Runtime fails for a value that a OneHotEncoder with zeros 0 does not list; here all"
              + " its indicators are 0");
    }
    if (ignoredTransform) {
      notes.add(
          "the transformed output is that of post_transform LOGISTIC; ONNX Runtime ignores it for a"
              + " regressor of one target and a classifier of one class");
    }
    return notes;
  }

  private static OnnxNode treeOperator(OnnxGraph graph) {
    List<OnnxNode> found =
        graph.nodes().stream().filter(node -> TREES.contains(node.operator())).toList();
    if (found.size() != 1) {
      String others =
          graph.nodes().stream()
              .map(OnnxNode::operator)
              .distinct()
              .limit(SHOWN_OPERATORS)
              .map(InvalidModelException::shown)
              .collect(Collectors.joining(", "));
      throw InvalidModelException.at(
          0,
          "the graph has "
              + found.size()
              + " tree operators, expected one"
              + (found.isEmpty() && !others.isEmpty() ? "; it has " + others : ""));
    }
    return found.getFirst();
  }

  private OnnxForest forest() {
    switch (trees.operator()) {
      case ENSEMBLE -> {
        choose(trees.integer("n_targets", 0), "n_targets");
        return OnnxForest.ofSplits(trees, limits, outputs);
      }
      case REGRESSOR -> {
        choose(trees.integer("n_targets", 0), "n_targets");
        return new OnnxNodeRows(trees, "target", limits, outputs).read();
      }
      default -> {
        int labels =
            Math.max(
                trees.integers("classlabels_int64s").length, trees.count("classlabels_strings"));
        if (labels == 0) {
          throw trees.failure("found 0 classes, expected one or more");
        }
        choose(labels == 2 ? scoresOfTwo() : labels, "classes");
        return new OnnxNodeRows(trees, "class", limits, outputs).read();
      }
    }
  }

  /**
   * Returns the number of outputs of a classifier of two classes: 1 if all weights belong to the
   * first class, otherwise 2.
   */
  private int scoresOfTwo() {
    int[] classes = trees.integers("class_ids");
    long second = Arrays.stream(classes).filter(c -> c != 0).count();
    if (second > 0 && second == classes.length) {
      throw trees.failure(
          "class_ids: all weights belong to the second class, expected weights of the first class"
              + " too");
    }
    if (second > 0 && trees.numbers("base_values").length == 2) {
      // ONNX Runtime adds the weights of the second class to the sum of the first class. CatBoost
      // exports such models.
      throw trees.failure(
          "base_values: both classes have weights, and for such models ONNX Runtime computes other"
              + " scores than the trainer; use the trainer's own file, which for CatBoost is the"
              + " .cbm file");
    }
    return second == 0 ? 1 : 2;
  }

  private void choose(long count, String what) {
    if (count < 1 || count > Integer.MAX_VALUE) {
      throw trees.failure(what + ": " + count + ", expected 1 or more");
    }
    outputs.choose((int) count, what + " " + count, trees.offset());
  }

  private void readAggregate(int count) {
    double[] base = trees.numbers("base_values");
    if (base.length > 0 && base.length != outputs.count()) {
      throw trees.failure(
          "base_values: found " + base.length + " numbers, expected none or " + outputs.count());
    }
    String function = named("aggregate_function", AGGREGATES, 1);
    // All aggregate functions have the same result for a single tree.
    if (!AGGREGATES.contains(function) || count > 1 && function.startsWith("M")) {
      throw trees.failure(
          "aggregate_function: expected SUM or AVERAGE, or for a single tree also MIN or MAX");
    }
    scale = function.equals("AVERAGE") && count > 0 ? 1.0 / count : 1;
    bias = base.length == 0 ? 0 : base[outputs.chosen()];
  }

  /**
   * Returns the name in an attribute: the attribute is the name itself or, in the operator {@code
   * TreeEnsemble}, an index of {@code names}.
   */
  private String named(String attribute, List<String> names, int absent) {
    if (trees.operator().equals(ENSEMBLE)) {
      long number = trees.integer(attribute, absent);
      return number < 0 || number >= names.size() ? "" : names.get((int) number);
    }
    String text = trees.text(attribute);
    return text.isEmpty() ? names.get(absent) : text;
  }

  private void readPostTransform() {
    String name = named("post_transform", TRANSFORMS, 0);
    joint = outputs.count() > 1 && name.startsWith("SOFTMAX");
    boolean logistic = name.equals("LOGISTIC");
    if (!name.equals("NONE") && !logistic && !joint) {
      throw trees.failure("post_transform: only NONE and LOGISTIC are supported");
    }
    boolean oneClass =
        trees.integers("classlabels_int64s").length + trees.count("classlabels_strings") == 1;
    ignoredTransform = logistic && (oneClass || !trees.operator().equals(CLASSIFIER));
    transform = logistic ? new OutputTransform(Kind.LOGISTIC_FLOAT, 1) : OutputTransform.IDENTITY;
  }

  /**
   * Applies the operators between output number {@code output} of the tree operator and the graph's
   * output.
   */
  private void followOutput(int output) {
    if (output >= trees.outputs().size()) {
      throw trees.failure(
          "the operator of the trees has "
              + trees.outputs().size()
              + " outputs, expected "
              + (output + 1));
    }
    String value = trees.outputs().get(output);
    for (int step = 0; step < OnnxInputs.MAX_CHAIN; step++) {
      List<OnnxNode> consumers = graph.consumersOf(value);
      if (consumers.isEmpty()) {
        if (!graph.isOutput(value)) {
          throw trees.failure("the score is not an output of the graph");
        }
        return;
      }
      OnnxNode node = consumers.getFirst();
      if (consumers.size() > 1 || node.outputs().isEmpty()) {
        throw node.failure("several operators read the score, expected one");
      }
      apply(node, value);
      value = node.outputs().getFirst();
    }
    throw trees.failure(
        "found more than " + OnnxInputs.MAX_CHAIN + " consecutive operators after the trees");
  }

  private void apply(OnnxNode node, String value) {
    if (SHAPES.contains(node.operator())) {
      return;
    }
    switch (node.operator()) {
      case "Cast" -> {
        long to = node.integer("to", OnnxTensor.FLOAT);
        if (to != OnnxTensor.FLOAT && to != OnnxTensor.DOUBLE) {
          throw node.failure("Cast of the score to element type " + to + " is not supported");
        }
      }
      case "Exp" -> end(node, new OutputTransform(Kind.EXP_FLOAT, 1));
      case "Sigmoid" -> end(node, new OutputTransform(Kind.LOGISTIC_FLOAT, 1));
      case "Mul", "Div", "Add", "Sub" -> arithmetic(node, value);
      default -> throw node.unsupported("after");
    }
  }

  private void end(OnnxNode node, OutputTransform found) {
    if (joint) {
      // The prediction depends on the scores of all outputs, so the transformed score remains the
      // raw score.
      return;
    }
    if (!transform.equals(OutputTransform.IDENTITY)) {
      throw node.failure(
          node.operator() + ": the score is transformed twice, expected one transformation");
    }
    transform = found;
  }

  private void arithmetic(OnnxNode node, String value) {
    boolean first = node.inputs().getFirst().equals(value);
    boolean commutes = node.operator().equals("Mul") || node.operator().equals("Add");
    double[] constants =
        node.inputs().size() == 2 && (first || commutes)
            ? graph.constant(node.inputs().get(first ? 1 : 0))
            : new double[0];
    boolean product = node.operator().equals("Mul") || node.operator().equals("Div");
    double neutral = product ? 1 : 0;
    if (constants.length > 0 && Arrays.stream(constants).allMatch(c -> c == neutral)) {
      return;
    }
    double constant =
        constants.length == 1
            ? constants[0]
            : constants.length == outputs.count() && outputs.count() > 1
                ? constants[outputs.chosen()]
                : Double.NaN;
    boolean raw = joint || transform.equals(OutputTransform.IDENTITY);
    if (!Double.isFinite(constant) || !raw) {
      throw node.failure(
          node.operator() + ": expected the raw score and one constant number as inputs");
    }
    if (joint) {
      return;
    }
    switch (node.operator()) {
      case "Mul" -> {
        scale *= constant;
        bias *= constant;
      }
      case "Div" -> {
        scale /= constant;
        bias /= constant;
      }
      case "Add" -> bias += constant;
      default -> bias -= constant;
    }
  }
}

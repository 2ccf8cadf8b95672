// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.Normalisation;
import io.quickscorer.ensemble.Normalisation.Norm;
import io.quickscorer.reader.onnx.OnnxColumn.Step;
import io.quickscorer.reader.onnx.OnnxInputs.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

/** Converts operators before the trees to {@link Step}s, with the arithmetic of ONNX Runtime. */
final class OnnxSteps {
  private static final Step TO_FLOAT = value -> (float) value;

  private static final Set<String> ARITHMETIC = Set.of("Mul", "Div", "Add", "Sub", "Min", "Max");

  /** The operators that support texts as input. */
  private static final Set<String> OF_TEXTS =
      Set.of(
          "ArrayFeatureExtractor",
          "CategoryMapper",
          "Flatten",
          "Gather",
          "Identity",
          "LabelEncoder",
          "OneHotEncoder",
          "Reshape",
          "Squeeze",
          "Unsqueeze");

  private final OnnxGraph graph;
  private final EnsembleLimits limits;
  private final List<Normalisation> normalisations = new ArrayList<>();
  private final OnnxEncoders encoders;
  private int normalised;

  OnnxSteps(OnnxGraph graph, EnsembleLimits limits) {
    this.graph = graph;
    this.limits = limits;
    this.encoders = new OnnxEncoders(limits);
  }

  /**
   * Returns whether an operator is arithmetic and has two inputs, of which the first is a constant.
   */
  boolean isSecond(OnnxNode node) {
    return ARITHMETIC.contains(node.operator())
        && node.inputs().size() == 2
        && graph.constant(node.inputs().get(0)).length > 0;
  }

  /** Returns how many input columns are needed for {@code width} output columns; 0 if unknown. */
  int width(OnnxNode node, int width) {
    return switch (node.operator()) {
      case "ArrayFeatureExtractor", "Gather" ->
          1 + (int) Arrays.stream(constant(node, 1)).max().orElse(-1);
      case "Scaler" -> Math.max(width, node.numbers("offset").length);
      case "Imputer" -> Math.max(width, node.numbers("imputed_value_floats").length);
      // These operators need all columns, even those that no tree tests.
      case "OneHotEncoder", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Normalizer" -> 0;
      default -> width;
    };
  }

  private double[] constant(OnnxNode node, int input) {
    return node.inputs().size() > input ? graph.constant(node.inputs().get(input)) : new double[0];
  }

  /** Returns a value with the columns of several values, one after the other. */
  Value join(OnnxNode node, List<Value> parts) {
    int type = parts.getFirst().type();
    int[] ends = new int[parts.size()];
    long size = 0;
    int[] widths = node.integers("inputdimensions");
    boolean vectorizer = node.operator().equals("FeatureVectorizer");
    for (int i = 0; i < parts.size(); i++) {
      Value part = parts.get(i);
      if (part.stacked() && parts.size() > 1) {
        throw node.failure(
            node.operator()
                + ": the output of a OneHotEncoder of several columns is not supported as input");
      }
      if (part.type() != type) {
        // ONNX Runtime does not load such a graph either.
        throw node.failure(
            node.operator()
                + ": the inputs have element types "
                + type
                + " and "
                + part.type()
                + ", expected one type");
      }
      if (vectorizer && (widths.length != parts.size() || widths[i] != part.columns().size())) {
        throw node.failure(
            "FeatureVectorizer: inputdimensions differ from the columns of the inputs");
      }
      size += part.columns().size();
      limits.check("columns computed before the trees", size, Limit.FEATURES);
      ends[i] = (int) size;
    }
    if (!vectorizer && node.integer("axis", 1) == 0) {
      throw node.failure("Concat: axis 0 joins rows, expected axis 1");
    }
    List<OnnxColumn> columns =
        OnnxColumn.view(
            (int) size,
            i -> {
              int place = Arrays.binarySearch(ends, i + 1);
              int part = place < 0 ? -1 - place : place;
              return parts.get(part).columns().get(i - (part == 0 ? 0 : ends[part - 1]));
            });
    Value joined = new Value(type, columns, parts.size() == 1 && parts.getFirst().stacked());
    return vectorizer ? cast(node, joined, OnnxTensor.FLOAT) : joined;
  }

  /**
   * Returns the result of an operator.
   *
   * @param value one of the operator's inputs
   * @param second whether the value is the operator's second input, not its first
   */
  Value apply(OnnxNode node, Value value, boolean second) {
    if (value.type() == OnnxTensor.STRING && !OF_TEXTS.contains(node.operator())) {
      throw node.refusesTexts();
    }
    return switch (node.operator()) {
      case "Identity", "Flatten", "Squeeze", "Unsqueeze" -> value;
      case "Reshape" -> reshape(node, value);
      case "Cast" -> cast(node, value, (int) node.integer("to", OnnxTensor.FLOAT));
      case "Scaler" -> scale(node, value);
      case "Imputer" -> impute(node, value);
      case "Binarizer" -> binarize(node, value);
      case "Normalizer" -> normalise(node, value);
      case "OneHotEncoder" -> encoders.encode(node, value);
      case "LabelEncoder" ->
          encoders.lookUp(node, value, "keys_strings", "keys_int64s", "values_int64s");
      case "CategoryMapper" -> encoders.lookUp(node, value, "cats_strings", "", "cats_int64s");
      case "ArrayFeatureExtractor" -> pick(node, value);
      case "Gather" -> {
        if (node.integer("axis", 0) != 1) {
          throw node.failure("Gather before the trees: only axis 1 (columns) is supported");
        }
        yield pick(node, value);
      }
      case "Mul", "Div", "Add", "Sub" -> arithmetic(node, value, second);
      case "Clip", "Min", "Max" -> bound(node, value, second);
      default -> throw node.unsupported("before");
    };
  }

  private static boolean isFloating(Value value) {
    return value.type() == OnnxTensor.FLOAT || value.type() == OnnxTensor.DOUBLE;
  }

  static Value each(Value value, int type, IntFunction<Step> step) {
    List<OnnxColumn> from = value.columns();
    List<OnnxColumn> columns = OnnxColumn.view(from.size(), i -> from.get(i).then(step.apply(i)));
    return new Value(type, columns, value.stacked());
  }

  /**
   * Checks that there is one number in total or one per column, and that all numbers are finite.
   * Returns {@code numbers}.
   */
  private static double[] perColumn(OnnxNode node, String what, double[] numbers, Value value) {
    int columns = value.columns().size();
    if (numbers.length != 1 && numbers.length != columns) {
      throw node.failure(
          node.operator()
              + ": "
              + what
              + ": found "
              + numbers.length
              + " numbers, expected 1 or "
              + columns);
    }
    for (double number : numbers) {
      if (!Double.isFinite(number)) {
        throw node.failure(
            node.operator() + ": " + what + ": " + number + ", expected a finite number");
      }
    }
    return numbers;
  }

  private static double of(double[] numbers, int column) {
    return numbers[numbers.length == 1 ? 0 : column];
  }

  private Value reshape(OnnxNode node, Value value) {
    double[] shape = constant(node, 1);
    double columns = 1;
    boolean open = false;
    for (int i = 1; i < shape.length; i++) {
      open |= shape[i] == -1;
      columns *= Math.abs(shape[i]);
    }
    boolean rows = shape.length > 1 && (shape[0] == -1 || shape[0] == 0);
    if (!rows || open && shape[0] == -1 || !open && columns != value.columns().size()) {
      throw node.failure("Reshape before the trees: the shape must keep each row and its values");
    }
    return new Value(value.type(), value.columns(), false);
  }

  private static Value cast(OnnxNode node, Value value, int to) {
    if (to == value.type()) {
      return value;
    }
    if (value.type() == OnnxTensor.STRING) {
      throw node.refusesTexts();
    }
    switch (to) {
      case OnnxTensor.DOUBLE -> {
        return new Value(to, value.columns(), value.stacked());
      }
      case OnnxTensor.FLOAT -> {
        // Features without steps are already floats.
        List<OnnxColumn> from = value.columns();
        List<OnnxColumn> columns =
            OnnxColumn.view(
                from.size(),
                i -> from.get(i).steps().isEmpty() ? from.get(i) : from.get(i).then(TO_FLOAT));
        return new Value(to, columns, value.stacked());
      }
      case OnnxTensor.INT64 -> {
        return each(value, to, i -> OnnxColumn.TRUNCATE);
      }
      default -> throw node.failure("Cast of features to element type " + to + " is not supported");
    }
  }

  private static Value scale(OnnxNode node, Value value) {
    double[] offset = perColumn(node, "offset", node.numbers("offset"), value);
    double[] scale = perColumn(node, "scale", node.numbers("scale"), value);
    if (Arrays.stream(scale).anyMatch(number -> number == 0)) {
      throw node.failure("Scaler: a scale is 0, expected another number");
    }
    boolean doubles = value.type() == OnnxTensor.DOUBLE;
    return each(
        value,
        OnnxTensor.FLOAT,
        i ->
            doubles
                ? x -> (float) ((x - of(offset, i)) * of(scale, i))
                : x -> ((float) x - (float) of(offset, i)) * (float) of(scale, i));
  }

  private static Value impute(OnnxNode node, Value value) {
    boolean integers = value.type() == OnnxTensor.INT64;
    if (!integers && value.type() != OnnxTensor.FLOAT) {
      throw node.failure("Imputer of element type " + value.type() + " is not supported");
    }
    double[] imputed =
        integers
            ? Arrays.stream(node.integers("imputed_value_int64s")).asDoubleStream().toArray()
            : node.numbers("imputed_value_floats");
    double[] by = perColumn(node, "imputed values", imputed, value);
    double replaced =
        integers ? node.integer("replaced_value_int64", 0) : node.number("replaced_value_float", 0);
    return each(value, value.type(), i -> new OnnxColumn.Replace(replaced, of(by, i)));
  }

  private static Value binarize(OnnxNode node, Value value) {
    if (value.type() != OnnxTensor.FLOAT) {
      throw node.failure("Binarizer of element type " + value.type() + " is not supported");
    }
    double threshold = node.number("threshold", 0);
    return each(value, OnnxTensor.FLOAT, i -> x -> x > threshold ? 1 : 0);
  }

  /**
   * Returns the groups of normalised columns. Column i, counted from 0 across all groups, has the
   * {@link OnnxColumn#feature} {@code ~i}.
   */
  List<Normalisation> normalisations() {
    return normalisations;
  }

  private Value normalise(OnnxNode node, Value value) {
    List<OnnxColumn> from = value.columns();
    Norm norm =
        switch (node.text("norm")) {
          case "L1" -> Norm.L1;
          case "L2" -> Norm.L2;
          case "MAX", "" -> Norm.MAX;
          default -> throw node.failure("Normalizer: norm: expected MAX, L1 or L2");
        };
    limits.check(
        "columns computed before the trees", (long) normalised + from.size(), Limit.FEATURES);
    int[] features = new int[from.size()];
    for (int i = 0; i < features.length; i++) {
      OnnxColumn column = from.get(i);
      if (column.feature() < 0 || !column.steps().isEmpty() || value.stacked()) {
        throw node.failure(
            "Normalizer is supported only as the first operator; compute its results as features,"
                + " and export the model without Normalizer and the operators before it");
      }
      features[i] = column.feature();
    }
    if (!isFloating(value)) {
      throw node.failure("Normalizer of element type " + value.type() + " is not supported");
    }
    normalisations.add(new Normalisation(norm, features));
    int first = normalised;
    normalised += features.length;
    return new Value(
        OnnxTensor.FLOAT,
        OnnxColumn.view(features.length, i -> new OnnxColumn(~(first + i), List.of())),
        false);
  }

  /** Returns the encoders, such as {@code OneHotEncoder}, with the texts that they list. */
  OnnxEncoders encoders() {
    return encoders;
  }

  private Value pick(OnnxNode node, Value value) {
    double[] places = constant(node, 1);
    if (places.length == 0 || value.stacked()) {
      throw node.failure(node.operator() + ": the indices of the columns must be constants");
    }
    List<OnnxColumn> from = value.columns();
    limits.check("columns computed before the trees", places.length, Limit.FEATURES);
    for (double place : places) {
      if (place < 0 || place >= value.columns().size()) {
        throw node.failure(
            node.operator()
                + ": column "
                + (long) place
                + ", expected 0.."
                + (value.columns().size() - 1));
      }
    }
    return new Value(
        value.type(), OnnxColumn.view(places.length, i -> from.get((int) places[i])), false);
  }

  /** Returns the columns of an operator that limits values to a range. NaN stays NaN. */
  private Value bound(OnnxNode node, Value value, boolean second) {
    boolean clip = node.operator().equals("Clip");
    if (value.type() != OnnxTensor.FLOAT || value.stacked() || !clip && node.inputs().size() > 2) {
      throw node.failure(
          node.operator() + " before the trees: expected floats and a constant as inputs");
    }
    double[] constants = clip ? limit(node, 1, "min", -1) : constant(node, second ? 0 : 1);
    double[] by = perColumn(node, "constant", constants, value);
    if (!clip) {
      boolean isMax = node.operator().equals("Max");
      return each(
          value,
          value.type(),
          i -> isMax ? x -> Math.max(x, of(by, i)) : x -> Math.min(x, of(by, i)));
    }
    double[] max = perColumn(node, "constant", limit(node, 2, "max", 1), value);
    return each(value, value.type(), i -> x -> Math.min(Math.max(x, of(by, i)), of(max, i)));
  }

  /** Returns the lower or upper limit of Clip: an input or, in older files, an attribute. */
  private double[] limit(OnnxNode node, int input, String name, int sign) {
    boolean given = node.inputs().size() > input && !node.inputs().get(input).isEmpty();
    return given ? constant(node, input) : new double[] {node.number(name, sign * Float.MAX_VALUE)};
  }

  private Value arithmetic(OnnxNode node, Value value, boolean second) {
    boolean product = node.operator().equals("Mul") || node.operator().equals("Div");
    double[] constants = constant(node, second ? 0 : 1);
    if (constants.length == 0
        || !isFloating(value)
        || value.stacked()
        || second && node.operator().equals("Div")) {
      throw node.failure(
          node.operator() + " before the trees: expected numbers and a constant as inputs");
    }
    double[] by = perColumn(node, "constant", constants, value);
    if (product && Arrays.stream(by).anyMatch(number -> number == 0)) {
      throw node.failure(node.operator() + ": the constant is 0, expected another number");
    }
    boolean doubles = value.type() == OnnxTensor.DOUBLE;
    return each(
        value,
        value.type(),
        i -> {
          double c = of(by, i);
          Step exact =
              switch (node.operator()) {
                case "Mul" -> x -> x * c;
                case "Div" -> x -> x / c;
                case "Add" -> x -> x + c;
                default -> second ? x -> c - x : x -> x - c;
              };
          // Rounding to double and then to float has the same result as rounding once to float.
          return doubles ? exact : x -> (float) exact.apply(x);
        });
  }
}

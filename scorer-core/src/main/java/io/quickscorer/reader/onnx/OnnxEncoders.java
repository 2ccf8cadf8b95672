// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import io.quickscorer.ensemble.CategoryList;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.reader.onnx.OnnxColumn.Step;
import io.quickscorer.reader.onnx.OnnxInputs.Value;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Reads the operators of an ONNX graph that list the possible values of a column. If a column has
 * texts, the values of its feature are codes: the indices of the texts in the operator's list.
 */
final class OnnxEncoders {
  private final EnsembleLimits limits;
  private final Map<Integer, CategoryList> categories = new TreeMap<>();
  private boolean strict;

  OnnxEncoders(EnsembleLimits limits) {
    this.limits = limits;
  }

  /** Returns the lists of texts that encoders use, by feature. */
  Map<Integer, CategoryList> categories() {
    return categories;
  }

  /** Returns whether ONNX Runtime rejects values that an encoder does not list. */
  boolean isStrict() {
    return strict;
  }

  /**
   * Returns the code (0, 1, ...) of each text that an operator lists, and keeps the list for the
   * column's feature.
   */
  private int[] codes(OnnxNode node, Value value, List<String> texts) {
    if (value.columns().size() != 1) {
      throw node.failure(
          node.operator()
              + ": the input has "
              + value.columns().size()
              + " columns of texts, expected 1");
    }
    int feature = value.columns().getFirst().feature();
    CategoryList list = CategoryList.ofTexts(texts);
    if (!categories.computeIfAbsent(feature, f -> list).equals(list)) {
      throw node.failure(
          node.operator()
              + ": two operators list different texts for the same column, expected equal lists");
    }
    return IntStream.range(0, texts.size()).toArray();
  }

  /**
   * Returns the columns that the operator OneHotEncoder computes. For each input column and each
   * value that the operator lists, there is one result column: 1 if the input has the value,
   * otherwise 0.
   */
  Value encode(OnnxNode node, Value value) {
    int[] listed =
        value.type() == OnnxTensor.STRING
            ? codes(node, value, node.texts("cats_strings"))
            : node.integers("cats_int64s");
    if (listed.length == 0) {
      throw node.failure(
          "OneHotEncoder before the trees: expected whole numbers or texts as categories");
    }
    strict |= node.integer("zeros", 1) == 0;
    List<OnnxColumn> from = value.columns();
    long size = (long) from.size() * listed.length;
    limits.check("columns computed before the trees", size, Limit.FEATURES);
    List<OnnxColumn> columns =
        OnnxColumn.view(
            (int) size,
            i ->
                from.get(i / listed.length)
                    .then(OnnxColumn.TRUNCATE)
                    .then(new OnnxColumn.Is(listed[i % listed.length])));
    return new Value(OnnxTensor.FLOAT, columns, value.columns().size() > 1);
  }

  /**
   * Returns the result columns of an operator that maps each listed value to a number, and all
   * other values to a default.
   *
   * @param texts the name of the attribute that lists texts
   * @param integers the name of the attribute that lists whole numbers; empty if the operator has
   *     none
   * @param whole the name of the attribute that lists the results, if these are whole numbers
   */
  Value lookUp(OnnxNode node, Value value, String texts, String integers, String whole) {
    int[] wholeKeys =
        switch (value.type()) {
          case OnnxTensor.STRING -> codes(node, value, node.texts(texts));
          case OnnxTensor.INT64 -> node.integers(integers);
          default -> new int[0];
        };
    double[] keys =
        value.type() == OnnxTensor.FLOAT
            ? node.numbers("keys_floats")
            : Arrays.stream(wholeKeys).asDoubleStream().toArray();
    double[] floats = node.numbers("values_floats");
    double[] values =
        floats.length > 0 ? floats : Arrays.stream(node.integers(whole)).asDoubleStream().toArray();
    if (keys.length == 0 || keys.length != values.length) {
      throw node.failure(
          node.operator() + " before the trees: expected a mapping of numbers or texts to numbers");
    }
    double otherwise =
        floats.length > 0 ? node.number("default_float", -0f) : node.integer("default_int64", -1);
    Step step = OnnxColumn.lookup(keys, values, otherwise);
    return OnnxSteps.each(
        value, floats.length > 0 ? OnnxTensor.FLOAT : OnnxTensor.INT64, i -> step);
  }
}

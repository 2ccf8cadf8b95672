// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.testing.NumberFlow;
import io.quickscorer.testing.SlowPatterns;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Numbers of model files: their sums and products are exact, and the arrays whose lengths they
 * choose are bounded. The exceptions are listed by the reason why they fit.
 */
final class ReaderNumbersTest {
  private static final String READERS = "io/quickscorer/reader/";

  private static final Map<String, List<String>> SUMS =
      Map.of(
          "an index of an array or of a checked region of the file, both of which check it again",
          List.of(
              "CatBoostBinaryCtrs.readTable",
              "CatBoostBinaryReader.bias",
              "CatBoostBinaryTrees$Nodes.from",
              "CatBoostBinaryTrees.leaf",
              "CatBoostBinaryTrees.readOblivious",
              "CatBoostBinaryTrees.step",
              "CatBoostCtrs$Ctr.of",
              "CatBoostOutputs.of",
              "FlatBuffer.field",
              "FlatBuffer.string",
              "JsonTokens.string",
              "OnnxNodeRows.place",
              "OnnxTensor.raw",
              "ProtoFields.fixed",
              "XGBoostLinear.build",
              "XGBoostTreeReader.set"),
          "numbers of splits and leaves of a tree in memory",
          List.of(
              "LightGbmOldTree.checkChildren",
              "LightGbmTree.buildOld",
              "LightGbmTree.declareSplits",
              "Rebinding.addSplit",
              "Rebinding.tree"),
          "numbers of columns that are within the limit of features",
          List.of(
              "CatBoostTrees$Splits.split",
              "OnnxInputs.columns",
              "OnnxInputs.consecutive",
              "OnnxSteps.normalise"),
          "half as long again as an array in memory",
          List.of("DoubleList.add", "IntList.add", "LenientJson.put"),
          "exponents of a decimal, at most some thousands",
          List.of("Decimals.bits"));

  private static final Map<String, List<String>> INT_PRODUCTS =
      Map.of(
          "a number of ints of which the file has the bytes",
          List.of("CatBoostBinaryCtrs.ints", "CatBoostBinaryCtrs.readTable"),
          "an index of an array or of a checked region of the file",
          List.of(
              "CatBoostBinaryReader.bias",
              "CatBoostBinaryTrees$Nodes.from",
              "CatBoostBinaryTrees.leaf",
              "CatBoostBinaryTrees.step",
              "FlatBuffer.field"),
          "an index or the size of a table in memory",
          List.of(
              "CatBoostBinaryTrees.readOblivious",
              "CatBoostCtrs$Ctr.of",
              "CatBoostCtrs$Table.sums",
              "CatBoostOutputs.of"),
          "an index of weights, whose number is the product",
          List.of("XGBoostLinear.build"),
          "numbers of splits and leaves, at most half of an int's maximum",
          List.of("LightGbmTree.build", "LightGbmTree.buildOld"),
          "bits of a floating-point number",
          List.of("CLibraryLog.log", "Decimals.bits"));

  private static final Map<String, List<String>> LONG_PRODUCTS =
      Map.of(
          "products of two ints",
          List.of(
              "CatBoostBinaryTrees.readOblivious",
              "CatBoostCtrs.columns",
              "CatBoostJsonCtrs.readTable",
              "FlatBuffer.vector",
              "OnnxEncoders.encode",
              "XGBoostBinaryReader.readLinear",
              "XGBoostLinear.build"),
          "the lower half of a product of 128 bits",
          List.of("Decimals.bits"));

  private static final Map<String, List<String>> ARRAYS =
      Map.of(
          "elements of which the file has the bytes",
          List.of(
              "CatBoostBinaryCtrs.ints",
              "CatBoostBinaryCtrs.readTable",
              "CatBoostBinaryTrees.readNonSymmetric",
              "CatBoostBinaryTrees.readOblivious",
              "LightGbmTreeFields.doubles",
              "LightGbmTreeFields.ints",
              "LightGbmTreeFields.words",
              "XGBoostBinaryReader.floats",
              "XGBoostBinaryReader.readTree",
              "XGBoostLinear.build"),
          "splits, leaves or members of a tree in memory",
          List.of(
              "LightGbmTree.buildOld",
              "LightGbmTree.categorySets",
              "OnnxForest.missing",
              "XGBoostTreeReader.set"),
          "values in memory",
          List.of("CatBoostCtrs$Table.sums", "CatBoostOutputs.of"),
          "columns within the limit of features",
          List.of("CatBoostFeatures.names"));

  private static Set<String> inReaders(NumberFlow.Finding finding) throws Exception {
    return NumberFlow.inModuleOf(ModelReader.class, finding, READERS);
  }

  @Test
  void sumsFit() throws Exception {
    assertEquals(NumberFlow.listed(SUMS), inReaders(NumberFlow.Finding.SUM));
  }

  @Test
  void productsFit() throws Exception {
    assertEquals(NumberFlow.listed(INT_PRODUCTS), inReaders(NumberFlow.Finding.INT_PRODUCT));
    assertEquals(NumberFlow.listed(LONG_PRODUCTS), inReaders(NumberFlow.Finding.LONG_PRODUCT));
  }

  @Test
  void arraysAreBounded() throws Exception {
    assertEquals(NumberFlow.listed(ARRAYS), inReaders(NumberFlow.Finding.ARRAY));
    assertEquals(Set.of(), inReaders(NumberFlow.Finding.CAPACITY));
  }

  @Test
  void regularExpressionsAreConstants() throws Exception {
    assertEquals(Set.of(), inReaders(NumberFlow.Finding.PATTERN));
    assertEquals(Set.of(), SlowPatterns.inModuleOf(ModelReader.class, READERS));
  }
}

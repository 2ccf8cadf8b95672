// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static io.quickscorer.reader.SmallModels.score;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.OutputTransform.Kind;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.input.BoundedInput;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** XGBoost's old binary file, of structures whose offsets are known. */
final class XGBoostBinaryReaderTest {
  private static final int OBJECTIVE = 136;
  private static final int DEFAULT_LEFT = 1 << 31;

  /** Where the parts of {@link #stump()} begin. */
  private static final int BOOSTER = OBJECTIVE + 8 + 16 + 8 + 6;

  private static final int TREE = BOOSTER + 160;
  private static final int NODES = TREE + 148;
  private static final int TREE_INFO = NODES + 3 * (20 + 16);

  private static ByteBuffer begin(String objective, String booster) {
    ByteBuffer file = ByteBuffer.allocate(2_000).order(ByteOrder.LITTLE_ENDIAN);
    file.putFloat(0, 0.5f).putInt(4, 2).putInt(20, 1).putInt(24, 7).position(OBJECTIVE);
    for (String name : List.of(objective, booster)) {
      file.putLong(name.length()).put(name.getBytes(StandardCharsets.US_ASCII));
    }
    return file;
  }

  private static void putNode(ByteBuffer file, int left, int right, int split, float value) {
    file.putInt(-1).putInt(left).putInt(right).putInt(split).putFloat(value);
  }

  /** One tree: below 2.5 on feature 1, or missing, is 10, else 300. */
  private static void putTrees(ByteBuffer file) {
    int booster = file.position();
    file.putInt(booster, 1).position(booster + 160);
    int tree = file.position();
    file.putInt(tree, 1).putInt(tree + 4, 3).position(tree + 148);
    putNode(file, 1, 2, 1 | DEFAULT_LEFT, 2.5f);
    putNode(file, -1, -1, 0, 10);
    putNode(file, -1, -1, 0, 300);
    file.position(file.position() + 3 * 16);
    file.putInt(0);
  }

  private static byte[] stump(String objective) {
    ByteBuffer file = begin(objective, "gbtree");
    putTrees(file);
    return bytes(file);
  }

  /** As a file with attributes has them behind the trees. */
  private static byte[] withAttributes(String... pairs) {
    ByteBuffer file = begin("reg:squarederror", "gbtree");
    file.putInt(12, 1);
    putTrees(file);
    file.putLong(pairs.length / 2);
    for (String text : pairs) {
      file.putLong(text.length()).put(text.getBytes(StandardCharsets.ISO_8859_1));
    }
    return bytes(file);
  }

  private static byte[] stump() {
    return stump("reg:squarederror");
  }

  private static byte[] bytes(ByteBuffer file) {
    return Arrays.copyOf(file.array(), file.position());
  }

  private static TreeEnsemble read(byte[] file) {
    return ModelReader.read(file, ModelFormat.AUTO, EnsembleLimits.DEFAULT);
  }

  private static void refused(byte[] file, int at, String message) {
    InvalidModelException e = assertThrows(InvalidModelException.class, () -> read(file));
    assertEquals("byte " + at + ": " + message, e.getMessage());
  }

  private static byte[] with(int at, int value) {
    byte[] file = stump();
    ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
    return file;
  }

  private static void refused(int at, int value, int place, String message) {
    refused(with(at, value), place, message);
  }

  @Test
  void plain() {
    TreeEnsemble ensemble = read(stump());
    assertEquals("xgboost_binary", ensemble.source().format().label());
    assertEquals("1.7", ensemble.source().version());
    assertEquals("reg:squarederror", ensemble.source().objective());
    assertEquals(List.of("f0", "f1"), ensemble.featureNames());
    assertEquals(Accumulator.FLOAT, ensemble.accumulator());
    assertEquals(10.5, score(ensemble, 9, Math.nextDown(2.5f)));
    assertEquals(300.5, score(ensemble, 9, 2.5f));
    assertEquals(10.5, score(ensemble, 9, Float.NaN));
    assertEquals(300.5, score(read(with(NODES + 12, 1)), 9, Float.NaN), "the other way");
    byte[] marked = new byte[4 + stump().length];
    System.arraycopy("binf".getBytes(StandardCharsets.US_ASCII), 0, marked, 0, 4);
    System.arraycopy(stump(), 0, marked, 4, stump().length);
    assertEquals(10.5, score(read(marked), 9, 0));
    // What else follows the trees is of no interest.
    assertEquals(10.5, score(read(Arrays.copyOf(stump(), 1_000)), 9, 0));
  }

  @Test
  void attributes() {
    TreeEnsemble whole = read(withAttributes("\u00ff", "x", "best_iteration", "0"));
    assertEquals(List.of(), whole.source().notes());
    assertEquals(10.5, score(whole, 9, 0));
    byte[] two = withAttributes("best_iteration", "0");
    int end = TREE_INFO + 4;
    refused(Arrays.copyOf(two, end), end, "attributes: needs 8 bytes, but only 0 are left");
    refused(
        Arrays.copyOf(two, end + 20), end + 16, "attribute: needs 14 bytes, but only 4 are left");
  }

  @Test
  void earlyStopping() {
    ByteBuffer file = begin("reg:squarederror", "gbtree");
    file.putInt(12, 1);
    int booster = file.position();
    putTrees(file);
    byte[] one = bytes(file);
    // The same tree twice.
    file = ByteBuffer.allocate(2_000).order(ByteOrder.LITTLE_ENDIAN);
    file.put(one, 0, one.length - 4).put(one, TREE, one.length - 4 - TREE).putLong(0);
    file.putInt(booster, 2);
    file.putLong(1);
    for (String text : List.of("best_iteration", "0")) {
      file.putLong(text.length()).put(text.getBytes(StandardCharsets.US_ASCII));
    }
    TreeEnsemble stopped = read(bytes(file));
    assertEquals(20.5, score(stopped, 9, 0));
    String note = stopped.source().notes().getFirst();
    assertTrue(note.contains("the first 1 of 2 iterations"), note);
  }

  @Test
  void childrenApart() {
    byte[] file = with(NODES + 4, 2);
    ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putInt(NODES + 8, 1);
    TreeEnsemble ensemble = read(file);
    assertEquals(300.5, score(ensemble, 9, 0));
    assertEquals(10.5, score(ensemble, 9, 9));
    assertEquals(1, ensemble.source().notes().size());
  }

  @Test
  void learner() {
    refused(4, -1, 4, "num_feature: -1, expected 0..2147483647");
    refused(4, 1_048_577, 4, "num_feature: 1048577, at most 1048576 allowed");
    TreeEnsemble wide = read(with(4, 1_048_576));
    assertEquals("f1048575", wide.featureNames().getLast());
    refused(
        8,
        2,
        8,
        "num_class 2, reg:squarederror: several outputs; choose one with ?output=K / --output-index"
            + " K, K from 0 to 1");
    refused(8, -1, 8, "num_class: -1, expected 0..2147483647");
    refused(20, 1_001, 20, "version: 1001, expected 0..1000");
    refused(24, -1, 24, "version: -1, expected 0..1000");
    refused(
        28,
        2,
        28,
        "num_target 2, reg:squarederror: several outputs; choose one with ?output=K /"
            + " --output-index K, K from 0 to 1");
    refused(
        0,
        Float.floatToIntBits(Float.NaN),
        0,
        "base_score: NaN has no finite raw score for this objective");
    assertEquals("1000.7", read(with(20, 1_000)).source().version());
    assertEquals(10.5, score(read(with(8, 1)), 9, 0));
    assertEquals(10.5, score(read(with(28, 1)), 9, 0));
    assertEquals(100_000, read(with(4, 100_000)).featureNames().size());
  }

  @Test
  void names() {
    refused(stump("reg:squarederroR"), OBJECTIVE, "objective: XGBoost has no such objective");
    refused(stump("o".repeat(64)), OBJECTIVE, "objective: XGBoost has no such objective");
    assertFalse(XGBoostBinaryReader.recognises(BoundedInput.of(stump("o".repeat(65)))));
    assertTrue(XGBoostBinaryReader.recognises(BoundedInput.of(stump("o"))));
    byte[] later = with(BOOSTER - 6, 0x78787878);
    assertFalse(XGBoostBinaryReader.recognises(BoundedInput.of(later)), "another booster");
    for (int length : new int[] {0, 65}) {
      byte[] file = with(OBJECTIVE, length);
      assertFalse(XGBoostBinaryReader.recognises(BoundedInput.of(file)));
      InvalidModelException e =
          assertThrows(
              InvalidModelException.class,
              () ->
                  ModelReader.read(
                      file, ModelFormats.of("xgboost_binary"), EnsembleLimits.DEFAULT));
      assertEquals(
          "byte 136: objective: the name has " + length + " bytes, expected 1..64", e.getMessage());
    }
    byte[] other = bytes(begin("reg:squarederror", "gbforest"));
    InvalidModelException e =
        assertThrows(
            InvalidModelException.class,
            () ->
                ModelReader.read(other, ModelFormats.of("xgboost_binary"), EnsembleLimits.DEFAULT));
    assertEquals("byte 176: booster: expected gbtree, dart or gblinear", e.getMessage());
  }

  @Test
  void truncations() {
    String[] messages = new String[TREE_INFO + 4];
    Arrays.fill(messages, 0, OBJECTIVE, "byte 0: learner: needs 136 bytes, but only ");
    Arrays.fill(
        messages, OBJECTIVE, OBJECTIVE + 8, "byte 136: objective: needs 8 bytes, but only ");
    Arrays.fill(
        messages, OBJECTIVE + 8, OBJECTIVE + 24, "byte 144: objective: needs 16 bytes, but only ");
    Arrays.fill(
        messages, OBJECTIVE + 24, OBJECTIVE + 32, "byte 160: booster: needs 8 bytes, but only ");
    Arrays.fill(messages, OBJECTIVE + 32, BOOSTER, "byte 168: booster: needs 6 bytes, but only ");
    Arrays.fill(
        messages, BOOSTER, TREE, "byte " + BOOSTER + ": booster: needs 160 bytes, but only ");
    Arrays.fill(
        messages, TREE, NODES, "byte " + TREE + ": tree 0, header: needs 148 bytes, but only ");
    Arrays.fill(
        messages,
        NODES,
        TREE_INFO,
        "byte " + NODES + ": tree 0, 3 nodes: needs 108 bytes, but only ");
    Arrays.fill(
        messages,
        TREE_INFO,
        TREE_INFO + 4,
        "byte " + TREE_INFO + ": tree_info: needs 4 bytes, but only ");
    for (int length = 0; length < messages.length; length++) {
      byte[] cut = Arrays.copyOf(stump(), length);
      InvalidModelException e =
          assertThrows(
              InvalidModelException.class,
              () ->
                  ModelReader.read(cut, ModelFormats.of("xgboost_binary"), EnsembleLimits.DEFAULT));
      int start = Integer.parseInt(messages[length].split("[ :]")[1]);
      assertEquals(messages[length] + (length - start) + " are left", e.getMessage());
    }
  }

  @Test
  void trees() {
    refused(BOOSTER, -1, BOOSTER, "num_trees: -1, expected 0..100000");
    refused(BOOSTER + 24, 2, BOOSTER + 24, "num_output_group: found 2, expected 1");
    assertEquals(10.5, score(read(with(BOOSTER + 24, 1)), 9, 0));
    String header = "tree 0, expected one root, at least one node, and one value per leaf";
    refused(TREE, 2, TREE, header);
    refused(TREE + 4, 0, TREE, header);
    refused(TREE + 20, 2, TREE, header);
    assertEquals(10.5, score(read(with(TREE + 20, 1)), 9, 0));
    refused(TREE + 4, 50_000_001, TREE + 4, "tree 0, num_nodes: 50000001, expected 0..50000000");
    refused(TREE + 4, 4, NODES, "tree 0, 4 nodes: needs 144 bytes, but only 112 are left");
    refused(TREE_INFO, 1, TREE_INFO, "tree_info: tree 0, output: 1, expected 0..0");
    refused(NODES + 8, -1, NODES, "tree 0, node 0: found one child, expected none or two");
    refused(NODES + 24, 2, NODES + 20, "tree 0, node 1: found one child, expected none or two");
    refused(NODES + 12, 2, TREE, "tree 0, node 0: feature 2, expected 0..1");
    refused(NODES + 4, 3, TREE, "tree 0, node 0: left child 3, expected 0..2");
  }

  /** Pruning leaves the slots of what it took out, marked by a feature of all ones. */
  @Test
  void deletedNodes() {
    ByteBuffer file = begin("reg:squarederror", "gbtree");
    int booster = file.position();
    file.putInt(booster, 2).position(booster + 160);
    for (int tree = 0; tree < 2; tree++) {
      int at = file.position();
      file.putInt(at, 1).putInt(at + 4, 3).position(at + 148);
      putNode(file, -1, -1, 0, 7 + tree);
      putNode(file, 5, -1, -1, 0);
      putNode(file, -1, -1, -1, 0);
      file.position(file.position() + 3 * 16);
    }
    int info = file.position();
    file.putInt(0).putInt(0);
    TreeEnsemble ensemble = read(bytes(file));
    assertEquals(2, ensemble.trees().size());
    assertEquals(15.5, score(ensemble, 1, 1));
    file.putInt(info + 4, 1);
    refused(bytes(file), info + 4, "tree_info: tree 1, output: 1, expected 0..0");
  }

  @Test
  void dart() {
    ByteBuffer file = begin("binary:logistic", "dart");
    putTrees(file);
    int weights = file.position();
    file.putLong(1).putFloat(0.25f);
    TreeEnsemble ensemble = read(bytes(file));
    assertEquals(Kind.SIGMOID_FLOAT, ensemble.transform().kind());
    assertEquals(2.5, score(ensemble, 0, 0));
    assertEquals(75, score(ensemble, 0, 9));
    file.putLong(weights, 2);
    refused(bytes(file), weights, "weight_drop: found 2 weights, expected 1");
    file.position(weights + 11).putLong(weights, 1);
    refused(bytes(file), weights + 8, "weight_drop: needs 4 bytes, but only 3 are left");
  }

  @Test
  void linear() {
    ByteBuffer file = begin("reg:squarederror", "gblinear");
    int start = file.position();
    file.position(start + 136);
    file.putLong(3).putFloat(2).putFloat(-3).putFloat(0.25f);
    TreeEnsemble ensemble = read(bytes(file));
    assertEquals(0.75 + 2 * 4 - 3 * 5, score(ensemble, 4, 5));
    file.putInt(start + 4, 1);
    assertEquals(0.75, score(read(bytes(file)), 0, 0));
    file.putInt(start + 4, 2);
    refused(bytes(file), start + 4, "num_output_group: found 2, expected 1");
    file.putInt(start + 4, 0).putLong(start + 136, 2);
    refused(bytes(file), start + 136, "weights: found 2 weights, expected 3");
  }

  /** Before 1.0 the file has no version, and a base score that is raw already. */
  @Test
  void filesWithoutVersion() {
    byte[] file = stump("binary:logistic");
    ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putInt(20, 0).putFloat(0, 1.25f);
    TreeEnsemble ensemble = read(file);
    assertEquals("", ensemble.source().version());
    assertEquals(1.25, ensemble.initialScore(), 1e-6);
    byte[] later = stump("binary:logistic");
    ByteBuffer.wrap(later).order(ByteOrder.LITTLE_ENDIAN).putFloat(0, 1.25f);
    refused(later, 0, "base_score: 1.25, expected a probability");
  }
}

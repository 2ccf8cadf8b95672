// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;

/** An XGBoost model of random trees in Universal Binary JSON, with typed arrays as XGBoost's. */
final class UbjsonFile {
  private final int trees;
  private final int leaves;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);

  UbjsonFile(int trees, int leaves) {
    this.trees = trees;
    this.leaves = leaves;
  }

  byte[] write() {
    try {
      document();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private void document() throws IOException {
    open("");
    open("learner");
    open("gradient_booster");
    open("model");
    array("tree_info", 'l', trees, i -> 0);
    key("trees");
    out.writeByte('[');
    SplittableRandom random = new SplittableRandom(1);
    for (int t = 0; t < trees; t++) {
      tree(RandomTree.of(random, leaves));
    }
    out.writeByte(']');
    close();
    text("name", "gbtree");
    close();
    open("learner_model_param");
    text("base_score", "5E-1");
    text("num_class", "0");
    text("num_feature", String.valueOf(RandomTree.FEATURES));
    close();
    open("objective");
    text("name", "rank:ndcg");
    close();
    close();
    close();
  }

  private void tree(RandomTree tree) throws IOException {
    int splits = tree.splits();
    int nodes = tree.nodes();
    open("");
    array("base_weights", 'd', nodes, i -> bits(0.01));
    array("default_left", 'U', nodes, i -> i & 1);
    array("left_children", 'l', nodes, i -> i < splits ? tree.node(tree.left()[i]) : -1);
    array("loss_changes", 'd', nodes, i -> bits(1000.0 / (i + 1)));
    int[] parents = tree.parents();
    array("parents", 'l', nodes, i -> parents[i]);
    array("right_children", 'l', nodes, i -> i < splits ? tree.node(tree.right()[i]) : -1);
    array(
        "split_conditions",
        'd',
        nodes,
        i -> bits(i < splits ? tree.threshold()[i] : tree.value()[i - splits]));
    array("split_indices", 'l', nodes, i -> i < splits ? tree.feature()[i] : 0);
    array("split_type", 'U', nodes, i -> 0);
    array("sum_hessian", 'd', nodes, i -> bits(5000 - i));
    open("tree_param");
    text("num_nodes", String.valueOf(nodes));
    text("size_leaf_vector", "1");
    close();
    close();
  }

  private static int bits(double value) {
    return Float.floatToRawIntBits((float) value);
  }

  /** Begins an object, as the value of a name unless that is empty. */
  private void open(String name) throws IOException {
    if (!name.isEmpty()) {
      key(name);
    }
    out.writeByte('{');
  }

  private void close() throws IOException {
    out.writeByte('}');
  }

  private void key(String name) throws IOException {
    byte[] ascii = name.getBytes(StandardCharsets.US_ASCII);
    out.writeByte('L');
    out.writeLong(ascii.length);
    out.write(ascii);
  }

  private void text(String name, String value) throws IOException {
    key(name);
    out.writeByte('S');
    key(value);
  }

  /** An array of one type whose elements are given as ints, or as the bits of floats. */
  private void array(String name, char type, int count, IntUnaryOperator element)
      throws IOException {
    key(name);
    out.writeBytes("[$" + type + "#L");
    out.writeLong(count);
    for (int i = 0; i < count; i++) {
      if (type == 'U') {
        out.writeByte(element.applyAsInt(i));
      } else {
        out.writeInt(element.applyAsInt(i));
      }
    }
  }
}

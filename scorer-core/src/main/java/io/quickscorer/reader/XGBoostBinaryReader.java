// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat.Trait;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.NumberedNames;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.common.FormatReader;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.input.IntList;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads XGBoost's binary file, which {@code save_model} up to 2.x wrote if the file name had no
 * known suffix: little-endian structures, one after the other. A node of a tree has 20 bytes.
 *
 * <p>Versions before 1.0 saved the base score as a raw score, and their files contain no version.
 */
final class XGBoostBinaryReader {
  /**
   * The format of XGBoost's binary file, up to 2.x. The bytes that identify it are far from the
   * start of the file. So all formats that are recognised by their first bytes are tested before
   * this format.
   */
  public static final FormatReader FORMAT =
      FormatReader.of(
              "xgboost_binary",
              "XGBoost",
              (input, limits, options) -> new XGBoostBinaryReader(input, limits, options).read())
          .startingAs(XGBoostBinaryReader::recognises)
          .with(Trait.ABSENT_IS_MISSING);

  private static final String MAGIC = "binf";
  private static final int LEARNER_BYTES = 136;
  private static final int BOOSTER_BYTES = 160;
  private static final int LINEAR_BYTES = 136;
  private static final int TREE_BYTES = 148;
  private static final int NODE_BYTES = 20;
  private static final int STATISTICS_BYTES = 16;
  private static final int MAX_NAME = 64;
  private static final int DEFAULT_LEFT = 1 << 31;

  private final BoundedInput input;
  private final EnsembleLimits limits;
  private final ByteBuffer buffer;
  private final XGBoostOutputs outputs;

  private XGBoostBinaryReader(BoundedInput input, EnsembleLimits limits, ReadOptions options) {
    this.outputs = new XGBoostOutputs(options);
    this.input = input;
    this.limits = limits;
    this.buffer = ByteBuffer.wrap(input.bytes()).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Returns whether the names of an objective and a booster are at the positions where XGBoost's
   * binary file has them.
   */
  static boolean recognises(BoundedInput input) {
    int start = input.startsWith(0, MAGIC) ? MAGIC.length() : 0;
    int name = start + LEARNER_BYTES;
    int length = input.at(name);
    if (length < 1 || length > MAX_NAME || input.at(name + 7) != 0) {
      return false;
    }
    int booster = name + Long.BYTES + length + Long.BYTES;
    return input.startsWith(booster, "gbtree")
        || input.startsWith(booster, "dart")
        || input.startsWith(booster, "gblinear");
  }

  private TreeEnsemble read() {
    if (input.startsWith(0, MAGIC)) {
      buffer.position(MAGIC.length());
    }
    int start = need(LEARNER_BYTES, "learner");
    float savedScore = buffer.getFloat(start);
    int features = range("num_feature", start + 4, Integer.MAX_VALUE);
    limits.check("num_feature", features, Limit.FEATURES, start + 4);
    outputs.classes(range("num_class", start + 8, Integer.MAX_VALUE), start + 8);
    int major = range("version", start + 20, 1_000);
    outputs.targets(range("num_target", start + 28, Integer.MAX_VALUE), start + 28);
    int nameOffset = buffer.position();
    String objective = name("objective");
    XGBoostObjective known = XGBoostObjective.of(objective, nameOffset);
    String booster = name("booster");
    // Later versions convert such a raw score to a prediction and back. The same conversion here
    // makes scores bit-identical.
    float score = major == 0 ? (float) known.transform().apply(savedScore) : savedScore;
    // No version that writes such files limits the base score.
    float margin = known.baseMargin(score, false, start);
    // The outputs of the trees follow the trees in the file, and are checked after the trees are
    // read.
    outputs.settle(objective, known, nameOffset);
    String version = major == 0 ? "" : major + "." + range("version", start + 24, 1_000);
    boolean linear = booster.equals("gblinear");
    if (!linear && !booster.equals("gbtree") && !booster.equals("dart")) {
      throw failure(buffer.position(), "booster: expected gbtree, dart or gblinear");
    }
    List<XGBoostTree> trees = linear ? List.of() : readTrees();
    float[] weights = booster.equals("dart") ? floats("weight_drop", trees.size()) : new float[0];
    if (!linear && buffer.getInt(start + 12) != 0) {
      readAttributes();
    }
    List<String> notes = outputs.notes(known, trees.size() / outputs.count());
    notes.addAll(XGBoostTree.notes(trees));
    TreeEnsemble.Builder ensemble =
        TreeEnsemble.builder(
                NumberedNames.indexed(features),
                new ModelSource(FORMAT.format(), version, objective, notes))
            .accumulator(Accumulator.FLOAT)
            .transform(known.transform());
    return linear
        ? readLinear(ensemble, features, margin)
        : build(ensemble.initialScore(margin), trees, weights, features);
  }

  /** Reads the attributes after the trees: names and values, each preceded by its length. */
  private void readAttributes() {
    long pairs = buffer.getLong(need(Long.BYTES, "attributes"));
    for (long pair = 0; pair < pairs; pair++) {
      int key = needText("attribute");
      boolean best =
          buffer.position() - key == XGBoostOutputs.BEST.length()
              && input.startsWith(key, XGBoostOutputs.BEST);
      int value = needText("attribute's value");
      if (best) {
        outputs.best(input.text(value, buffer.position()));
      }
    }
  }

  /** Skips a length and the text that follows it. Returns the byte offset of the text. */
  private int needText(String what) {
    long length = buffer.getLong(need(Long.BYTES, what));
    return need(Math.clamp(length, 0, Integer.MAX_VALUE), what);
  }

  private TreeEnsemble readLinear(TreeEnsemble.Builder ensemble, int features, float margin) {
    int start = need(LINEAR_BYTES, "gblinear");
    checkGroups(start + 4);
    long count = (features + 1L) * outputs.count();
    float[] weights = floats("weights", (int) Math.min(count, Integer.MAX_VALUE));
    IntList bits = new IntList();
    for (float weight : weights) {
      bits.add(Float.floatToRawIntBits(weight));
    }
    return XGBoostLinear.build(ensemble, bits, features, outputs, margin, start);
  }

  private TreeEnsemble build(
      TreeEnsemble.Builder ensemble, List<XGBoostTree> trees, float[] weights, int features) {
    TreeBuilder builder = new TreeBuilder(limits, features, true);
    List<Tree> built = new ArrayList<>(trees.size());
    for (int i = 0; i < trees.size(); i++) {
      if (outputs.takes(i)) {
        built.add(trees.get(i).build(builder, i, weights.length == 0 ? 1f : weights[i]));
      }
    }
    return ensemble.trees(built).build();
  }

  private List<XGBoostTree> readTrees() {
    int start = need(BOOSTER_BYTES, "booster");
    int count = range("num_trees", start, limits.maxTrees());
    checkGroups(start + 24);
    List<XGBoostTree> trees = new ArrayList<>();
    for (int tree = 0; tree < count; tree++) {
      trees.add(readTree(tree));
    }
    int info = need(Math.multiplyExact(count, Integer.BYTES), "tree_info");
    for (int tree = 0; tree < count; tree++) {
      int at = info + tree * Integer.BYTES;
      int last = outputs.count() - 1;
      outputs.groups().add(range("tree_info: tree " + tree + ", output", at, last));
    }
    return trees;
  }

  /** Checks that the field {@code num_output_group} is 0, 1 or the number of outputs. */
  private void checkGroups(int offset) {
    int groups = Math.max(1, range("num_output_group", offset, Integer.MAX_VALUE));
    if (groups != 1 && groups != outputs.count()) {
      throw failure(offset, "num_output_group: found " + groups + ", expected " + outputs.count());
    }
  }

  private XGBoostTree readTree(int tree) {
    String place = "tree " + tree + ", ";
    int start = need(TREE_BYTES, place + "header");
    int roots = buffer.getInt(start);
    int count = range(place + "num_nodes", start + 4, limits.maxNodes());
    int leafVector = range(place + "size_leaf_vector", start + 20, Integer.MAX_VALUE);
    if (roots != 1 || count == 0 || leafVector > 1) {
      throw failure(start, place + "expected one root, at least one node, and one value per leaf");
    }
    long nodeBytes = (long) count * (NODE_BYTES + STATISTICS_BYTES);
    int at = need((int) Math.min(nodeBytes, Integer.MAX_VALUE), place + count + " nodes");
    int[] left = new int[count];
    int[] right = new int[count];
    int[] features = new int[count];
    int[] conditions = new int[count];
    byte[] defaultLeft = new byte[count];
    int[] covers = new int[count];
    int[] gains = new int[count];
    for (int node = 0; node < count; node++, at += NODE_BYTES) {
      left[node] = buffer.getInt(at + 4);
      right[node] = buffer.getInt(at + 8);
      int split = buffer.getInt(at + 12);
      boolean deleted = split == -1;
      features[node] = deleted ? XGBoostTree.DELETED : split & ~DEFAULT_LEFT;
      defaultLeft[node] = (byte) (split < 0 ? 1 : 0);
      conditions[node] = buffer.getInt(at + 16);
      if (!deleted && (left[node] < 0) != (right[node] < 0)) {
        throw failure(at, place + "node " + node + ": found one child, expected none or two");
      }
    }
    for (int node = 0; node < count; node++, at += STATISTICS_BYTES) {
      gains[node] = buffer.getInt(at);
      covers[node] = buffer.getInt(at + 4);
    }
    return new XGBoostTree(
        start, left, right, features, conditions, defaultLeft, new CategorySet[0], covers, gains);
  }

  /** Reads an array of {@code expected} floats, which is preceded by its length. */
  private float[] floats(String what, int expected) {
    int start = need(Long.BYTES, what);
    if (expected < 0 || buffer.getLong(start) != expected) {
      throw failure(
          start, what + ": found " + buffer.getLong(start) + " weights, expected " + expected);
    }
    long bytes = (long) expected * Float.BYTES;
    int at = need((int) Math.min(bytes, Integer.MAX_VALUE), what);
    float[] floats = new float[expected];
    for (int i = 0; i < expected; i++) {
      floats[i] = buffer.getFloat(at + i * Float.BYTES);
    }
    return floats;
  }

  private String name(String what) {
    int start = need(Long.BYTES, what);
    long length = buffer.getLong(start);
    if (length < 1 || length > MAX_NAME) {
      throw failure(start, what + ": the name has " + length + " bytes, expected 1.." + MAX_NAME);
    }
    int at = need((int) length, what);
    return input.text(at, Math.addExact(at, (int) length));
  }

  private int range(String what, int offset, int max) {
    int value = buffer.getInt(offset);
    if (value < 0 || value > max) {
      throw failure(offset, what + ": " + value + ", expected 0.." + max);
    }
    return value;
  }

  /**
   * Skips {@code bytes} bytes, which the file must have. Returns the offset of the first skipped
   * byte.
   */
  private int need(int bytes, String what) {
    int start = buffer.position();
    if (buffer.remaining() < bytes) {
      throw failure(
          start,
          what + ": needs " + bytes + " bytes, but only " + buffer.remaining() + " are left");
    }
    buffer.position(Math.addExact(start, bytes));
    return start;
  }

  private static InvalidModelException failure(int offset, String what) {
    return InvalidModelException.at(offset, what);
  }
}

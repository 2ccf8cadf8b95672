// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.compact;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.DerivedColumns;
import io.quickscorer.ensemble.LinearTerms;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.NodeStatistics;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Writes an ensemble in our own binary format, from which {@link ModelReader} makes one that is
 * equal in every part: scores, names, statistics, and where it came from. Stateless.
 */
public final class CompactModelWriter {
  private static final int MAX_BYTES = Integer.MAX_VALUE - 64;

  /** One section: its size is known before it is written. */
  private record Section(int id, boolean required, long bytes, Consumer<ByteBuffer> content) {}

  private final TreeEnsemble ensemble;
  private final List<Tree> trees;
  private final List<Section> sections = new ArrayList<>();

  private CompactModelWriter(TreeEnsemble ensemble) {
    this.ensemble = ensemble;
    this.trees = ensemble.trees();
  }

  /**
   * The file's bytes.
   *
   * @throws IllegalArgumentException if they were more than 2 GiB
   */
  public static byte[] write(TreeEnsemble ensemble) {
    return new CompactModelWriter(ensemble).write();
  }

  private byte[] write() {
    describe();
    nodes();
    leaves();
    categories();
    statistics();
    terms();
    if (ensemble.hasLinearLeaves()) {
      required(
          CompactLayout.LINEAR_LEAVES,
          CompactLinearLeaves.bytes(trees),
          to -> CompactLinearLeaves.write(trees, to));
    }
    DerivedColumns derived = ensemble.derived();
    if (derived != null) {
      required(
          CompactLayout.DERIVED,
          CompactDerived.bytes(derived),
          to -> CompactDerived.write(derived, to));
    }
    optional(
        CompactLayout.CATEGORIES,
        CompactCategories.bytes(ensemble.categories()),
        to -> CompactCategories.write(ensemble.categories(), to));
    long bytes = CompactLayout.HEADER_BYTES + (long) sections.size() * CompactLayout.ENTRY_BYTES;
    for (Section section : sections) {
      bytes = aligned(bytes) + section.bytes;
    }
    if (bytes > MAX_BYTES) {
      throw new IllegalArgumentException("the model takes " + bytes + " bytes, at most 2 GiB");
    }
    ByteBuffer file = ByteBuffer.allocate((int) bytes).order(ByteOrder.LITTLE_ENDIAN);
    file.putLong(CompactLayout.MAGIC).putInt(CompactLayout.VERSION).putInt(0).putLong(bytes);
    file.putInt(sections.size()).putInt(0);
    long offset = CompactLayout.HEADER_BYTES + (long) sections.size() * CompactLayout.ENTRY_BYTES;
    for (Section section : sections) {
      offset = aligned(offset);
      file.putInt(section.id).putInt(section.required ? CompactLayout.REQUIRED : 0);
      file.putLong(offset).putLong(section.bytes);
      section.content.accept(
          file.slice((int) offset, (int) section.bytes).order(ByteOrder.LITTLE_ENDIAN));
      offset += section.bytes;
    }
    file.putInt(CompactLayout.CHECKSUM_AT, CompactLayout.checksum(file.clear()));
    return file.array();
  }

  private static long aligned(long offset) {
    return (offset + CompactLayout.ALIGNMENT - 1) & -CompactLayout.ALIGNMENT;
  }

  private void required(int id, long bytes, Consumer<ByteBuffer> content) {
    sections.add(new Section(id, true, bytes, content));
  }

  private void optional(int id, long bytes, Consumer<ByteBuffer> content) {
    if (bytes > 0) {
      sections.add(new Section(id, false, bytes, content));
    }
  }

  private void describe() {
    OutputTransform transform = ensemble.transform();
    double[] scalars = new double[CompactLayout.Scalar.values().length];
    scalars[CompactLayout.Scalar.INITIAL_SCORE.ordinal()] = ensemble.initialScore();
    scalars[CompactLayout.Scalar.SCALE.ordinal()] = ensemble.scale();
    scalars[CompactLayout.Scalar.BIAS.ordinal()] = ensemble.bias();
    scalars[CompactLayout.Scalar.TRANSFORM_PARAMETER.ordinal()] = transform.parameter();
    scalars[CompactLayout.Scalar.TRANSFORM_DIVISOR.ordinal()] = transform.divisor();
    required(
        CompactLayout.SCALARS,
        (long) scalars.length * Double.BYTES,
        to -> to.asDoubleBuffer().put(scalars));
    if (ensemble.isBagged()) {
      int[] bags = ensemble.treesPerBag();
      required(CompactLayout.BAGS, 4L * bags.length, to -> to.asIntBuffer().put(bags));
    }
    if (ensemble.divisor() != 1) {
      required(CompactLayout.DIVISOR, Integer.BYTES, to -> to.putInt(ensemble.divisor()));
    }
    strings(
        CompactLayout.ARITHMETIC, List.of(ensemble.accumulator().name(), transform.kind().name()));
    ModelSource source = ensemble.source();
    List<String> texts = new ArrayList<>();
    texts.add(source.format().label());
    texts.add(source.version());
    texts.add(source.objective());
    texts.addAll(source.notes());
    strings(CompactLayout.SOURCE, texts);
    strings(CompactLayout.NAMES, ensemble.featureNames());
  }

  private void strings(int id, List<String> texts) {
    List<byte[]> encoded = new ArrayList<>(texts.size());
    long bytes = Integer.BYTES;
    for (String text : texts) {
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      encoded.add(utf8);
      bytes += Integer.BYTES + utf8.length;
    }
    required(
        id,
        bytes,
        to -> {
          to.putInt(encoded.size());
          encoded.forEach(utf8 -> to.putInt(utf8.length).put(utf8));
        });
  }

  private void nodes() {
    long splits = ensemble.shape().splits();
    required(
        CompactLayout.TREES,
        (long) trees.size() * Integer.BYTES,
        to -> trees.forEach(tree -> to.putInt(tree.splits())));
    required(CompactLayout.NODES, splits, to -> eachSplit((tree, s) -> to.put(bits(tree, s))));
    required(
        CompactLayout.FEATURES,
        splits * Integer.BYTES,
        to -> eachSplit((tree, s) -> to.putInt(tree.feature(s))));
    required(
        CompactLayout.THRESHOLDS,
        splits * Float.BYTES,
        to ->
            eachSplit(
                (tree, s) -> to.putFloat(tree.categories(s) == null ? tree.threshold(s) : 0)));
  }

  private interface SplitAction {
    void accept(Tree tree, int split);
  }

  private void eachSplit(SplitAction action) {
    for (Tree tree : trees) {
      for (int split = 0; split < tree.splits(); split++) {
        action.accept(tree, split);
      }
    }
  }

  private static byte bits(Tree tree, int split) {
    int bits = tree.left(split) < 0 ? CompactLayout.LEFT_LEAF : 0;
    bits |= tree.right(split) < 0 ? CompactLayout.RIGHT_LEAF : 0;
    MissingValue missing = tree.missing(split);
    bits |= missing.left() ? CompactLayout.MISSING_LEFT : 0;
    bits |= missing.zeroIsMissing() ? CompactLayout.ZERO_MISSING : 0;
    CategorySet set = tree.categories(split);
    if (set != null) {
      bits |= CompactLayout.CATEGORICAL;
      bits |= set.rounding() == CategorySet.Rounding.TOWARD_ZERO ? CompactLayout.TOWARD_ZERO : 0;
    }
    return (byte) bits;
  }

  private void leaves() {
    boolean floats = true;
    for (Tree tree : trees) {
      for (int leaf = 0; leaf < tree.leaves(); leaf++) {
        floats &= isFloat(tree.leafValue(leaf));
      }
    }
    long leaves = ensemble.shape().leaves();
    if (floats) {
      required(
          CompactLayout.FLOAT_LEAVES,
          leaves * Float.BYTES,
          to -> eachLeaf((tree, leaf) -> to.putFloat((float) tree.leafValue(leaf))));
    } else {
      required(
          CompactLayout.DOUBLE_LEAVES,
          leaves * Double.BYTES,
          to -> eachLeaf((tree, leaf) -> to.putDouble(tree.leafValue(leaf))));
    }
  }

  private static boolean isFloat(double value) {
    return (float) value == value;
  }

  private void eachLeaf(SplitAction action) {
    for (Tree tree : trees) {
      for (int leaf = 0; leaf < tree.leaves(); leaf++) {
        action.accept(tree, leaf);
      }
    }
  }

  private void categories() {
    if (ensemble.shape().categoricalSplits() == 0) {
      return;
    }
    List<long[]> bitmaps = new ArrayList<>();
    List<int[]> places = new ArrayList<>();
    BitSet sparse = new BitSet();
    long[] words = new long[2];
    eachSplit(
        (tree, split) -> {
          CategorySet set = tree.categories(split);
          if (set != null) {
            sparse.set(bitmaps.size(), set.isSparse());
            bitmaps.add(set.words());
            words[0] += bitmaps.getLast().length;
            if (set.isSparse()) {
              places.add(set.places());
              words[1] += places.getLast().length;
            }
          }
        });
    required(
        CompactLayout.SET_WORDS,
        (long) bitmaps.size() * Integer.BYTES,
        to -> {
          for (int set = 0; set < bitmaps.size(); set++) {
            int length = bitmaps.get(set).length;
            to.putInt(sparse.get(set) ? ~length : length);
          }
        });
    if (!places.isEmpty()) {
      required(
          CompactLayout.SET_PLACES,
          words[1] * Integer.BYTES,
          to -> places.forEach(of -> Arrays.stream(of).forEach(to::putInt)));
    }
    required(
        CompactLayout.SET_BITMAPS,
        words[0] * Long.BYTES,
        to -> {
          for (long[] bitmap : bitmaps) {
            for (long word : bitmap) {
              to.putLong(word);
            }
          }
        });
  }

  private void statistics() {
    byte[] kinds = new byte[trees.size()];
    long floatCovers = 0;
    long doubleCovers = 0;
    long gains = 0;
    for (int t = 0; t < kinds.length; t++) {
      Tree tree = trees.get(t);
      long nodes = (long) tree.splits() + tree.leaves();
      if (tree.statistics().hasCovers()) {
        boolean floats = coversAreFloats(tree);
        kinds[t] |=
            (byte) (floats ? CompactLayout.FLOAT_COVERS_BIT : CompactLayout.DOUBLE_COVERS_BIT);
        floatCovers += floats ? nodes : 0;
        doubleCovers += floats ? 0 : nodes;
      }
      if (tree.splits() > 0 && tree.statistics().hasGains()) {
        kinds[t] |= CompactLayout.GAINS_BIT;
        gains += tree.splits();
      }
    }
    boolean any = floatCovers + doubleCovers + gains > 0;
    optional(CompactLayout.STATISTICS, any ? kinds.length : 0, to -> to.put(kinds));
    optional(
        CompactLayout.FLOAT_COVERS,
        floatCovers * Float.BYTES,
        to -> covers(kinds, CompactLayout.FLOAT_COVERS_BIT, c -> to.putFloat((float) c)));
    optional(
        CompactLayout.DOUBLE_COVERS,
        doubleCovers * Double.BYTES,
        to -> covers(kinds, CompactLayout.DOUBLE_COVERS_BIT, to::putDouble));
    optional(CompactLayout.GAINS, gains * Float.BYTES, to -> gains(kinds, to));
  }

  private void terms() {
    LinearTerms linear = ensemble.linear();
    if (linear == null) {
      return;
    }
    long size = linear.size();
    required(
        CompactLayout.TERM_FEATURES,
        size * Integer.BYTES,
        to -> IntStream.range(0, linear.size()).forEach(t -> to.putInt(linear.feature(t))));
    required(
        CompactLayout.TERM_WEIGHTS,
        size * Double.BYTES,
        to -> IntStream.range(0, linear.size()).forEach(t -> to.putDouble(linear.weight(t))));
    required(
        CompactLayout.TERM_NORMALISERS,
        size * 2 * Float.BYTES,
        to ->
            IntStream.range(0, linear.size())
                .forEach(t -> to.putFloat(linear.offset(t)).putFloat(linear.divisor(t))));
  }

  private static boolean coversAreFloats(Tree tree) {
    boolean floats = true;
    NodeStatistics statistics = tree.statistics();
    for (int split = 0; split < tree.splits(); split++) {
      floats &= isFloat(statistics.splitCover(split));
    }
    for (int leaf = 0; leaf < tree.leaves(); leaf++) {
      floats &= isFloat(statistics.leafCover(leaf));
    }
    return floats;
  }

  private interface CoverSink {
    void accept(double cover);
  }

  private void covers(byte[] kinds, int bit, CoverSink to) {
    for (int t = 0; t < kinds.length; t++) {
      if ((kinds[t] & bit) != 0) {
        Tree tree = trees.get(t);
        for (int split = 0; split < tree.splits(); split++) {
          to.accept(tree.statistics().splitCover(split));
        }
        for (int leaf = 0; leaf < tree.leaves(); leaf++) {
          to.accept(tree.statistics().leafCover(leaf));
        }
      }
    }
  }

  private void gains(byte[] kinds, ByteBuffer to) {
    for (int t = 0; t < kinds.length; t++) {
      if ((kinds[t] & CompactLayout.GAINS_BIT) != 0) {
        Tree tree = trees.get(t);
        for (int split = 0; split < tree.splits(); split++) {
          to.putFloat(tree.statistics().gain(split));
        }
      }
    }
  }
}

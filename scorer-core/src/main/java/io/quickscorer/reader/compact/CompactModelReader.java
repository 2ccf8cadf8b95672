// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.compact;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.DerivedColumns;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.LinearTerms;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.common.FormatReader;
import io.quickscorer.reader.compact.CompactLayout.Scalar;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Our own binary format, see {@link CompactLayout}. A checksum tells damage; a file that was made
 * to deceive is bounded by its own length and checked as any other.
 */
public final class CompactModelReader {
  /** Our own binary format, see {@link CompactModelWriter}. */
  public static final FormatReader FORMAT =
      FormatReader.ofSingle(
              "compact", "", (input, limits) -> read(ByteBuffer.wrap(input.bytes()), limits))
          .startingAs(input -> CompactLayout.recognises(ByteBuffer.wrap(input.bytes())));

  private final CompactSections sections;
  private final EnsembleLimits limits;

  private final ByteBuffer nodes;
  private final ByteBuffer features;
  private final ByteBuffer thresholds;
  private final boolean floatLeaves;
  private final ByteBuffer leaves;
  private final ByteBuffer setWords;
  private final ByteBuffer setBitmaps;
  private final ByteBuffer setPlaces;
  private final ByteBuffer floatCovers;
  private final ByteBuffer doubleCovers;
  private final ByteBuffer gains;

  private int[] left = new int[0];
  private int[] right = new int[0];
  private int[] open = new int[0];

  private CompactModelReader(CompactSections sections, EnsembleLimits limits) {
    this.sections = sections;
    this.limits = limits;
    nodes = sections.get(CompactLayout.NODES);
    features = sections.get(CompactLayout.FEATURES);
    thresholds = sections.get(CompactLayout.THRESHOLDS);
    floatLeaves = sections.has(CompactLayout.FLOAT_LEAVES);
    leaves = sections.get(floatLeaves ? CompactLayout.FLOAT_LEAVES : CompactLayout.DOUBLE_LEAVES);
    setWords = sections.getOrEmpty(CompactLayout.SET_WORDS);
    setBitmaps = sections.getOrEmpty(CompactLayout.SET_BITMAPS);
    setPlaces = sections.getOrEmpty(CompactLayout.SET_PLACES);
    floatCovers = sections.getOrEmpty(CompactLayout.FLOAT_COVERS);
    doubleCovers = sections.getOrEmpty(CompactLayout.DOUBLE_COVERS);
    gains = sections.getOrEmpty(CompactLayout.GAINS);
  }

  /**
   * @param file from its position 0 to its limit
   */
  public static TreeEnsemble read(ByteBuffer file, EnsembleLimits limits) {
    return new CompactModelReader(CompactSections.of(file), limits).read();
  }

  private TreeEnsemble read() {
    List<String> source = sections.strings(CompactLayout.SOURCE);
    if (source.size() < 3) {
      throw new InvalidModelException(
          "section " + CompactLayout.SOURCE + ": " + source.size() + " texts, expected 3 or more");
    }
    List<String> names = sections.strings(CompactLayout.NAMES);
    limits.check("features", names.size(), Limit.FEATURES);
    ByteBuffer scalars = sections.get(CompactLayout.SCALARS);
    if (scalars.remaining() != Scalar.values().length * Double.BYTES) {
      throw new InvalidModelException(
          "section " + CompactLayout.SCALARS + ": " + scalars.remaining() + " bytes");
    }
    TreeEnsemble.Builder ensemble =
        TreeEnsemble.builder(
                names,
                new ModelSource(
                    new ModelFormat(source.get(0)),
                    source.get(1),
                    source.get(2),
                    source.subList(3, source.size())))
            .initialScore(scalar(scalars, Scalar.INITIAL_SCORE))
            .scaleAndBias(scalar(scalars, Scalar.SCALE), scalar(scalars, Scalar.BIAS))
            .accumulator(accumulator())
            .transform(transform(scalars));
    int columns = names.size();
    if (sections.has(CompactLayout.DERIVED)) {
      DerivedColumns derived = CompactDerived.read(sections.get(CompactLayout.DERIVED));
      ensemble.derived(derived);
      columns += derived.size();
    }
    ensemble.trees(trees(columns));
    if (sections.has(CompactLayout.TERM_FEATURES)) {
      ensemble.linear(terms(names.size()));
    }
    if (sections.has(CompactLayout.BAGS)) {
      ensemble.treesPerBag(treesPerBag());
    }
    if (sections.has(CompactLayout.DIVISOR)) {
      ensemble.divisor(divisor());
    }
    if (sections.has(CompactLayout.CATEGORIES)) {
      ensemble.categories(CompactCategories.read(sections.get(CompactLayout.CATEGORIES)));
    }
    sections.checkAllRead();
    return ensemble.build();
  }

  private LinearTerms terms(int featureCount) {
    ByteBuffer indices = sections.get(CompactLayout.TERM_FEATURES);
    ByteBuffer weights = sections.get(CompactLayout.TERM_WEIGHTS);
    ByteBuffer normalisers = sections.get(CompactLayout.TERM_NORMALISERS);
    int count = indices.remaining() / Integer.BYTES;
    limits.check("terms", count, Limit.NODES);
    if (indices.remaining() != count * Integer.BYTES
        || weights.remaining() != (long) count * Double.BYTES
        || normalisers.remaining() != (long) count * 2 * Float.BYTES) {
      throw new InvalidModelException("columns of other lengths than " + count + " terms have");
    }
    int[] feature = new int[count];
    double[] weight = new double[count];
    float[] offset = new float[count];
    float[] divisor = new float[count];
    for (int term = 0; term < count; term++) {
      feature[term] = indices.getInt();
      weight[term] = weights.getDouble();
      offset[term] = normalisers.getFloat();
      divisor[term] = normalisers.getFloat();
      if (feature[term] < 0 || feature[term] >= featureCount) {
        throw new InvalidModelException(
            "term " + term + ": feature " + feature[term] + ", expected 0.." + (featureCount - 1));
      }
    }
    return LinearTerms.normalised(feature, weight, offset, divisor);
  }

  private int[] treesPerBag() {
    ByteBuffer section = sections.get(CompactLayout.BAGS);
    int[] counts = new int[section.remaining() / Integer.BYTES];
    section.asIntBuffer().get(counts);
    section.position(section.limit());
    return counts;
  }

  private int divisor() {
    ByteBuffer section = sections.get(CompactLayout.DIVISOR);
    if (section.remaining() != Integer.BYTES) {
      throw new InvalidModelException(
          "section " + CompactLayout.DIVISOR + ": " + section.remaining() + " bytes, expected 4");
    }
    return section.getInt();
  }

  private static double scalar(ByteBuffer scalars, Scalar scalar) {
    return scalars.getDouble(scalar.ordinal() * Double.BYTES);
  }

  private Accumulator accumulator() {
    return valueOf(Accumulator.values(), "accumulator", 0);
  }

  private OutputTransform transform(ByteBuffer scalars) {
    scalars.position(scalars.limit());
    return new OutputTransform(
        valueOf(OutputTransform.Kind.values(), "output transform", 1),
        scalar(scalars, Scalar.TRANSFORM_PARAMETER),
        scalar(scalars, Scalar.TRANSFORM_DIVISOR));
  }

  /** The constant whose name is that text of the section of arithmetic. */
  private <E extends Enum<E>> E valueOf(E[] values, String what, int text) {
    List<String> names = sections.strings(CompactLayout.ARITHMETIC);
    for (E value : values) {
      if (text < names.size() && value.name().equals(names.get(text))) {
        return value;
      }
    }
    throw new InvalidModelException(
        what + ": none that this version knows; a later one may have written the file");
  }

  private List<Tree> trees(int featureCount) {
    ByteBuffer splits = sections.get(CompactLayout.TREES);
    ByteBuffer statistics = sections.getOrEmpty(CompactLayout.STATISTICS);
    int count = splits.remaining() / Integer.BYTES;
    limits.check("trees", count, Limit.TREES);
    checkColumns(splits.duplicate().order(splits.order()));
    if (statistics.hasRemaining() && statistics.remaining() != count) {
      throw new InvalidModelException(
          "section " + CompactLayout.STATISTICS + ": expected " + count + " bytes, one per tree");
    }
    ByteBuffer linearLeaves =
        sections.has(CompactLayout.LINEAR_LEAVES)
            ? sections.get(CompactLayout.LINEAR_LEAVES)
            : null;
    TreeBuilder builder = new TreeBuilder(limits, featureCount, false);
    List<Tree> trees = new ArrayList<>(count);
    for (int tree = 0; tree < count; tree++) {
      int own = splits.getInt();
      // At most as many as one section has bytes, but twice that may be too much for an int.
      limits.check("tree " + tree + ": leaves", own + 1L, Limit.LEAVES);
      declare(builder.start(tree, Math.multiplyExact(own, 2) + 1), tree, own);
      statistics(builder, own, statistics.hasRemaining() ? statistics.get() : 0);
      if (linearLeaves != null) {
        CompactLinearLeaves.read(linearLeaves, builder, own);
      }
      trees.add(builder.build(0));
    }
    return trees;
  }

  /** Every column must have as many elements as the trees have splits or leaves. */
  private void checkColumns(ByteBuffer counts) {
    long splits = 0;
    long trees = 0;
    while (counts.remaining() >= Integer.BYTES) {
      int count = counts.getInt();
      if (count < 0 || count > nodes.remaining()) {
        throw new InvalidModelException(
            "tree " + trees + ": " + count + " splits, expected 0.." + nodes.remaining());
      }
      splits += count;
      trees++;
    }
    int leafBytes = floatLeaves ? Float.BYTES : Double.BYTES;
    if (splits != nodes.remaining()
        || splits * Integer.BYTES != features.remaining()
        || splits * Float.BYTES != thresholds.remaining()
        || (splits + trees) * leafBytes != leaves.remaining()) {
      throw new InvalidModelException(
          "columns of other lengths than "
              + splits
              + " splits and "
              + (splits + trees)
              + " leaves of "
              + trees
              + " trees have");
    }
  }

  private void declare(TreeBuilder builder, int tree, int splits) {
    join(tree, splits);
    for (int split = 0; split < splits; split++) {
      int bits = nodes.get();
      MissingValue rule =
          MissingValue.of(
              (bits & CompactLayout.MISSING_LEFT) != 0, (bits & CompactLayout.ZERO_MISSING) != 0);
      int feature = features.getInt();
      float threshold = thresholds.getFloat();
      if ((bits & CompactLayout.CATEGORICAL) == 0) {
        builder.split(split, feature, threshold, rule, left[split], right[split]);
      } else {
        builder.split(split, feature, set(tree, bits), rule, left[split], right[split]);
      }
    }
    for (int leaf = 0; leaf <= splits; leaf++) {
      builder.leaf(splits + leaf, floatLeaves ? leaves.getFloat() : leaves.getDouble());
    }
  }

  /**
   * Finds the children of a tree's splits, which come in preorder: splits are numbered from 0,
   * leaves, from left to right, after them.
   */
  private void join(int tree, int splits) {
    if (left.length < splits) {
      left = new int[splits];
      right = new int[splits];
      open = new int[splits];
    }
    int waiting = 0;
    int leaf = splits;
    boolean complete = splits == 0;
    for (int split = 0; split < splits; split++) {
      if (complete) {
        throw shape(tree, splits, split);
      }
      if (!isLeaf(split, CompactLayout.LEFT_LEAF)) {
        left[split] = split + 1;
        open[waiting++] = split;
        continue;
      }
      left[split] = leaf++;
      open[waiting++] = split;
      // Whatever is complete on the left takes a leaf on its right, or the next split.
      complete = true;
      while (complete && waiting > 0) {
        int parent = open[--waiting];
        complete = isLeaf(parent, CompactLayout.RIGHT_LEAF);
        right[parent] = complete ? leaf++ : split + 1;
      }
    }
    if (!complete) {
      throw shape(tree, splits, splits + 1);
    }
  }

  private boolean isLeaf(int split, int side) {
    return (nodes.get(nodes.position() + split) & side) != 0;
  }

  private static InvalidModelException shape(int tree, int splits, int found) {
    return new InvalidModelException(
        "tree "
            + tree
            + ": "
            + splits
            + " splits, its shape has "
            + (found > splits ? "more" : String.valueOf(found)));
  }

  private CategorySet set(int tree, int bits) {
    if (setWords.remaining() < Integer.BYTES) {
      throw new InvalidModelException("tree " + tree + ": a category set that the file lacks");
    }
    int length = setWords.getInt();
    int words = length < 0 ? ~length : length;
    if (words > setBitmaps.remaining() / Long.BYTES
        || (length < 0 && words > setPlaces.remaining() / Integer.BYTES)) {
      throw new InvalidModelException(
          "tree " + tree + ": a category set of " + words + " words, the file has less");
    }
    CategorySet.Rounding rounding =
        (bits & CompactLayout.TOWARD_ZERO) != 0
            ? CategorySet.Rounding.TOWARD_ZERO
            : CategorySet.Rounding.NEGATIVE_IS_NONE;
    long[] bitmap = new long[words];
    for (int word = 0; word < words; word++) {
      bitmap[word] = setBitmaps.getLong();
    }
    // The builder checks the largest member.
    return length < 0
        ? CategorySet.ofWords(places(tree, bitmap), bitmap, rounding)
        : CategorySet.ofBitmap(bitmap, rounding);
  }

  private int[] places(int tree, long[] words) {
    int[] places = new int[words.length];
    for (int i = 0; i < places.length; i++) {
      places[i] = setPlaces.getInt();
      int least = i == 0 ? 0 : places[i - 1] + 1;
      if (places[i] < least || places[i] > Integer.MAX_VALUE / Long.SIZE || words[i] == 0) {
        throw new InvalidModelException(
            "tree " + tree + ": a category set whose words are not in order");
      }
    }
    return places;
  }

  private void statistics(TreeBuilder builder, int splits, int kinds) {
    boolean floats = (kinds & CompactLayout.FLOAT_COVERS_BIT) != 0;
    if (floats || (kinds & CompactLayout.DOUBLE_COVERS_BIT) != 0) {
      ByteBuffer covers = floats ? floatCovers : doubleCovers;
      need(covers, (2L * splits + 1) * (floats ? Float.BYTES : Double.BYTES), "covers");
      for (int node = 0; node <= 2 * splits; node++) {
        builder.cover(node, floats ? covers.getFloat() : covers.getDouble());
      }
    }
    if ((kinds & CompactLayout.GAINS_BIT) != 0) {
      need(gains, (long) splits * Float.BYTES, "gains");
      for (int split = 0; split < splits; split++) {
        builder.gain(split, gains.getFloat());
      }
    }
  }

  private static void need(ByteBuffer section, long bytes, String what) {
    if (section.remaining() < bytes) {
      throw new InvalidModelException(
          what + ": " + section.remaining() + " bytes left, expected " + bytes);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat.Trait;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.NumberedNames;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.XmlScanner.Event;
import io.quickscorer.reader.common.FormatReader;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.input.IntList;
import io.quickscorer.reader.input.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Reads RankLib's tree models (LambdaMART, MART, Random Forests) and QuickRank's models. A RankLib
 * file has comment lines and then one or more {@code <ensemble>} elements. QuickRank's {@code
 * <ranker>} has one such element.
 *
 * <p>Both libraries send x left if {@code x <= threshold} in float. RankLib treats a missing value
 * as 0. RankLib multiplies the floats {@code output * weight} in double, and adds the product to a
 * sum in float. A forest adds the float scores of its ensembles in double, and divides the sum by
 * their number. QuickRank adds in double. The names of the features are numbers from 1.
 */
final class RankLibReader {
  /** The format of RankLib's tree models and linear models. */
  public static final FormatReader FORMAT =
      FormatReader.ofSingle(
              "ranklib", "RankLib", (input, limits) -> new RankLibReader(input, limits).read())
          .startingAs(RankLibReader::recognises)
          .with(Trait.FEATURES_FROM_ONE);

  /** The format of QuickRank's XML models, which have the same first bytes as RankLib's. */
  public static final FormatReader QUICKRANK =
      FormatReader.ofSingle(
              "quickrank_xml",
              "QuickRank",
              (input, limits) -> new RankLibReader(input, limits).read())
          .with(Trait.FEATURES_FROM_ONE);

  /**
   * The lower-case names of RankLib's models that consist neither of trees nor of linear terms.
   * Files contain the name in the first line.
   */
  private static final Set<String> OTHER_KINDS =
      Set.of("ranknet", "rankboost", "lambdarank", "listnet");

  private static final String BAGS = "No. of bags =";
  private static final long UNKNOWN = -1;

  private final BoundedInput input;
  private final EnsembleLimits limits;
  private final List<RankLibTree> trees = new ArrayList<>();
  private final IntList treesPerEnsemble = new IntList();
  private String kind = "";
  private boolean quickRank;
  private int ensembles;
  private int largestFeature;
  private long bags = UNKNOWN;

  private RankLibReader(BoundedInput input, EnsembleLimits limits) {
    this.input = input;
    this.limits = limits;
  }

  private static boolean recognises(BoundedInput input) {
    int start = input.skipWhiteSpace(input.afterMark());
    if (input.startsWith(start, "<?xml ")) {
      start = input.skipWhiteSpace(input.indexOf('>', start, input.length()) + 1);
    }
    return input.startsWith(start, "## ")
        || input.startsWith(start, "<ensemble>")
        || input.startsWith(start, "<ranker>");
  }

  private TreeEnsemble read() {
    int start = input.skipWhiteSpace(input.afterMark());
    while (input.startsWith(start, "##")) {
      int end = input.indexOf('\n', start, input.length());
      String comment = input.text(start + 2, end).strip();
      if (kind.isEmpty()) {
        kind = comment;
      }
      if (comment.startsWith(BAGS)) {
        bags = Numbers.longOf(comment.substring(BAGS.length()).strip(), start);
      }
      start = input.skipWhiteSpace(end);
    }
    if (input.at(start) != '<') {
      if (RankLibLinearReader.isLinear(kind)) {
        return RankLibLinearReader.read(input, kind, start, limits);
      }
      throw InvalidModelException.at(
          start,
          "RankLib: "
              + (OTHER_KINDS.contains(kind.toLowerCase(Locale.ROOT))
                  ? "found a model of " + kind + ", "
                  : "")
              + "expected <ensemble>; supported are RankLib's models of trees (LambdaMART,"
              + " MART, Random Forests) and linear models (Coordinate Ascent, AdaRank, Linear"
              + " Regression)");
    }
    readElements(new XmlScanner(input, start));
    return assemble();
  }

  private void readElements(XmlScanner xml) {
    int treesBefore = 0;
    Event event;
    while ((event = xml.next()) != Event.END_OF_FILE) {
      boolean starts = event == Event.START;
      switch (xml.name()) {
        case "ranker" -> quickRank = true;
        case "info" -> skip(xml);
        case "ensemble" -> {
          ensembles += starts ? 1 : 0;
          if (!starts && trees.size() == treesBefore) {
            throw InvalidModelException.at(
                xml.offset(), "ensemble: found 0 trees, expected 1 or more");
          }
          if (!starts) {
            treesPerEnsemble.add(trees.size() - treesBefore);
          }
          treesBefore = trees.size();
        }
        case "tree" -> {
          limits.check("trees", trees.size() + 1L, Limit.TREES, xml.offset());
          RankLibTree tree = RankLibTree.read(xml, trees.size(), limits);
          largestFeature = Math.max(largestFeature, tree.largestFeature());
          trees.add(tree);
        }
        default ->
            throw InvalidModelException.at(
                xml.offset(), "unknown element, expected ranker, info, ensemble or tree");
      }
    }
  }

  private static void skip(XmlScanner xml) {
    int depth = 1;
    while (depth > 0) {
      depth += xml.next() == Event.START ? 1 : -1;
    }
  }

  private TreeEnsemble assemble() {
    if (bags != UNKNOWN && bags != ensembles) {
      throw InvalidModelException.at(
          input.length(),
          "found " + ensembles + " ensembles, but the header declares " + bags + " bags");
    }
    boolean forest = ensembles > 1;
    if (forest && quickRank) {
      throw InvalidModelException.at(
          0, "found " + ensembles + " ensembles, expected one in a QuickRank file");
    }
    // If each bag has only one tree, no bag needs a sum of its own.
    boolean bagged = forest && trees.size() != ensembles;
    List<String> names = numberedNames(largestFeature);
    FormatReader found = quickRank ? QUICKRANK : FORMAT;
    TreeEnsemble.Builder ensemble =
        TreeEnsemble.builder(names, new ModelSource(found.format(), "", kind));
    TreeBuilder builder = new TreeBuilder(limits, largestFeature, false);
    List<Tree> built = new ArrayList<>(trees.size());
    for (int i = 0; i < trees.size(); i++) {
      built.add(trees.get(i).build(builder, i, quickRank, forest && !bagged));
    }
    return ensemble
        .trees(built)
        .accumulator(quickRank || forest && !bagged ? Accumulator.DOUBLE : Accumulator.FLOAT)
        .treesPerBag(bagged ? treesPerEnsemble.toArray() : new int[0])
        .divisor(forest ? ensembles : 1)
        .build();
  }

  /** Returns the feature names of RankLib's models: the numbers from 1 to {@code count}. */
  static List<String> numberedNames(int count) {
    return new NumberedNames("", 1, count);
  }
}

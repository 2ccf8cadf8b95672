// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.lightgbm;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.CategoryList;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.common.FormatReader;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.input.DocumentReader;
import io.quickscorer.reader.input.IntList;
import io.quickscorer.reader.input.Numbers;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads LightGBM's text file as {@code Booster.save_model} writes it, versions 2 to 4, and files
 * without a version, which LightGBM before 2.0.12 wrote. A file has a header, one block of lines
 * per tree, importances, parameters (only the categorical features are read), and the categories of
 * a data frame.
 *
 * <p>LightGBM sums trees in double, in the order of the file, from 0. It treats |x| up to 1e-35 as
 * 0, and sends x left if {@code x <= threshold}. If there are several outputs, only the trees of
 * one output are scored.
 */
public final class LightGbmTextReader {
  /** The format of LightGBM's text file, as {@code Booster.save_model} writes it. */
  public static final FormatReader FORMAT =
      FormatReader.of(
              "lightgbm_text",
              "LightGBM",
              (input, limits, options) -> new LightGbmTextReader(input, limits, options).read())
          .startingAs(LightGbmTextReader::recognises);

  /** The format of the JSON that LightGBM's {@code Booster.dump_model} returns. */
  public static final FormatReader JSON = LightGbmDumpReader.FORMAT;

  private static final String TREE = "Tree=";
  private static final String LISTS = "pandas_categorical:";
  private static final String PARAMETER = "[categorical_feature:";

  private final BoundedInput input;
  private final EnsembleLimits limits;
  private final LightGbmLines lines;
  private final LightGbmOutputs outputs;
  private final LightGbmCategories categories = new LightGbmCategories();

  private int maxFeature = -1;
  private String version = "";
  private String objective = "";
  private int objectiveOffset;
  private boolean average;
  private @Nullable List<String> featureNames;
  private int[] treeSizes = {};

  private LightGbmTextReader(BoundedInput input, EnsembleLimits limits, ReadOptions options) {
    this.outputs = new LightGbmOutputs(options);
    this.input = input;
    this.limits = limits;
    this.lines = new LightGbmLines(input, input.afterMark());
  }

  private static boolean recognises(BoundedInput input) {
    int start = input.afterMark();
    return input.startsWith(start, "tree\n") || input.startsWith(start, "tree\r\n");
  }

  private TreeEnsemble read() {
    if (!lines.advance() || !lines.hasKey("tree")) {
      throw InvalidModelException.at(0, "the first line must be \"tree\"");
    }
    readHeader();
    outputs.settle(objective, objectiveOffset);
    OutputTransform transform = LightGbmObjective.transform(objective, objectiveOffset);
    List<String> names = checkedNames();
    LightGbmTree reader = new LightGbmTree(input, limits);
    List<Tree> trees = readTrees(reader, new TreeBuilder(limits, maxFeature + 1, false));
    readRest(names.size());
    List<String> notes = notes(transform, reader.hasOldTrees());
    Map<Integer, CategoryList> lists = categories.of(trees, notes);
    return TreeEnsemble.builder(names, new ModelSource(FORMAT.format(), version, objective, notes))
        .trees(trees)
        .categories(lists)
        .accumulator(Accumulator.DOUBLE)
        .transform(average ? transform.averaging(trees.size()) : transform)
        .build();
  }

  private void readHeader() {
    boolean more;
    while ((more = lines.advance()) && !lines.startsWith(TREE)) {
      readHeaderLine();
    }
    if (!more) {
      throw InvalidModelException.at(lines.offset(), "found 0 trees, expected 1 or more");
    }
    if (maxFeature < 0) {
      throw InvalidModelException.at(lines.offset(), "max_feature_idx: missing");
    }
  }

  private void readHeaderLine() {
    if (lines.hasKey("num_class") || lines.hasKey("num_tree_per_iteration")) {
      String key = lines.hasKey("num_class") ? "num_class" : "num_tree_per_iteration";
      outputs.header(key, lines.intValue(key, 1, Integer.MAX_VALUE), lines.offset());
    } else if (lines.hasKey("max_feature_idx")) {
      maxFeature = lines.intValue("max_feature_idx", 0, Integer.MAX_VALUE - 1);
      checkFeatures(maxFeature + 1);
    } else if (lines.hasKey("version")) {
      version = knownVersion(lines.value());
    } else if (lines.hasKey("objective")) {
      objective = lines.value();
      objectiveOffset = lines.offset();
    } else if (lines.hasKey("average_output")) {
      average = true;
    } else if (lines.hasKey("feature_names")) {
      featureNames = names();
    } else if (lines.hasKey("feature_infos")) {
      readInfos();
    } else if (lines.hasKey("tree_sizes")) {
      treeSizes = sizes();
    }
  }

  private void checkFeatures(int features) {
    limits.check("features", features, Limit.FEATURES, lines.offset());
  }

  private List<String> notes(OutputTransform transform, boolean oldTrees) {
    List<String> notes = new ArrayList<>(outputs.notes(LightGbmObjective.isJoint(objective)));
    if (oldTrees) {
      notes.add(
          "the trees have no num_cat: LightGBM before 2.0.5 wrote the file, and later versions"
              + " refuse it; zeros, missing values and categories are treated as in that version");
    } else if (version.isEmpty()) {
      notes.add("the file has no version: LightGBM before 2.0.12 wrote it; read as version v2");
    }
    if (average && version.equals("v2") && transform.kind() != OutputTransform.Kind.IDENTITY) {
      notes.add(
          "LightGBM before 2.3 stores transformed leaves in random forests, and does not transform"
              + " scores; the transformed output here is computed as in later versions");
    }
    return notes;
  }

  private String knownVersion(String value) {
    if (!value.equals("v2") && !value.equals("v3") && !value.equals("v4")) {
      throw InvalidModelException.at(lines.offset(), "version: expected v2, v3 or v4");
    }
    return value;
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    String value = lines.value();
    int start = 0;
    while (start <= value.length()) {
      int space = value.indexOf(' ', start);
      int end = space < 0 ? value.length() : space;
      names.add(value.substring(start, end));
      checkFeatures(names.size());
      start = end + 1;
    }
    return names;
  }

  private List<String> checkedNames() {
    List<String> names = featureNames;
    if (names == null) {
      throw InvalidModelException.at(lines.offset(), "feature_names: missing");
    }
    if (names.size() != maxFeature + 1) {
      throw InvalidModelException.at(
          lines.offset(),
          "feature_names: found " + names.size() + " names, expected " + (maxFeature + 1));
    }
    return names;
  }

  private int[] sizes() {
    IntList sizes = new IntList();
    int at = lines.valueStart();
    while (at < lines.valueEnd()) {
      int end = input.indexOf(' ', at, lines.valueEnd());
      try {
        sizes.add(Numbers.parseInt(input.bytes(), at, end, 0, Integer.MAX_VALUE));
      } catch (InvalidModelException e) {
        throw InvalidModelException.at(at, "tree_sizes: expected sizes in bytes");
      }
      at = end + 1;
    }
    return sizes.toArray();
  }

  /**
   * Reads the range of each feature's values: {@code [min:max]}, {@code none}, or a list of
   * categories such as 3:1:0:2.
   */
  private void readInfos() {
    int start = lines.valueStart();
    for (int feature = 0; start < lines.valueEnd(); feature++) {
      int first = input.at(start);
      if (first == '-' || first >= '0' && first <= '9') {
        categories.listed(feature, largest(start));
      }
      start = input.indexOf(' ', start, lines.valueEnd()) + 1;
    }
  }

  private int largest(int start) {
    long largest = 0;
    long value = 0;
    for (int at = start; at < input.length() && input.at(at) > ' '; at++) {
      int digit = input.at(at) - '0';
      value = digit >= 0 && digit <= 9 ? Math.min(Integer.MAX_VALUE, 10 * value + digit) : 0;
      largest = Math.max(largest, value);
    }
    return (int) largest;
  }

  /** Reads the categories in the lines after the trees, up to the end of the file. */
  private void readRest(int features) {
    int lists = -1;
    int end = -1;
    while (lines.advance()) {
      if (lines.startsWith(LISTS)) {
        // If there are several such lines, LightGBM's package uses the last one.
        end = lines.valueEnd();
        lists = Math.min(end, input.skipWhiteSpace(lines.offset() + LISTS.length()));
      } else if (lines.startsWith(PARAMETER)) {
        readCategoricalFeatures(lines.offset() + PARAMETER.length(), features);
      }
    }
    // A file without lists is read without the JSON library.
    if (lists >= 0 && !input.startsWith(lists, "null") && !input.startsWith(lists, "[]")) {
      try {
        EnsembleLimits bound = limits.with(Limit.FEATURES, features);
        categories.read(DocumentReader.json(input, lists, end), "lists", bound);
      } catch (InvalidModelException e) {
        categories.unreadable(String.valueOf(e.getMessage()));
      }
    }
  }

  /**
   * Reads the indices of categorical features, separated by commas. Skips names, which only
   * LightGBM's command line uses.
   */
  private void readCategoricalFeatures(int start, int features) {
    BitSet named = new BitSet();
    int stop = input.indexOf(']', start, lines.valueEnd());
    int next = input.skipWhiteSpace(start);
    while (next < stop) {
      int comma = input.indexOf(',', next, stop);
      try {
        named.set(Numbers.parseInt(input.bytes(), next, comma, 0, features - 1));
      } catch (InvalidModelException e) {
        return;
      }
      next = comma + 1;
    }
    categories.named(named);
  }

  /**
   * Reads all trees. The current line must be the first line of the first tree. After the call, it
   * is the line after the last tree.
   */
  private List<Tree> readTrees(LightGbmTree tree, TreeBuilder builder) {
    List<Tree> trees = new ArrayList<>();
    int number = 0;
    boolean crlf = input.startsWith(input.afterMark(), "tree\r");
    long expected = lines.offset();
    boolean inTree = true;
    while (inTree) {
      int found = lines.intValue("Tree", 0, Integer.MAX_VALUE);
      if (found != number) {
        throw InvalidModelException.at(
            lines.offset(),
            "Tree=" + found + ": expected Tree=" + number + "; trees must be in order");
      }
      // LightGBM uses these sizes to find the trees. They are only correct for line ends of one
      // byte.
      if (treeSizes.length > 0 && !crlf && lines.offset() != expected) {
        throw InvalidModelException.at(
            lines.offset(),
            "tree "
                + number
                + ": the tree begins at byte "
                + lines.offset()
                + ", but at byte "
                + expected
                + " according to tree_sizes");
      }
      expected += number < treeSizes.length ? treeSizes[number] : 0;
      tree.start(number, lines.offset());
      inTree = noteFields(tree, number);
      Tree built = tree.build(builder);
      if (outputs.takes(number)) {
        trees.add(built);
      }
      number++;
    }
    if (treeSizes.length > 0 && treeSizes.length != number) {
      throw InvalidModelException.at(
          lines.offset(), "found " + number + " trees, but tree_sizes lists " + treeSizes.length);
    }
    outputs.checkTrees(number, lines.offset());
    return trees;
  }

  /**
   * Records where the fields of one tree are in the file. Returns whether a further tree follows.
   */
  private boolean noteFields(LightGbmTree tree, int number) {
    while (lines.advance()) {
      if (lines.startsWith(TREE)) {
        return true;
      }
      if (lines.startsWith("end of trees") || lines.startsWith("feature importances:")) {
        return false;
      }
      tree.note(lines);
    }
    throw InvalidModelException.at(
        lines.offset(), "tree " + number + ": the file ends without a line \"end of trees\"");
  }
}

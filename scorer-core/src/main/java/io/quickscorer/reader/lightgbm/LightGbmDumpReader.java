// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.lightgbm;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.CategoryList;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.common.FormatReader;
import io.quickscorer.reader.common.OutputChoice;
import io.quickscorer.reader.input.DocumentReader;
import io.quickscorer.reader.input.JsonTokens;
import io.quickscorer.reader.input.Tokens;
import io.quickscorer.reader.input.Tokens.Token;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the JSON that LightGBM's {@code Booster.dump_model} returns. This JSON has the same numbers
 * as the text file, with all digits; the nodes of a tree are nested.
 */
public final class LightGbmDumpReader {
  /** The format of the JSON that LightGBM's {@code Booster.dump_model} returns. */
  public static final FormatReader FORMAT =
      FormatReader.of(
              "lightgbm_json",
              "LightGBM",
              (input, limits, choice) -> read(new JsonTokens(input), limits, choice))
          .withFields("tree_info");

  private final DocumentReader reader;
  private final EnsembleLimits limits;
  private final LightGbmDumpTree treeReader;
  private final Deque<LightGbmDumpTree.Nodes> trees = new ArrayDeque<>();
  private final LightGbmOutputs outputs;
  private final LightGbmCategories categories = new LightGbmCategories();

  /** The largest value that {@code feature_infos} lists for each categorical feature, by name. */
  private final Map<String, Integer> categorical = new HashMap<>();

  private String version = "";
  private String objective = "";
  private long objectiveOffset;
  private boolean hasObjective;
  private boolean average;
  private List<String> featureNames = List.of();

  private LightGbmDumpReader(Tokens tokens, EnsembleLimits limits, OutputChoice choice) {
    this.outputs = new LightGbmOutputs(choice);
    this.reader = new DocumentReader(tokens);
    this.limits = limits;
    this.treeReader = new LightGbmDumpTree(reader, limits);
  }

  static TreeEnsemble read(Tokens tokens, EnsembleLimits limits, OutputChoice choice) {
    return new LightGbmDumpReader(tokens, limits, choice).read();
  }

  private TreeEnsemble read() {
    reader.beginObject("document");
    String name;
    while ((name = reader.nextName()) != null) {
      readField(name);
    }
    reader.end();
    outputs.settle(objective, objectiveOffset);
    outputs.checkTrees(trees.size(), reader.offset());
    OutputTransform transform = LightGbmObjective.transform(objective, objectiveOffset);
    List<String> notes = new ArrayList<>(outputs.notes(objective));
    if (!hasObjective) {
      notes.add("the dump has no objective: predictions are raw scores");
    }
    for (int feature = 0; feature < featureNames.size(); feature++) {
      Integer largest = categorical.get(featureNames.get(feature));
      if (largest != null) {
        categories.listed(feature, largest);
      }
    }
    TreeBuilder builder = new TreeBuilder(limits, featureNames.size(), false);
    List<Tree> built = new ArrayList<>(trees.size());
    for (int number = 0; !trees.isEmpty(); number++) {
      LightGbmDumpTree.Nodes tree = trees.remove();
      if (outputs.takes(number)) {
        built.add(tree.build(builder, number));
      }
    }
    Map<Integer, CategoryList> lists = categories.of(built, notes);
    return TreeEnsemble.builder(
            featureNames, new ModelSource(FORMAT.format(), version, objective, notes))
        .trees(built)
        .categories(lists)
        .accumulator(Accumulator.DOUBLE)
        .transform(average && !built.isEmpty() ? transform.averaging(built.size()) : transform)
        .build();
  }

  private void readField(String name) {
    switch (name) {
      case "version" -> version = reader.string(name);
      case "num_class", "num_tree_per_iteration" ->
          outputs.header(name, (int) reader.integer(name, 1, Integer.MAX_VALUE), reader.offset());
      case "objective" -> {
        objective = reader.string(name);
        objectiveOffset = reader.offset();
        hasObjective = true;
      }
      case "average_output" -> average = reader.bool(name);
      case "feature_names" -> featureNames = reader.strings(name, limits);
      case "tree_info" -> readTrees();
      case "feature_infos" -> readInfos();
      case "pandas_categorical" -> readCategories();
      default -> reader.skip();
    }
  }

  /**
   * Reads {@code feature_infos}, which lists the values of categorical features in the training
   * data.
   */
  private void readInfos() {
    reader.beginObject("feature_infos");
    String feature;
    while ((feature = reader.nextName()) != null) {
      reader.beginObject("feature_infos");
      String name;
      while ((name = reader.nextName()) != null) {
        if (name.equals("values") && reader.token() == Token.BEGIN_ARRAY) {
          while (reader.nextElement()) {
            int value = -1;
            if (reader.token() == Token.NUMBER) {
              value = (int) reader.doubleValue("feature_infos");
            } else {
              reader.skip();
            }
            categorical.merge(feature, value, Math::max);
          }
        } else {
          reader.skip();
        }
      }
    }
  }

  private void readCategories() {
    if (reader.token() == Token.NULL) {
      return;
    }
    reader.beginArray("pandas_categorical");
    while (reader.nextElement()) {
      reader.check("pandas_categorical: lists", categories.count() + 1L, Limit.FEATURES, limits);
      reader.beginArray("pandas_categorical");
      while (reader.nextElement()) {
        switch (reader.token()) {
          case STRING -> categories.text(reader.string("pandas_categorical"));
          case NUMBER -> categories.number(reader.doubleValue("pandas_categorical"));
          case TRUE, FALSE -> categories.bool(reader.bool("pandas_categorical"));
          default -> {
            reader.skip();
            categories.unreadable("expected texts and numbers");
          }
        }
      }
      categories.endList();
    }
  }

  private void readTrees() {
    reader.beginArray("tree_info");
    while (reader.nextElement()) {
      reader.check("trees", trees.size() + 1L, Limit.TREES, limits);
      reader.place("tree " + trees.size() + ", ");
      readTree();
      reader.place("");
    }
  }

  private void readTree() {
    int before = trees.size();
    reader.beginObject("tree");
    String name;
    while ((name = reader.nextName()) != null) {
      if (name.equals("tree_structure")) {
        trees.add(treeReader.read());
      } else {
        reader.skip();
      }
    }
    if (trees.size() != before + 1) {
      throw InvalidModelException.at(reader.offset(), reader.placed("tree_structure: missing"));
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.lightgbm;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.CategoryList;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.common.FormatReader;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.input.DocumentReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonToken;

/**
 * Reads the JSON that LightGBM's {@code Booster.dump_model} returns. This JSON has the same numbers
 * as the text file, with all digits; the nodes of a tree are nested.
 */
final class LightGbmDumpReader {
  /** The format of the JSON that LightGBM's {@code Booster.dump_model} returns. */
  public static final FormatReader FORMAT =
      FormatReader.of(
              "lightgbm_json",
              "LightGBM",
              (input, limits, options) -> new LightGbmDumpReader(input, limits, options).read())
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

  private LightGbmDumpReader(BoundedInput input, EnsembleLimits limits, ReadOptions options) {
    this.outputs = new LightGbmOutputs(options);
    this.reader = DocumentReader.json(input);
    this.limits = limits;
    this.treeReader = new LightGbmDumpTree(reader, limits);
  }

  private TreeEnsemble read() {
    for (String name : reader.fields("document")) {
      readField(name);
    }
    reader.end();
    outputs.settle(objective, objectiveOffset);
    outputs.checkTrees(trees.size(), reader.offset());
    OutputTransform transform = LightGbmObjective.transform(objective, objectiveOffset);
    List<String> notes = new ArrayList<>(outputs.notes(LightGbmObjective.isJoint(objective)));
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
      case "tree_info" -> {
        for (JsonToken _ : reader.elements(name)) {
          reader.check("trees", trees.size() + 1L, Limit.TREES, limits);
          reader.place("tree " + trees.size() + ", ");
          readTree();
          reader.place("");
        }
      }
      case "feature_infos" -> readInfos();
      case "pandas_categorical" -> categories.read(reader, name + ": lists", limits);
      default -> {}
    }
  }

  /** Reads {@code feature_infos}, which lists the categorical features' training values. */
  private void readInfos() {
    for (String feature : reader.fields("feature_infos")) {
      for (String name : reader.fields("feature_infos")) {
        if (name.equals("values") && reader.token() == JsonToken.START_ARRAY) {
          for (JsonToken value : reader.elements(name)) {
            int category =
                value == DocumentReader.NUMBER ? (int) reader.doubleValue("feature_infos") : -1;
            categorical.merge(feature, category, Math::max);
          }
        }
      }
    }
  }

  private void readTree() {
    int before = trees.size();
    reader.field("tree", "tree_structure", () -> trees.add(treeReader.read()));
    if (trees.size() != before + 1) {
      throw reader.failure("tree_structure: missing");
    }
  }
}

package io.quickscorer.reader;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * LightGBM's {@code Booster.dump_model} as JSON: the same numbers as the text file, with all their
 * digits, as nested nodes.
 */
final class LightGbmDumpReader {
  private final DocumentReader reader;
  private final EnsembleLimits limits;
  private final LightGbmDumpTree treeReader;
  private final Deque<LightGbmDumpTree.Nodes> trees = new ArrayDeque<>();
  private String version = "";
  private String objective = "";
  private long objectiveOffset;
  private boolean hasObjective;
  private boolean average;
  private List<String> featureNames = List.of();

  private LightGbmDumpReader(Tokens tokens, long fileBytes, EnsembleLimits limits) {
    this.reader = new DocumentReader(tokens);
    this.limits = limits;
    this.treeReader = new LightGbmDumpTree(reader, limits, fileBytes);
  }

  static TreeEnsemble read(Tokens tokens, long fileBytes, EnsembleLimits limits) {
    return new LightGbmDumpReader(tokens, fileBytes, limits).read();
  }

  private TreeEnsemble read() {
    reader.beginObject("document");
    String name;
    while ((name = reader.nextName()) != null) {
      readField(name);
    }
    reader.end();
    OutputTransform transform = LightGbmObjective.transform(objective, objectiveOffset);
    List<String> notes =
        hasObjective
            ? List.of()
            : List.of("the dump names no objective: predictions are given as raw scores");
    TreeEnsemble.Builder ensemble =
        TreeEnsemble.builder(
            featureNames,
            new ModelSource(ModelFormat.LIGHTGBM_JSON.label(), version, objective, notes));
    TreeBuilder builder = new TreeBuilder(limits, featureNames.size(), false);
    List<Tree> built = new ArrayList<>(trees.size());
    while (!trees.isEmpty()) {
      built.add(trees.remove().build(builder, built.size()));
    }
    return ensemble
        .trees(built)
        .accumulator(Accumulator.DOUBLE)
        .transform(average && !built.isEmpty() ? transform.averaging(built.size()) : transform)
        .build();
  }

  private void readField(String name) {
    switch (name) {
      case "version" -> version = reader.string(name);
      case "num_class", "num_tree_per_iteration" -> {
        long outputs = reader.integer(name, 1, Integer.MAX_VALUE);
        if (outputs > 1) {
          throw reader.failure(
              name + ": " + outputs + ", multi-class models are not supported, expected 1");
        }
      }
      case "objective" -> {
        objective = reader.string(name);
        objectiveOffset = reader.offset();
        hasObjective = true;
      }
      case "average_output" -> average = reader.bool(name);
      case "feature_names" -> featureNames = reader.strings(name, limits);
      case "tree_info" -> readTrees();
      default -> reader.skip();
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

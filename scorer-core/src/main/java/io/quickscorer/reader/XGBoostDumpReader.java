// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat.Trait;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.XGBoostDump.Node;
import io.quickscorer.reader.common.FormatReader;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.input.DocumentReader;
import io.quickscorer.reader.input.IntList;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import tools.jackson.core.JsonToken;

/**
 * Reads the JSON of XGBoost's {@code get_dump(dump_format="json")}: an array of trees with nested
 * nodes. An object with the {@code objective} and this array as {@code splits}, which other search
 * plugins accept, is also supported. {@link XGBoostDump} lists the information that a dump lacks.
 */
final class XGBoostDumpReader {
  /** The format of XGBoost's {@code get_dump(dump_format="json")}. */
  public static final FormatReader FORMAT =
      FormatReader.ofSingle(
              "xgboost_dump_json",
              "XGBoost",
              (input, limits) -> new XGBoostDumpReader(input, limits).read())
          .startingAs(XGBoostDumpReader::recognises)
          .withFields("splits")
          .with(Trait.ABSENT_IS_MISSING, Trait.WITHOUT_BASE_SCORE);

  /** A field that other search plugins add to a model. If it is true, missing values count as 0. */
  public static final String MISSING_AS_ZERO = "missing_as_zero";

  /** The names of a node's fields, including those that are skipped. */
  private static final List<String> FIELDS =
      List.of(
          "nodeid",
          "depth",
          "split",
          "split_condition",
          "yes",
          "no",
          "missing",
          "gain",
          "cover",
          "children",
          "leaf",
          "bias",
          "weight");

  private final DocumentReader reader;
  private final EnsembleLimits limits;
  private final XGBoostDump dump;
  private final IntList categories = new IntList();
  private String objective = "";
  private boolean missingAsZero;
  private OutputTransform transform = OutputTransform.IDENTITY;

  private XGBoostDumpReader(BoundedInput input, EnsembleLimits limits) {
    this.reader = DocumentReader.json(input);
    this.limits = limits;
    this.dump = new XGBoostDump(reader, limits);
  }

  /**
   * Returns whether a file is a JSON list whose first element is an object that begins with a field
   * of a node.
   */
  private static boolean recognises(BoundedInput input) {
    int list = input.skipWhiteSpace(0);
    int object = input.skipWhiteSpace(list + 1);
    int name = input.skipWhiteSpace(object + 1);
    return input.at(list) == '['
        && input.at(object) == '{'
        && FIELDS.stream().anyMatch(f -> input.startsWith(name, '"' + f + '"'));
  }

  private TreeEnsemble read() {
    if (reader.token() == JsonToken.START_OBJECT) {
      readObject();
    } else {
      readTrees();
    }
    reader.end();
    TreeEnsemble model = dump.build(FORMAT.format(), objective, transform);
    return missingAsZero ? Rebinding.missingAsZero(model, limits) : model;
  }

  private void readObject() {
    for (String name : reader.fields("document")) {
      switch (name) {
        case "objective" -> {
          objective = reader.string(name);
          XGBoostObjective known = XGBoostObjective.of(objective, reader.offset());
          if (known == XGBoostObjective.MULTICLASS) {
            throw reader.failure(
                "objective: found a multi-class objective, but a dump does not contain the classes"
                    + " of the trees; use the saved model");
          }
          transform = known.transform();
        }
        case "splits" -> readTrees();
        case MISSING_AS_ZERO -> missingAsZero = reader.bool(name);
        default -> {}
      }
    }
  }

  private void readTrees() {
    for (JsonToken _ : reader.elements("trees")) {
      dump.checkNext();
      reader.place("tree " + dump.size() + ", ");
      readTree();
      reader.place("");
    }
  }

  /** Reads a tree of nested nodes, with an explicit stack instead of recursion. */
  private void readTree() {
    long offset = reader.offset();
    Deque<Node> open = new ArrayDeque<>();
    // For each open node, whether the next token is in its array of children.
    BitSet inChildren = new BitSet();
    begin(open);
    while (!open.isEmpty()) {
      Node node = open.element();
      if (inChildren.get(open.size())) {
        boolean more = reader.nextElement();
        inChildren.set(open.size(), more);
        if (more) {
          begin(open);
        }
        continue;
      }
      String name = reader.nextName();
      if (name == null) {
        dump.check(node);
        open.pop();
      } else if (name.equals("children")) {
        reader.beginArray(name);
        inChildren.set(open.size());
      } else {
        readField(node, name);
      }
    }
    dump.endTree(offset);
  }

  private void begin(Deque<Node> open) {
    reader.beginObject("node");
    open.push(dump.begin());
  }

  private void readField(Node node, String name) {
    switch (name) {
      case "nodeid" -> node.id = reader.count(name);
      case "yes" -> node.yes = reader.count(name);
      case "no" -> node.no = reader.count(name);
      case "missing" -> node.missing = reader.count(name);
      case "split" ->
          // XGBoost 0.72 writes the number of the feature if the model has no feature names.
          node.feature =
              dump.feature(
                  reader.token() == DocumentReader.NUMBER
                      ? "f" + reader.count(name)
                      : reader.string(name));
      case "split_condition" -> readCondition(node);
      case "leaf" -> {
        if (reader.token() == JsonToken.START_ARRAY) {
          throw reader.failure("leaf: found several values, but only one output is supported");
        }
        node.leaf = true;
        node.value = reader.floatValue(name);
      }
      case "cover" -> node.cover = reader.floatValue(name);
      case "gain" -> node.gain = reader.floatValue(name);
      case "bias", "weight" -> throw reader.failure(name + ": " + XGBoostDump.LINEAR);
      default -> {}
    }
  }

  private void readCondition(Node node) {
    node.hasCondition = true;
    if (reader.token() != JsonToken.START_ARRAY) {
      node.value = reader.floatValue("split_condition");
      return;
    }
    reader.integers("split_condition", 0, Integer.MAX_VALUE, categories);
    dump.categories(node, categories);
  }
}

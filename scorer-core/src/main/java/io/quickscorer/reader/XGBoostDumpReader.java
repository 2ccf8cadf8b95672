// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat.Trait;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.common.FormatReader;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.input.DocumentReader;
import io.quickscorer.reader.input.JsonTokens;
import io.quickscorer.reader.input.Tokens;
import io.quickscorer.reader.input.Tokens.Token;

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
              (input, limits) -> read(new JsonTokens(input), limits))
          .startingAs(XGBoostDumpReader::recognises)
          .withFields("splits")
          .with(Trait.ABSENT_IS_MISSING, Trait.WITHOUT_BASE_SCORE);

  /** A field that other search plugins add to a model. If it is true, missing values count as 0. */
  public static final String MISSING_AS_ZERO = "missing_as_zero";

  private final DocumentReader reader;
  private final EnsembleLimits limits;
  private final XGBoostDump dump;
  private final XGBoostDumpTree tree;
  private String objective = "";
  private boolean missingAsZero;
  private OutputTransform transform = OutputTransform.IDENTITY;

  private XGBoostDumpReader(Tokens tokens, EnsembleLimits limits) {
    this.reader = new DocumentReader(tokens);
    this.limits = limits;
    this.dump = new XGBoostDump(reader, limits);
    this.tree = new XGBoostDumpTree(reader, dump.nodes());
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
        && XGBoostDumpTree.FIELDS.stream().anyMatch(f -> input.startsWith(name, '"' + f + '"'));
  }

  private static TreeEnsemble read(Tokens tokens, EnsembleLimits limits) {
    return new XGBoostDumpReader(tokens, limits).read();
  }

  private TreeEnsemble read() {
    if (reader.token() == Token.BEGIN_OBJECT) {
      readObject();
    } else {
      readTrees();
    }
    reader.end();
    TreeEnsemble model = dump.build(FORMAT.format(), objective, transform);
    return missingAsZero ? Rebinding.missingAsZero(model, limits) : model;
  }

  private void readObject() {
    reader.beginObject("document");
    String name;
    while ((name = reader.nextName()) != null) {
      switch (name) {
        case "objective" -> {
          objective = reader.string(name);
          transform = single(XGBoostObjective.of(objective, reader.offset())).transform();
        }
        case "splits" -> readTrees();
        case MISSING_AS_ZERO -> missingAsZero = reader.bool(name);
        default -> reader.skip();
      }
    }
  }

  private XGBoostObjective single(XGBoostObjective known) {
    if (known == XGBoostObjective.MULTICLASS) {
      throw reader.failure(
          "objective: found a multi-class objective, but a dump does not contain the classes of the"
              + " trees; use the saved model");
    }
    return known;
  }

  private void readTrees() {
    reader.beginArray("trees");
    while (reader.nextElement()) {
      dump.checkNext();
      reader.place("tree " + dump.size() + ", ");
      dump.add(tree.read());
      reader.place("");
    }
  }
}

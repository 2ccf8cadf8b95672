// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat.Trait;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.XGBoostDump.Node;
import io.quickscorer.reader.common.FormatReader;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.input.IntList;
import io.quickscorer.reader.input.Numbers;
import io.quickscorer.reader.input.Place;

/**
 * Reads the text of XGBoost's {@code get_dump()} and {@code dump_model}: one line per node. Lines
 * are indented by the depth of the node, which is ignored.
 *
 * <pre>
 * booster[0]:
 * 0:[f2&lt;0.5] yes=1,no=2,missing=1,gain=7.5,cover=20
 *     1:leaf=0.25,cover=12
 *     2:[f0:{1,3}] yes=4,no=3,missing=3,gain=2,cover=8       categories
 *     3:[f1] yes=5,no=6,gain=2,cover=4                       an indicator
 * </pre>
 *
 * The lines {@code booster[...]} may be missing, as in the joined list that {@code get_dump}
 * returns; node 0 starts a tree. Julia's package numbers trees from 1, but features from 0. Gains
 * and covers are present if the dump was written with statistics. {@link XGBoostDump} lists the
 * information that a dump lacks.
 */
final class XGBoostTextReader implements Place {
  /** The format of the text of XGBoost's {@code get_dump()}. */
  public static final FormatReader FORMAT =
      FormatReader.ofSingle(
              "xgboost_dump_text",
              "XGBoost",
              (input, limits) -> new XGBoostTextReader(input, limits).read())
          .startingAs(XGBoostTextReader::recognises)
          .with(Trait.ABSENT_IS_MISSING, Trait.WITHOUT_BASE_SCORE);

  private static final String BOOSTER = "booster[";
  private static final String CHILDREN = "] yes=";

  private final BoundedInput input;
  private final byte[] bytes;
  private final XGBoostDump dump;
  private final IntList categories = new IntList();
  private int line;
  private int treeOffset;

  /** The number of the first tree in the file, 0 or 1; -1 until it is known. */
  private int first = -1;

  private XGBoostTextReader(BoundedInput input, EnsembleLimits limits) {
    this.input = input;
    this.bytes = input.bytes();
    this.dump = new XGBoostDump(this, limits);
  }

  private static boolean recognises(BoundedInput input) {
    return input.startsWith(0, BOOSTER)
        || input.startsWith(0, "0:[")
        || input.startsWith(0, "0:leaf=");
  }

  @Override
  public long offset() {
    return line;
  }

  @Override
  public String placed(String what) {
    return "tree " + dump.size() + ", " + what;
  }

  private TreeEnsemble read() {
    while (line < bytes.length) {
      int newline = input.indexOf('\n', line, bytes.length);
      if (newline == bytes.length) {
        throw failure("the last line has no line feed; the file may be truncated");
      }
      int end = newline > line && bytes[newline - 1] == '\r' ? newline - 1 : newline;
      readLine(end);
      line = newline + 1;
    }
    endTree();
    return dump.build(FORMAT.format(), "", OutputTransform.IDENTITY);
  }

  private void endTree() {
    if (!dump.isEmpty()) {
      dump.endTree(treeOffset);
    }
  }

  private void readLine(int end) {
    int start = line;
    while (start < end && (bytes[start] == '\t' || bytes[start] == ' ')) {
      start++;
    }
    if (start == end) {
      return;
    }
    if (input.startsWith(start, BOOSTER)) {
      endTree();
      int close = input.indexOf(']', start, end);
      int number = integer("booster", start + BOOSTER.length(), close);
      first = first < 0 ? Math.min(number, 1) : first;
      if (number != first + dump.size()) {
        throw failure(
            "booster["
                + number
                + "]: expected booster["
                + (first + dump.size())
                + "]; trees must be in order");
      }
      return;
    }
    if (input.startsWith(start, "bias:") || input.startsWith(start, "weight:")) {
      throw failure(XGBoostDump.LINEAR);
    }
    int colon = input.indexOf(':', start, end);
    int id = integer("node", start, colon);
    if (id == 0) {
      endTree();
    }
    if (dump.isEmpty()) {
      dump.checkNext();
      treeOffset = line;
    }
    Node node = dump.begin();
    node.id = id;
    if (colon + 1 < end && bytes[colon + 1] == '[') {
      int close = lastIndexOf(CHILDREN, colon + 2, end);
      if (close < 0) {
        throw failure("node " + id + ": expected \"[...] yes=...\"");
      }
      readFields(node, close + 2, end);
      readCondition(node, colon + 2, close);
    } else {
      readFields(node, colon + 1, end);
    }
    dump.check(node);
  }

  /**
   * Reads the condition in bytes [start, end): a comparison or a list of categories. A condition
   * that is only the name of an indicator feature tests whether this feature is present.
   */
  private void readCondition(Node node, int start, int end) {
    int nameEnd = end;
    if (node.missing != XGBoostDump.ABSENT) {
      node.hasCondition = true;
      int set = end > start && bytes[end - 1] == '}' ? lastIndexOf(":{", start, end) : -1;
      nameEnd = set >= 0 ? set : lastIndexOf("<", start, end);
      if (nameEnd < 0) {
        throw failure("node " + node.id + ": expected a condition, such as f0<1.5 or f0:{1,2}");
      }
      if (set >= 0) {
        readCategories(node, set + 2, end - 1);
      } else {
        node.value = number("condition", nameEnd + 1, end);
      }
    }
    node.feature = dump.feature(input.text(start, nameEnd));
  }

  private void readCategories(Node node, int start, int end) {
    categories.clear();
    int at = start;
    while (at < end) {
      int comma = input.indexOf(',', at, end);
      categories.add(integer("category", at, comma));
      at = comma + 1;
    }
    dump.categories(node, categories);
  }

  /** Reads {@code name=value} pairs, which are separated by commas. */
  private void readFields(Node node, int start, int end) {
    int at = start;
    while (at < end) {
      int comma = input.indexOf(',', at, end);
      int equals = input.indexOf('=', at, comma);
      int value = equals + 1;
      String name = equals < comma ? input.text(at, equals) : "";
      switch (name) {
        case "leaf" -> {
          if (value < end && bytes[value] == '[') {
            throw failure("leaf: found several values, but only one output is supported");
          }
          node.leaf = true;
          node.value = number(name, value, comma);
        }
        case "yes" -> node.yes = integer(name, value, comma);
        case "no" -> node.no = integer(name, value, comma);
        case "missing" -> node.missing = integer(name, value, comma);
        case "gain" -> node.gain = number(name, value, comma);
        case "cover" -> node.cover = number(name, value, comma);
        default ->
            throw failure(
                "node "
                    + node.id
                    + ": expected NAME=NUMBER, with one of the names leaf, yes, no, missing, gain"
                    + " and cover");
      }
      at = comma + 1;
    }
  }

  private int lastIndexOf(String ascii, int start, int end) {
    int at = end - ascii.length();
    while (at >= start && !input.startsWith(at, ascii)) {
      at--;
    }
    return at >= start ? at : -1;
  }

  private int integer(String what, int start, int end) {
    try {
      return Numbers.parseInt(bytes, start, end, 0, Integer.MAX_VALUE);
    } catch (InvalidModelException e) {
      throw failure(what + ": expected an integer in 0.." + Integer.MAX_VALUE);
    }
  }

  private float number(String what, int start, int end) {
    try {
      return Numbers.parseFloat(bytes, start, end);
    } catch (InvalidModelException e) {
      throw failure(what + ": expected a number");
    }
  }
}

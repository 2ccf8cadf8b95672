// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static io.quickscorer.reader.SmallModels.CATBOOST;
import static io.quickscorer.reader.SmallModels.LIGHTGBM;
import static io.quickscorer.reader.SmallModels.RANKLIB;
import static io.quickscorer.reader.SmallModels.XGBOOST;
import static io.quickscorer.reader.SmallModels.XGBOOST_DUMP;
import static io.quickscorer.reader.SmallModels.bytes;
import static io.quickscorer.reader.SmallModels.with;

import io.quickscorer.ensemble.ModelFormat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Files made to break readers, one or more for each known kind of trap; none is a model. */
final class Traps {
  /**
   * One file.
   *
   * @param name says what is wrong with it, after the name of its format
   * @param said a part of the refusal
   */
  record Trap(String name, byte[] file, String said) {
    @Override
    public String toString() {
      return name;
    }

    ModelFormat format() {
      return ModelFormats.of(name.substring(0, name.indexOf(' ')));
    }
  }

  private final List<Trap> traps = new ArrayList<>();

  private Traps() {}

  static List<Trap> all() {
    Traps traps = new Traps();
    traps.addTrees();
    traps.addNumbers();
    traps.addDocuments();
    traps.addLightGbm();
    traps.addXGBoost();
    traps.addUbjson();
    traps.addCatBoost();
    traps.addXml();
    traps.addSolr();
    return traps.traps;
  }

  private void add(String name, String file, String said) {
    traps.add(new Trap(name, bytes(file), said));
  }

  private void addLatin1(String name, String file, String said) {
    traps.add(new Trap(name, file.getBytes(StandardCharsets.ISO_8859_1), said));
  }

  private void lightGbm(String name, String old, String replacement, String said) {
    add("lightgbm_text " + name, with(LIGHTGBM, old, replacement), said);
  }

  private void xgBoost(String name, String old, String replacement, String said) {
    add("xgboost_json " + name, with(XGBOOST, old, replacement), said);
  }

  private void addTrees() {
    lightGbm("child out of range", "left_child=-1", "left_child=2", "left_child: element 0");
    lightGbm("child out of range below", "left_child=-1", "left_child=-9", "left_child");
    lightGbm("leaf with two parents", "right_child=1 -3", "right_child=1 -2", "already has");
    lightGbm("cycle", "right_child=1 -3", "right_child=1 0", "node 1: child 0 already has");
    lightGbm("unreachable node", "right_child=1", "right_child=-3", "tree 0");
    lightGbm("feature index equals count", "feature=0 1", "feature=0 2", "feature 2");
    xgBoost("child out of range", "[1,-1,3,-1,-1]", "[1,-1,5,-1,-1]", "child 5");
    xgBoost("negative child", "[1,-1,3,-1,-1]", "[1,-1,-2,-1,-1]", "left_children");
    xgBoost("child with two parents", "[1,-1,3,-1,-1]", "[1,-1,4,-1,-1]", "tree 0");
    xgBoost("cycle", "[1,-1,3,-1,-1]", "[1,-1,0,-1,-1]", "node 2: child 0");
    xgBoost("feature index equals count", "indices\":[0,0,1", "indices\":[0,0,2", "feature 2");
    xgBoost("no trees", "\"trees\":[", "\"trees\":[],\"x\":[", "0 trees");
    xgBoost("tree without nodes", "\"trees\":[", "\"trees\":[{},", "tree 0");
    add("lightgbm_text no trees", LIGHTGBM.substring(0, LIGHTGBM.indexOf("Tree=0")), "0 trees");
    add(
        "lightgbm_text nodes of none",
        with(LIGHTGBM, "num_leaves=3", "num_leaves=0"),
        "num_leaves");
    add("xgboost_dump_text depth 50000", deepText(50_000), "leaves");
    add("xgboost_dump_text depth 2000", deepText(2_000), "depth");
    add(
        "xgboost_dump_text category of 2e9",
        with(SmallModels.XGBOOST_DUMP_TEXT, "{1,33}", "{1,2000000000}"),
        "category");
    add("xgboost_dump_json depth 100000", "[" + "{\"children\":[".repeat(100_000), "deep");
  }

  private static String deepText(int depth) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < depth; i++) {
      int node = 2 * i;
      text.append(node).append(":[f0<1] yes=").append(node + 1).append(",no=").append(node + 2);
      text.append(",missing=").append(node + 1).append('\n');
      text.append(node + 1).append(":leaf=1\n");
    }
    return text.append(2 * depth).append(":leaf=1\n").toString();
  }

  private void addNumbers() {
    lightGbm("threshold nan", "=0.5 0", "=nan 0", "NaN");
    lightGbm("leaf inf", "20 300", "inf 300", "leaf value Infinity");
    lightGbm("leaf 1e999", "20 300", "1e999 300", "leaf value Infinity");
    lightGbm("number of 1000 digits", "=0.5 0", "=" + "1".repeat(1_000) + " 0", "threshold");
    lightGbm("comma of a locale", "=0.5 0", "=0,5 0", "threshold: element 0");
    xgBoost("leaf NaN", "[5E-1,1,0", "[5E-1,NaN,0", "leaf value NaN");
    xgBoost("leaf 1e999", "[5E-1,1,0", "[5E-1,1e999,0", "leaf value Infinity");
    xgBoost("number of 1000 digits", "[5E-1,1,0", "[" + "1".repeat(1_000) + ",1,0", "long");
  }

  private void addDocuments() {
    add("xgboost_json byte order mark", "\ufeff" + XGBOOST, "byte ");
    xgBoost("name given twice", "\"id\":0", "\"id\":0,\"id\":0", "same name twice");
    xgBoost("arrays 1000000 deep", "\"id\":0", "\"extra\":" + "[".repeat(1_000_000), "deep");
    xgBoost("objects 100000 deep", "\"id\":0", "\"extra\":" + "{\"a\":".repeat(100_000), "deep");
    xgBoost("more after the end", "[3,4,0]}", "[3,4,0]}1", "byte ");
    addLatin1("xgboost_json invalid UTF-8", with(XGBOOST, "\"gbtree\"", "\"\u00ff\""), "UTF-8");
    addLatin1(
        "lightgbm_text invalid UTF-8", with(LIGHTGBM, "names=a b", "names=a \u00ff"), "UTF-8");
  }

  private void addLightGbm() {
    lightGbm("2147483647 leaves, short arrays", "leaves=3", "leaves=2147483647", "num_leaves");
    lightGbm("1000000000 leaves, short arrays", "leaves=3", "leaves=1000000000", "leaves");
    lightGbm("one split too many", "feature=0 1", "feature=0 1 0", "split_feature");
    lightGbm("one leaf too few", "leaf_value=1 20 300", "leaf_value=1 20", "leaf_value");
    lightGbm("unknown decision bits", "type=10", "type=16", "decision_type");
    lightGbm("unknown missing type", "type=10", "type=12", "decision_type");
    lightGbm("boundaries descend", "boundaries=0 2", "boundaries=2 0", "cat_boundaries");
    lightGbm("boundaries past the end", "boundaries=0 2", "boundaries=0 2000000000", "cat_thresh");
    lightGbm("set that is not there", "=0.5 0", "=0.5 1", "node 1: set of categories");
    add(
        "lightgbm_text set of two nodes",
        with(with(LIGHTGBM, "=0.5 0", "=0 0"), "type=10 1", "type=1 1"),
        "node 1: set of categories 0.0 also belongs to another node");
    lightGbm(
        "tree_sizes past the end",
        "feature_infos",
        "tree_sizes=2147483647 2147483647\nfeature_infos",
        "tree_sizes");
    lightGbm("linear tree", "is_linear=0", "is_linear=1", "leaf_const: missing");
    String linear =
        "is_linear=1\nleaf_const=1 1 1\nnum_features=1 0 1\nleaf_features=0   1 \nleaf_coeff=2   3";
    lightGbm(
        "linear leaf's feature", "is_linear=0", linear.replace("  1 ", "  9 "), "leaf feature 9");
    lightGbm(
        "linear leaf's terms", "is_linear=0", linear.replace("=1 0 1", "=1 0 2"), "leaf_features");
    lightGbm(
        "linear leaf's count",
        "is_linear=0",
        linear.replace("=1 0 1", "=1 0 2147483647"),
        "elements");
    lightGbm(
        "linear leaf NaN", "is_linear=0", linear.replace("=2  ", "=nan  "), "leaf coefficient NaN");
  }

  private void addXGBoost() {
    xgBoost("number as a string", "[5E-1,1,0", "[\"5E-1\",1,0", "expected a number");
    xgBoost("num_nodes and arrays differ", "nodes\":\"5\"", "nodes\":\"6\"", "num_nodes is 6");
    xgBoost("arrays of other lengths", "[2,-1,4,-1,-1]", "[2,-1,4,-1]", "right_children");
    xgBoost(
        "parents inconsistent", "[2147483647,0,0,2,2]", "[2147483647,0,0,2,1]", "another parent");
    xgBoost("tree of another class", "\"tree_info\":[0]", "\"tree_info\":[1]", "output 1");
    xgBoost(
        "base score of two outputs", "[5E-1]\"", "[5E-1,5E-1]\"", "base_score: found 2 numbers");
    xgBoost("base score no number", "[5E-1]\"", "[x]\"", "base_score");
    xgBoost("two weights for one tree", "\"trees\"", "\"weight_drop\":[1,1],\"trees\"", "weight");
    xgBoost("gblinear", "\"gbtree\"", "\"gblinear\"", "gblinear");
    xgBoost("category of 2e9", "\"categories\":[1,33]", "\"categories\":[1,2000000000]", "categ");
    add(
        "xgboost_json segment of two nodes",
        with(
            with(XGBOOST, "\"categories_nodes\":[2]", "\"categories_nodes\":[0,2]"),
            "\"categories_segments\":[0],\"categories_sizes\":[2]",
            "\"categories_segments\":[0,1],\"categories_sizes\":[2,1]"),
        "categories_sizes: the sum of elements 0 to 1 is 3, but the number of categories is 2");
    add(
        "xgboost_dump_json category of 2e9",
        with(XGBOOST_DUMP, "[1, 33]", "[1, 2000000000]"),
        "split_condition");
  }

  private void addUbjson() {
    String start = "{L\0\0\0\0\0\0\0\u0001a";
    String huge = "l\u007f\u00ff\u00ff\u00ff";
    String format = "xgboost_ubjson ";
    addLatin1(format + "floats past the end", start + "[$d#" + huge, "bytes are left");
    addLatin1(format + "negative count", start + "[#l\u00ff\u00ff\u00ff\u00ff", "bytes are left");
    addLatin1(
        format + "count of 64 bits",
        start + "[#L\u007f\0\0\0\0\0\0\0" + "Z".repeat(64),
        "bytes are left");
    for (String type : List.of("Z", "T", "F", "N")) {
      addLatin1(
          format + "2147483647 elements without width, " + type,
          start + "[$" + type + "#" + huge,
          "unsupported element type");
    }
    addLatin1(format + "string past the end", start + "S" + huge, "bytes are left");
    addLatin1(format + "arrays 1000000 deep", start + "[".repeat(1_000_000), "deep");
    addLatin1(format + "counted arrays 100000 deep", start + "[#i\u0001".repeat(100_000), "deep");
    addLatin1(format + "name given twice", "{i\u0001aZi\u0001aZ}", "twice");
  }

  private void addCatBoost() {
    String split = "{\"border\":2.5,\"float_feature_index\":1,\"split_type\":\"FloatFeature\"},";
    for (int depth : new int[] {31, 32, 63}) {
      add(
          "catboost_json depth " + depth,
          with(CATBOOST, "\"splits\":[", "\"splits\":[" + split.repeat(depth - 2)),
          "splits: more than");
    }
    add(
        "catboost_json few leaves",
        with(CATBOOST, "[1,20,300,4000]", "[1,20]"),
        "leaf_values: found 2");
    add("catboost_json ctr", with(CATBOOST, "\"FloatFeature\"", "\"OnlineCtr\""), "on a CTR");
    add("catboost_json ctrs", with(CATBOOST, "{\"float", "{\"ctrs\":[{}],\"float"), "elements");
    addCtrs();
    String node = "{\"left\":";
    add(
        "catboost_json nodes 100000 deep",
        categories("{\"value\":0", node.repeat(100_000)),
        "deep");
    add(
        "catboost_json node without children",
        categories("\"right\":{", "\"x\":{"),
        "value or split");
    add(
        "catboost_json leaf with split",
        categories("{\"value\":1", "{\"split\":1"),
        "split: found");
    add(
        "catboost_json category of a text",
        categories("\"value\":593172586", "\"value\":7"),
        "hash 7");
    add("catboost_json column given twice", categories("index\":3,", "index\":2,"), "flat index 2");
    add(
        "catboost_json column beyond the limit",
        categories("index\":3,", "index\":99999999,"),
        "features: 100000000, at most");
    add(
        "catboost_json scale without bias",
        with(CATBOOST, "[2,[7]]", "[2]"),
        "scale_and_bias: found 1");
    add("catboost_json border NaN", with(CATBOOST, "\"border\":2.5", "\"border\":NaN"), "NaN");
  }

  private void addCtrs() {
    add("catboost_json ctr of a text", ctr("\"Borders\",\"el", "\"Bordes\",\"el"), "ctr_type");
    add(
        "catboost_json ctr without table",
        ctr("\"identifier\":\"t\"", "\"x\":1"),
        "does not contain its table");
    add(
        "catboost_json ctr of no feature",
        ctr("feature_index\":1,\"comb", "feature_index\":2,\"comb"),
        "feature 2");
    add("catboost_json ctr key twice", ctr("\"456\"", "\"123\""), "a key occurs twice");
    add("catboost_json ctr key of a text", ctr("\"456\"", "\"x\""), "unsigned integer");
    add("catboost_json ctr counts", ctr("\"123\",1,2", "\"123\",1"), "counts for 2 keys");
    add("catboost_json ctr stride", ctr("stride\":3", "stride\":4"), "hash_stride - 1");
    add(
        "catboost_json ctr border",
        ctr("idx\":0,\"borders", "idx\":5,\"borders"),
        "counts per key");
    add(
        "catboost_json ctr element",
        ctr("\"cat_feature_value", "\"cat_feature"),
        "combination_element");
    add(
        "catboost_json ctr split",
        ctr("index\":2,\"split_type", "index\":4,\"split_type"),
        "split 4");
  }

  private static String ctr(String old, String replacement) {
    return with(SmallModels.CATBOOST_CTR, old, replacement);
  }

  private static String categories(String old, String replacement) {
    return with(SmallModels.CATBOOST_CATEGORIES, old, replacement);
  }

  private void addXml() {
    String entities = "<!DOCTYPE a [<!ENTITY b0 \"x\">";
    for (int i = 1; i < 30; i++) {
      entities += "<!ENTITY b" + i + " \"" + ("&b" + (i - 1) + ";").repeat(10) + "\">";
    }
    ranks("entity bomb", "<ensemble>", entities + "]><ensemble>", "document types");
    ranks("document type", "<ensemble>", "<!DOCTYPE a><ensemble>", "document types");
    ranks("external file", "<ensemble>", "<!DOCTYPE a SYSTEM \"file:///\"><ensemble>", "document");
    ranks("instruction", "<ensemble>", "<?run me?><ensemble>", "instructions");
    ranks("entity", " 0.5 ", " &half; ", "entities");
    ranks("comment without end", " 0.5 ", "<!-- 0.5 ", "expected -->");
    ranks("missing pos", "pos=\"left\">\n", ">\n", "tree 0: pos");
    ranks("feature 0", "<feature> 1 <", "<feature> 0 <", "feature 0");
    ranks("feature -1", "<feature> 1 <", "<feature> -1 <", "feature -1");
    String head = RANKLIB.substring(0, RANKLIB.indexOf("<split")) + "<split>";
    add("ranklib splits 100000 deep", head + "<split pos=\"left\">".repeat(100_000), "deep");
    ranks("text in 100000 pieces", " 0.5 ", "1<!---->".repeat(100_000), "tree 0");
  }

  private void ranks(String name, String old, String replacement, String said) {
    add("ranklib " + name, with(RANKLIB, old, replacement), said);
  }

  private void solr(String name, String old, String replacement, String said) {
    add("solr_json " + name, with(SmallModels.SOLR, old, replacement), said);
  }

  private void addSolr() {
    String deep = "{\"feature\":\"title\",\"threshold\":\"1\",\"left\":";
    solr("nodes 100000 deep", "{\"value\":\"1000\"}", deep.repeat(100_000), "deep");
    solr("norms 100000 deep", "\"0\"", "{\"a\":".repeat(100_000), "nested too deeply");
    solr("class of somebody else", "org.apache.solr.ltr.model", "com.example", "class");
    solr("no trees", "\"trees\":[", "\"trees\":[],\"weights\":{},\"x\":[", "params");
    solr("leaf 1e999", "\"value\":\"20\"", "\"value\":\"1e999\"", "leaf value Infinity");
    solr("product of floats too large", "\"weight\":\"3\"", "\"weight\":\"3e38\"", "leaf value");
    solr("threshold NaN", "\"0.5\"", "\"NaN\"", "tree 0, node 0");
    solr("number of 1000 digits", "\"0.5\"", "\"" + "1".repeat(1_000) + "\"", "threshold");
    solr("comma of a locale", "\"0.5\"", "\"0,5\"", "tree 0, threshold");
    solr("divisor 0", "\"max\":\"10\"", "\"max\":\"0\"", "normaliser");
    solr(
        "feature given twice",
        "\"name\":\"price\"",
        "\"name\":\"title\"",
        "another feature has the same name");
  }
}

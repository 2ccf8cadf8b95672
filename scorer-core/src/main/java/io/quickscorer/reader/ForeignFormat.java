// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.input.BoundedInput;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Files that people take for model files of ours: what they are, and the call that saves what we
 * read. Told by their first bytes; of what a pickle or an archive holds, only names are looked for.
 */
final class ForeignFormat {
  /** Bytes in which names are looked for: the classes of a pickle, the files of an archive. */
  private static final int SEARCHED = 1 << 20;

  private static final int TAR_MAGIC_AT = 257;

  private static final String XGBOOST =
      "XGBoost model: save it by booster.save_model(\"model.ubj\")"
          + " (model.get_booster() is the booster of XGBRanker and the like)";
  private static final String LIGHTGBM =
      "LightGBM model: save it by booster.save_model(\"model.txt\")"
          + " (model.booster_ is the booster of LGBMRanker and the like)";
  private static final String CATBOOST =
      "CatBoost model: save it by model.save_model(\"model.cbm\")";
  private static final String SKLEARN =
      "scikit-learn model: save it as ONNX, by skl2onnx.to_onnx(model, X[:1]).SerializeToString()";

  /**
   * Words that tell what a container holds, the most telling first. In pickles with the dot behind
   * a package's name: LightGBM's parameters have {@code xgboost_dart_mode}.
   */
  private static final List<Content> IN_PICKLES =
      List.of(
          new Content("xgboost.", "of an " + XGBOOST),
          new Content("lightgbm.", "of a " + LIGHTGBM),
          new Content("catboost.", "of a " + CATBOOST),
          new Content("sklearn.", "of a " + SKLEARN),
          new Content("torch.", "of PyTorch: no ensemble of trees"));

  private static final List<Content> IN_ARCHIVES =
      List.of(
          new Content(
              "model.ini",
              "H2O's MOJO: convert it to ONNX by onnxmltools, or train with XGBoost or LightGBM"),
          new Content("model.weights.h5", "Keras' archive: no ensemble of trees"),
          new Content("data.pkl", "PyTorch's archive: no ensemble of trees"),
          new Content(".npy", "NumPy's archive of arrays: save the model by its own library"));

  /** First bytes, as ISO-8859-1, and what they say. */
  private static final List<Content> STARTS =
      List.of(
          new Content("\u0089HDF\r\n", "HDF5, as Keras writes it: no ensemble of trees"),
          new Content(
              "\u00ac\u00ed\u0000\u0005",
              "a serialized Java object: save the model by its library"),
          new Content(
              "PAR1", "Parquet: Spark keeps models as folders of it; save the booster itself"),
          new Content("RDX", "R's: save the model by xgb.save or lgb.save"),
          new Content("X\n\u0000\u0000\u0000", "R's (saveRDS): save it by xgb.save or lgb.save"),
          new Content(
              "version https://git-lfs", "a pointer of Git LFS: fetch the file by git lfs pull"),
          new Content("<!DOCTYPE html", "a page of HTML, perhaps one that leads to the file"),
          new Content("<html", "a page of HTML, perhaps one that leads to the file"),
          new Content(
              "ccopy_reg\n", "a Python pickle of protocol 0: save it by the trainer's call"),
          new Content("BZh", "compressed by bzip2: unpack it, only gzip is read"),
          new Content("\u00fd7zXZ", "compressed by xz: unpack it, only gzip is read"),
          new Content("(\u00b5/\u00fd", "compressed by Zstandard: unpack it, only gzip is read"),
          new Content("\u0004\"M\u0018", "compressed by LZ4: unpack it, only gzip is read"),
          new Content(
              "]\u0000\u0000",
              "compressed by LZMA, as joblib does: save the model by its own library"),
          new Content(
              "gbdt\n",
              "LightGBM's text of 2016: it has neither an objective nor rules for missing values;"
                  + " train the model again with LightGBM 2 or newer"));

  private record Content(String word, String what) {}

  private ForeignFormat() {}

  /** The refusal of a file of none of our formats. */
  static InvalidModelException refusal(BoundedInput input) {
    String what = describe(input);
    return what == null
        ? InvalidModelException.unknownFormat("the content is of no known model format")
        : InvalidModelException.at(
            0, "the content is of no model format that is read: it is " + what);
  }

  private static @Nullable String describe(BoundedInput input) {
    if (input.at(0) == 0x80 && input.at(1) >= 2 && input.at(1) <= 5) {
      String found = search(input, IN_PICKLES);
      return "a Python pickle "
          + (found == null ? "(joblib's too): save the model by its own library's call" : found);
    }
    if (starts(input, "PK\u0003\u0004")) {
      String found = search(input, IN_ARCHIVES);
      return found == null ? "a zip archive: give the model file in it" : found;
    }
    if (input.startsWith(TAR_MAGIC_AT, "ustar")) {
      return "a tar archive: give the model file in it";
    }
    // Compression levels differ in the second byte, which makes both a multiple of 31.
    if (input.at(0) == 'x' && ('x' << 8 | input.at(1)) % 31 == 0) {
      return "compressed by zlib, as joblib does: save the model by its own library";
    }
    if (input.startsWith(4, "ORTM")) {
      return "ONNX Runtime's own form of a model (.ort): give the .onnx file that it was made of";
    }
    if (input.startsWith(4, "TFL3")) {
      return "TensorFlow Lite's: no ensemble of trees";
    }
    if (input.at(0) == 8 && input.at(1) == 1 && input.at(2) == 0x12) {
      return "TensorFlow's SavedModel, or ONNX without a graph; of decision forests save the trees"
          + " by another library";
    }
    if (input.at(input.skipWhiteSpace(0)) == '<' && contains(input, "<PMML")) {
      return "PMML: save the model by the trainer's own call, or as ONNX";
    }
    for (Content start : STARTS) {
      if (starts(input, start.word)) {
        return start.what;
      }
    }
    return null;
  }

  private static @Nullable String search(BoundedInput input, List<Content> contents) {
    for (Content content : contents) {
      if (contains(input, content.word)) {
        return content.what;
      }
    }
    return null;
  }

  private static boolean contains(BoundedInput input, String ascii) {
    int end = Math.min(input.length(), SEARCHED);
    int at = input.indexOf(ascii.charAt(0), 0, end);
    while (at < end && !input.startsWith(at, ascii)) {
      at = input.indexOf(ascii.charAt(0), at + 1, end);
    }
    return at < end;
  }

  private static boolean starts(BoundedInput input, String latin) {
    for (int i = 0; i < latin.length(); i++) {
      if (input.at(i) != latin.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}

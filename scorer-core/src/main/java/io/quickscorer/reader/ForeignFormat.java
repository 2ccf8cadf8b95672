// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.input.BoundedInput;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Recognises files that users often mistake for supported model files, and creates an exception
 * whose message names the call that saves a supported file. Reads only the first bytes of a file,
 * in which it searches for names.
 */
final class ForeignFormat {
  /**
   * Number of bytes at the start of a file that are searched for the names of a pickle's classes or
   * an archive's files.
   */
  private static final int SEARCHED = 1 << 20;

  private static final int TAR_MAGIC_AT = 257;

  private static final String XGBOOST =
      "XGBoost model: save it by booster.save_model(\"model.ubj\")"
          + " (for XGBRanker and other scikit-learn classes: model.get_booster())";
  private static final String LIGHTGBM =
      "LightGBM model: save it by booster.save_model(\"model.txt\")"
          + " (for LGBMRanker and other scikit-learn classes: model.booster_)";
  private static final String CATBOOST =
      "CatBoost model: save it by model.save_model(\"model.cbm\")";
  private static final String SKLEARN =
      "scikit-learn model: save it as ONNX, by skl2onnx.to_onnx(model, X[:1]).SerializeToString()";

  /**
   * Words in Python's pickles that identify the content. More specific words come first. A
   * package's name includes the dot after it, so that LightGBM's parameter {@code
   * xgboost_dart_mode} does not match.
   */
  private static final List<Content> IN_PICKLES =
      List.of(
          new Content("xgboost.", "of an " + XGBOOST),
          new Content("lightgbm.", "of a " + LIGHTGBM),
          new Content("catboost.", "of a " + CATBOOST),
          new Content("sklearn.", "of a " + SKLEARN),
          new Content("torch.", "of PyTorch: not an ensemble of trees"));

  /**
   * Parts of file names in zip archives that identify the content. More specific parts come first.
   */
  private static final List<Content> IN_ARCHIVES =
      List.of(
          new Content(
              "model.ini",
              "an H2O MOJO: convert it to ONNX by onnxmltools, or train with XGBoost or LightGBM"),
          new Content("model.weights.h5", "a Keras archive: not an ensemble of trees"),
          new Content("data.pkl", "a PyTorch archive: not an ensemble of trees"),
          new Content(".npy", "a NumPy archive of arrays: save the model by its own library"));

  /**
   * The texts with which files of known but unsupported formats begin; a character is one byte
   * (ISO-8859-1).
   */
  private static final List<Content> STARTS =
      List.of(
          new Content("\u0089HDF\r\n", "HDF5, as Keras writes it: not an ensemble of trees"),
          new Content(
              "\u00ac\u00ed\u0000\u0005",
              "a serialized Java object: save the model by its library"),
          new Content("PAR1", "a Parquet file, as Spark stores models: save the booster itself"),
          new Content("RDX", "an R data file: save the model by xgb.save or lgb.save"),
          new Content(
              "X\n\u0000\u0000\u0000",
              "an R data file (saveRDS): save the model by xgb.save or lgb.save"),
          new Content(
              "version https://git-lfs", "a Git LFS pointer: fetch the file by git lfs pull"),
          new Content(
              "<!DOCTYPE html",
              "an HTML page, perhaps with a link to the file: download the file itself"),
          new Content(
              "<html", "an HTML page, perhaps with a link to the file: download the file itself"),
          new Content(
              "ccopy_reg\n", "a Python pickle of protocol 0: save it by the trainer's call"),
          new Content("BZh", "compressed by bzip2: decompress it, only gzip is supported"),
          new Content("\u00fd7zXZ", "compressed by xz: decompress it, only gzip is supported"),
          new Content(
              "(\u00b5/\u00fd", "compressed by Zstandard: decompress it, only gzip is supported"),
          new Content(
              "\u0004\"M\u0018", "compressed by LZ4: decompress it, only gzip is supported"),
          new Content(
              "]\u0000\u0000",
              "compressed by LZMA, as joblib does: save the model by its own library"),
          new Content(
              "gbdt\n",
              "LightGBM's text format of 2016, which has neither an objective nor rules for missing"
                  + " values: train the model again with LightGBM 2 or newer"));

  private record Content(String word, String what) {}

  private ForeignFormat() {}

  /** Returns an exception for a file with an unsupported format, with advice in its message. */
  static InvalidModelException refusal(BoundedInput input) {
    String what = describe(input);
    return what == null
        ? InvalidModelException.unknownFormat("the content is not in a known model format")
        : InvalidModelException.at(
            0, "the content is not in a supported model format: it is " + what);
  }

  private static @Nullable String describe(BoundedInput input) {
    if (input.at(0) == 0x80 && input.at(1) >= 2 && input.at(1) <= 5) {
      String found = search(input, IN_PICKLES);
      return "a Python pickle "
          + (found == null
              ? "(perhaps joblib's): save the model by its own library's call"
              : found);
    }
    if (starts(input, "PK\u0003\u0004")) {
      String found = search(input, IN_ARCHIVES);
      return found == null ? "a zip archive: extract the model file" : found;
    }
    if (input.startsWith(TAR_MAGIC_AT, "ustar")) {
      return "a tar archive: extract the model file";
    }
    // The second byte depends on the compression level, but the two bytes as one number are always
    // a multiple of 31.
    if (input.at(0) == 'x' && ('x' << 8 | input.at(1)) % 31 == 0) {
      return "compressed by zlib, as joblib does: save the model by its own library";
    }
    if (input.startsWith(4, "ORTM")) {
      return "ONNX Runtime's own format (.ort): use the .onnx file that it was made from";
    }
    if (input.startsWith(4, "TFL3")) {
      return "a TensorFlow Lite model: not an ensemble of trees";
    }
    if (input.at(0) == 8 && input.at(1) == 1 && input.at(2) == 0x12) {
      return "a TensorFlow SavedModel, or ONNX without a graph: save the trees of decision forests"
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
    return input.indexOf(ascii, 0, end) < end;
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

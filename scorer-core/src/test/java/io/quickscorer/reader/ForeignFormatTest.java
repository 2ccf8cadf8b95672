// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static io.quickscorer.reader.SmallModels.LIGHTGBM;
import static io.quickscorer.reader.SmallModels.assertRefused;
import static io.quickscorer.reader.SmallModels.bytes;
import static io.quickscorer.reader.SmallModels.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of other kinds are named, with the call that saves what is read. */
final class ForeignFormatTest {
  private static void assertNamed(byte[] file, String... parts) {
    InvalidModelException e =
        assertThrows(
            InvalidModelException.class,
            () -> ModelReader.read(file, ModelFormat.AUTO, EnsembleLimits.DEFAULT));
    String message = String.valueOf(e.getMessage());
    assertTrue(
        message.startsWith("byte 0: the content is not in a supported model format: it is "),
        message);
    for (String part : parts) {
      assertTrue(message.contains(part), message);
    }
  }

  private static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @CsvSource({
    "xgboost.sklearn, an XGBoost model: save it by booster.save_model(\"model.ubj\")",
    "lightgbm.basic, a LightGBM model: save it by booster.save_model(\"model.txt\")",
    "catboost.core, a CatBoost model: save it by model.save_model(\"model.cbm\")",
    "sklearn.ensemble._gb, skl2onnx.to_onnx",
    "torch._utils, PyTorch",
    "numpy, joblib"
  })
  void pickles(String module, String way) {
    for (char protocol = 2; protocol <= 5; protocol++) {
      assertNamed(latin("\u0080" + protocol + "c" + module + "\nModel\nq\0."), "pickle", way);
    }
  }

  /** What a pickle has besides: LightGBM's parameters, or words of a text. */
  @Test
  void picklesWithOthersNames() {
    String lightgbm = "\u0080\u0003clightgbm.sklearn\nModel\n[xgboost_dart_mode: 0]";
    assertNamed(latin(lightgbm), "a LightGBM model");
    assertNamed(latin("\u0080\u0003cgensim.models\nModel\nq\0numpy sklearn"), "joblib");
  }

  @ParameterizedTest
  @CsvSource({
    "model.ini, MOJO",
    "model.weights.h5, Keras",
    "archive/data.pkl, PyTorch",
    "arr_0.npy, NumPy",
    "model.txt, a zip archive"
  })
  void archives(String entry, String way) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry(entry));
    }
    assertNamed(bytes.toByteArray(), way);
  }

  @Test
  void files() throws IOException {
    assertNamed(
        latin("<?xml version=\"1.0\"?>\n<PMML xmlns=\"http://www.dmg.org/PMML-4_2\">"), "PMML");
    assertNamed(latin("\u0089HDF\r\n\u001a\n"), "HDF5", "Keras");
    assertNamed(latin("\b\u0001\u0012\u0002\n\0"), "TensorFlow SavedModel");
    assertNamed(latin("\u001c\0\0\0TFL3"), "TensorFlow Lite");
    assertNamed(latin("RDX3\nX\n"), "xgb.save");
    assertNamed(latin("X\n\0\0\0\u0003"), "saveRDS");
    assertNamed(latin("PAR1"), "Parquet");
    assertNamed(latin("version https://git-lfs.github.com/spec/v1\n"), "git lfs pull");
    assertNamed(latin("<!DOCTYPE html><html>"), "HTML");
    assertNamed(latin("BZh91AY"), "bzip2");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(List.of());
    }
    assertNamed(bytes.toByteArray(), "Java object");
    for (int level = 0; level <= 9; level++) {
      Deflater deflater = new Deflater(level);
      bytes.reset();
      try (DeflaterOutputStream out = new DeflaterOutputStream(bytes, deflater)) {
        out.write(latin("\u0080\u0003"));
      }
      deflater.end();
      assertNamed(bytes.toByteArray(), "joblib");
    }
    assertNamed(latin("]\0\0\u0080\0\u00ff\u00ff"), "LZMA");
    assertNamed(latin("\u0018\0\0\0ORTM"), "use the .onnx file");
    assertNamed(latin("gbdt\nnum_class=1\n"), "LightGBM's text format of 2016");
    byte[] tar = new byte[512];
    System.arraycopy(latin("ustar"), 0, tar, 257, 5);
    assertNamed(tar, "a tar archive");
  }

  @Test
  void ranklibsOtherModels() {
    for (String kind : new String[] {"RankNet", "RankBoost", "LambdaRank", "ListNet"}) {
      assertRefused(
          "## " + kind + "\n## Epochs = 100\n1 2 3\n", "a model of " + kind + ", expected");
    }
    assertRefused("## Another\n1 2 3\n", "RankLib: expected <ensemble>");
  }

  @Test
  void namesThatStandTwice() {
    assertRefused("{\"a\":1,\"a\":2}", "an object contains the same name twice");
  }

  @Test
  void byteOrderMarkOfLightGbm() {
    Ensembles.assertSame(read(LIGHTGBM), read("\ufeff" + LIGHTGBM));
    String windows = "\ufeff" + LIGHTGBM.replace("\n", "\r\n");
    assertEquals(2, read(windows).trees().size());
    assertEquals(bytes(LIGHTGBM).length + 3, bytes("\ufeff" + LIGHTGBM).length);
  }
}

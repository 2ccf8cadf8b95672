// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.export;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.opensearch.test.OpenSearchTestCase;

/** The trainers themselves read the numbers that are exported for them, a million of each size. */
@ThreadLeakScope(ThreadLeakScope.Scope.NONE) // RankLib's pool
public class TrainersReadFloatsTests extends OpenSearchTestCase {
  private static final int FLOATS = 1_000_000;

  private static final int PER_ROW = 10;

  /** Two leaves that both give the value of feature {@code x} itself. */
  private static final String LIGHTGBM_IDENTITY =
      """
      tree
      version=v4
      num_class=1
      num_tree_per_iteration=1
      label_index=0
      max_feature_idx=1
      objective=regression
      feature_names=qid x
      feature_infos=[0:1] [0:1]
      tree_sizes=400

      Tree=0
      num_leaves=2
      num_cat=0
      split_feature=1
      split_gain=1
      threshold=0
      decision_type=2
      left_child=-1
      right_child=-2
      leaf_value=0 0
      leaf_weight=1 1
      leaf_count=1 1
      internal_value=0
      internal_weight=2
      internal_count=2
      is_linear=1
      leaf_const=0 0
      num_features=1 1
      leaf_features=1 1
      leaf_coeff=1 1
      shrinkage=1


      end of trees
      """;

  /** Finite ones of all sizes, every third a denormal, and both zeros. */
  private static float[] floats() {
    float[] floats = new float[FLOATS];
    for (int i = 2; i < FLOATS; i++) {
      int bits = random().nextInt();
      int kept = i % 3 == 0 ? bits & 0x807fffff : bits;
      floats[i] = Float.isFinite(Float.intBitsToFloat(kept)) ? Float.intBitsToFloat(kept) : i;
    }
    floats[1] = -0f;
    return floats;
  }

  private static Path write(LogFormat format, float[] floats, int perRow) throws IOException {
    Path file = createTempDir().resolve("floats.txt");
    List<String> names = IntStream.range(0, perRow).mapToObj(f -> f == 0 ? "x" : "x" + f).toList();
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write(format.header(names));
      for (int from = 0; from < floats.length; from += perRow) {
        float[] values = Arrays.copyOfRange(floats, from, from + perRow);
        out.write(format.row(new LogFormat.Row(1 + from / 1000, "d", 0, values)));
      }
    }
    return file;
  }

  private static void assertBits(float[] expected, IntToDoubleFunction read) {
    for (int i = 0; i < expected.length; i++) {
      if (Double.doubleToLongBits(expected[i]) != Double.doubleToLongBits(read.applyAsDouble(i))) {
        fail(i + ": " + expected[i] + " is read as " + read.applyAsDouble(i));
      }
    }
  }

  /**
   * Called by the test that trains with LightGBM, whose library is loaded once. It takes values up
   * to 1e-35 for 0, and has no threshold between them.
   */
  static void checkLightGbmReadsEveryFloat(TrainerLibrary library) throws Exception {
    float[] floats = floats();
    Path file = write(LogFormat.LIGHTGBM, floats, 1);
    Path scores = file.resolveSibling("scores.txt");
    String calls = "com.microsoft.ml.lightgbm.lightgbmlib";
    Object pointer = library.call(calls, "voidpp_handle");
    Object iterations = library.call(calls, "new_intp");
    String load = "LGBM_BoosterLoadModelFromString";
    assertEquals(0, library.call(calls, load, LIGHTGBM_IDENTITY, iterations, pointer));
    String told = LogFormat.LIGHTGBM.columns(List.of("x"), Set.of()).replace('\n', ' ');
    assertEquals(
        0,
        library.call(
            calls,
            "LGBM_BoosterPredictForFile",
            library.call(calls, "voidpp_value", pointer),
            file.toString(),
            1,
            1,
            0,
            0,
            told + "num_threads=1 verbosity=-1",
            scores.toString()));
    List<String> read = Files.readAllLines(scores);
    assertEquals(FLOATS, read.size());
    for (int i = 0; i < FLOATS; i++) {
      floats[i] = Math.abs(floats[i]) > 1e-35f ? floats[i] : 0;
    }
    assertBits(floats, i -> Double.parseDouble(read.get(i)));
  }

  /** Those without an exponent; its reader rounds others more than once. */
  public void testXgBoostReadsFloats() throws Exception {
    float[] floats = floats();
    for (int i = 2; i < FLOATS; i++) {
      float size = Math.abs(floats[i]);
      floats[i] =
          size >= 0x1p-38f && size < 0x1p64f
              ? floats[i]
              : Math.scalb(1 + random().nextFloat(), random().nextInt(102) - 38);
    }
    Path file = write(LogFormat.XGBOOST, floats, PER_ROW);
    Path binary = file.resolveSibling("binary");
    try (TrainerLibrary library = TrainerLibrary.open()) {
      Object data = library.create("ml.dmlc.xgboost4j.java.DMatrix", file + "?format=libsvm");
      TrainerLibrary.call(data, "saveBinary", binary.toString());
    }
    // The entries stand at the end: a column and its value each.
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(binary)).order(ByteOrder.LITTLE_ENDIAN);
    int start = bytes.capacity() - 8 * FLOATS;
    assertEquals(PER_ROW - 1, bytes.getInt(bytes.capacity() - 8));
    assertBits(floats, i -> bytes.getFloat(start + 8 * i + 4));
  }

  public void testRankLibReadsEveryFloat() throws Exception {
    float[] floats = floats();
    Path file = write(LogFormat.RANKLIB, floats, PER_ROW);
    float[] read = new float[FLOATS];
    int at = 0;
    try (TrainerLibrary library = TrainerLibrary.open()) {
      for (Object list :
          (List<?>)
              library.call(
                  "ciir.umass.edu.features.FeatureManager", "readInput", file.toString())) {
        int size = (Integer) TrainerLibrary.call(list, "size");
        for (int i = 0; i < size; i++) {
          Object point = TrainerLibrary.call(list, "get", i);
          for (int f = 1; f <= PER_ROW; f++) {
            read[at++] = (Float) TrainerLibrary.call(point, "getFeatureValue", f);
          }
        }
      }
    }
    assertEquals(FLOATS, at);
    assertBits(floats, i -> read[i]);
  }

  /** As data frames and JSON libraries read: a double, then a float. */
  public void testReadersOfDoublesReadEveryFloat() throws Exception {
    float[] floats = floats();
    List<String> rows = Files.readAllLines(write(LogFormat.CSV, floats, PER_ROW));
    assertBits(
        floats, i -> Double.parseDouble(rows.get(1 + i / PER_ROW).split(",")[3 + i % PER_ROW]));
  }
}

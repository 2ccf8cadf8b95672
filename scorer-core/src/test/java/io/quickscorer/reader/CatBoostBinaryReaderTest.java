package io.quickscorer.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CatBoostBinaryReaderTest {
  private static TreeEnsemble read(byte[] file) {
    return ModelReader.read(file, ModelFormat.AUTO, EnsembleLimits.DEFAULT);
  }

  private static void assertRefused(CatBoostFile file, String said) {
    assertRefused(file.toBytes(), said);
  }

  private static void assertRefused(byte[] file, String said) {
    InvalidModelException e = assertThrows(InvalidModelException.class, () -> read(file));
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains(said) && message.startsWith("byte "), message);
  }

  @Test
  void theSameAsTheJsonModel() {
    TreeEnsemble binary = read(CatBoostFile.small().toBytes());
    TreeEnsemble json = SmallModels.read(SmallModels.CATBOOST);
    assertEquals("catboost_binary", binary.source().format());
    assertEquals(List.of("0", "b"), binary.featureNames());
    assertEquals(2, binary.scale());
    assertEquals(7, binary.bias());
    for (float first : new float[] {0.5f, Math.nextUp(0.5f), Float.NaN}) {
      for (float second : new float[] {2.5f, Math.nextUp(2.5f), Float.NaN}) {
        assertEquals(
            SmallModels.score(json, first, second), SmallModels.score(binary, first, second));
      }
    }
  }

  @Test
  void whatIsAbsentHasItsDefault() {
    CatBoostFile file = new CatBoostFile().ints(2, 0, 0).doubles(8, 3, 40).number(15, 500);
    TreeEnsemble constant = read(file.features(file.feature(0, "a", 1)).toBytes());
    assertEquals(1, constant.scale());
    assertEquals(543, SmallModels.score(constant, 1));
    assertEquals(0, constant.shape().usedFeatures());
  }

  @Test
  void whatIsRefusedByName() {
    assertRefused(CatBoostFile.small().dimension(3), "ApproxDimension: 3");
    assertRefused(CatBoostFile.small().doubles(16, 1, 2), "MultiBias: 2");
    assertRefused(CatBoostFile.small().part("static_provider_v1"), "without CTR or text data");
    int[] slots = {4, 6, 7, 10, 12, 13, 18};
    List<String> names =
        List.of("categorical", "one-hot", "CTR", "oblivious", "text", "estimated", "embedding");
    for (int i = 0; i < slots.length; i++) {
      assertRefused(CatBoostFile.small().ints(slots[i], 0), names.get(i));
    }
  }

  @Test
  void traps() {
    assertRefused(CatBoostFile.small().ints(2, 31), "tree 0: 31 splits");
    assertRefused(CatBoostFile.small().ints(2, -1), "tree 0: -1 splits");
    assertRefused(CatBoostFile.small().ints(2, 3), "tree 0: 3 splits");
    assertRefused(CatBoostFile.small().ints(2, 1), "1 splits and 2 leaves more");
    assertRefused(CatBoostFile.small().ints(2, 2, 0), "tree 1: 1 leaves, 0 left");
    assertRefused(CatBoostFile.small().ints(1, 1, 2), "tree 0: split 2, expected 0..1");
    assertRefused(CatBoostFile.small().ints(1, 1, -1), "tree 0: split -1");
    assertRefused(CatBoostFile.small().doubles(8, 1, 2, 3, Double.NaN), "leaf value NaN");
    assertRefused(CatBoostFile.small().doubles(8, 1, 2, 3), "tree 0: 4 leaves, 3 left");
    CatBoostFile file = CatBoostFile.small();
    assertRefused(file.features(file.feature(1, "a", 0, 1f)), "feature 0: Index is not 0");
    file = CatBoostFile.small();
    assertRefused(file.features(file.feature(0, "a", 3, 1f)), "NanValueTreatment 3");
    file = CatBoostFile.small();
    assertRefused(file.features(file.feature(0, "a", 0, Float.NaN, 1f)), "threshold NaN");
    byte[] small = CatBoostFile.small().toBytes();
    assertRefused(Arrays.copyOf(small, small.length + 1), "more after the trees");
    assertRefused(Arrays.copyOf(small, 6), "expected CBM1 and a length");
    assertRefused(Arrays.copyOf(small, small.length - 1), "core: ");
    // One table of borders for each of many features would make little bytes much work.
    CatBoostFile shared = CatBoostFile.small();
    int feature = shared.feature(0, "", 0, new float[2_000]);
    assertRefused(shared.features(feature, feature), "feature 1: Index is not 1");
  }

  @Test
  void limits() {
    byte[] small = CatBoostFile.small().toBytes();
    EnsembleLimits[] tight = {
      new EnsembleLimits(0, 10, 10, 10, 10, 10),
      new EnsembleLimits(10, 3, 10, 10, 10, 10),
      new EnsembleLimits(10, 10, 1, 10, 10, 10),
      new EnsembleLimits(10, 10, 10, 1, 10, 10),
      new EnsembleLimits(10, 10, 10, 10, 6, 10),
    };
    for (int i = 0; i < tight.length; i++) {
      EnsembleLimits limits = tight[i];
      for (byte[] file : List.of(small, SmallModels.bytes(SmallModels.CATBOOST))) {
        InvalidModelException e =
            assertThrows(
                InvalidModelException.class,
                () -> ModelReader.read(file, ModelFormat.AUTO, limits));
        assertEquals(EnsembleLimits.Limit.values()[i], e.limit());
        assertTrue(String.valueOf(e.getMessage()).startsWith("byte "), e.getMessage());
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.reader.SmallModels;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
    assertEquals("catboost_binary", binary.source().format().label());
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
    assertRefused(CatBoostFile.small().dimension(3), "3 values per leaf: several outputs");
    assertRefused(CatBoostFile.small().doubles(16, 1, 2), "MultiBias: found 2 numbers, expected 1");
    assertRefused(CatBoostFile.small().part("text"), "text and embedding data are not supported");
    int[] slots = {12, 13, 18};
    List<String> names = List.of("text", "estimated", "embedding");
    for (int i = 0; i < slots.length; i++) {
      assertRefused(CatBoostFile.small().ints(slots[i], 0), names.get(i));
    }
  }

  @Test
  void traps() {
    assertRefused(CatBoostFile.small().ints(2, 31), "tree 0: found 31 splits");
    assertRefused(CatBoostFile.small().ints(2, -1), "tree 0: found -1 splits");
    assertRefused(CatBoostFile.small().ints(2, 3), "tree 0: found 3 splits");
    assertRefused(CatBoostFile.small().ints(2, 1), "1 splits and 2 leaf values, expected none");
    assertRefused(
        CatBoostFile.small().ints(2, 2, 0), "tree 1: needs 1 leaf values, but only 0 are left");
    assertRefused(CatBoostFile.small().ints(1, 1, 2), "tree 0: split 2, expected 0..1");
    assertRefused(CatBoostFile.small().ints(1, 1, -1), "tree 0: split -1");
    assertRefused(CatBoostFile.small().doubles(8, 1, 2, 3, Double.NaN), "leaf value NaN");
    assertRefused(
        CatBoostFile.small().doubles(8, 1, 2, 3),
        "tree 0: needs 4 leaf values, but only 3 are left");
    CatBoostFile file = CatBoostFile.small();
    assertRefused(
        file.features(file.feature(-1, "a", 0, 1f)), "feature 0: Index -1, expected 0 or more");
    file = CatBoostFile.small();
    assertRefused(file.features(file.feature(0, "a", 3, 1f)), "NanValueTreatment 3");
    file = CatBoostFile.small();
    assertRefused(file.features(file.feature(0, "a", 0, Float.NaN, 1f)), "threshold NaN");
    byte[] small = CatBoostFile.small().toBytes();
    assertRefused(Arrays.copyOf(small, small.length + 1), "more data after the trees");
    assertRefused(Arrays.copyOf(small, 6), "the file must begin with the bytes CBM1 and a length");
    assertRefused(Arrays.copyOf(small, small.length - 1), "core: ");
    // One list of borders for each of many features would make little bytes much work.
    CatBoostFile shared = CatBoostFile.small();
    int first = shared.feature(0, "", 0);
    int second = shared.feature(1, "", 0, new float[2_000]);
    shared.shareBorders(first, second);
    assertRefused(
        shared.features(first, second),
        "feature 1, Borders: the vectors and strings read so far have more bytes than this part of"
            + " the file, so at least two of them share bytes");
  }

  /** As {@code drop_unused_features} leaves them: numbers and columns are those of before. */
  @Test
  void leftOutFeatures() {
    CatBoostFile file = CatBoostFile.small();
    TreeEnsemble ensemble =
        read(file.features(file.feature(1, "b", 0, 1f), file.feature(3, "d", 0, 2f)).toBytes());
    assertEquals(List.of("0", "b", "2", "d"), ensemble.featureNames());
    CatBoostFile numbered = CatBoostFile.small();
    ensemble =
        read(
            numbered
                .features(numbered.feature(1, "2", 0, 1f), numbered.feature(3, "4", 0, 2f))
                .toBytes());
    assertEquals(List.of("0", "2", "column 2", "4"), ensemble.featureNames());
    CatBoostFile twice = CatBoostFile.small();
    assertRefused(
        twice.features(twice.feature(1, "b", 0, 1f), twice.feature(1, "b", 0, 2f)),
        "features must be in ascending order: found number 1, expected 2 or more");
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

  /** All that is read lies before the last string's end; what follows it is alignment. */
  @Test
  void everyTruncationOfTheCore() {
    byte[] whole = CatBoostFile.small().toBytes();
    int last = whole.length;
    while (whole[last - 1] != 'b') {
      last--;
    }
    for (int length = 8; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      ByteBuffer.wrap(cut).order(ByteOrder.LITTLE_ENDIAN).putInt(4, length - 8);
      if (length >= last) {
        assertEquals(2, read(cut).featureNames().size());
      } else {
        InvalidModelException e = assertThrows(InvalidModelException.class, () -> read(cut));
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains(", but the data is at offsets 8.." + length), message);
      }
    }
  }

  @Test
  void places() {
    byte[] small = CatBoostFile.small().toBytes();
    InvalidModelException e =
        assertThrows(
            InvalidModelException.class, () -> read(Arrays.copyOf(small, small.length - 8)));
    assertEquals(
        "byte 4: core: length of "
            + (small.length - 8)
            + " bytes, but the file has "
            + (small.length - 16),
        e.getMessage());
    e =
        assertThrows(
            InvalidModelException.class, () -> read(Arrays.copyOf(small, small.length + 1)));
    assertEquals(
        "byte "
            + small.length
            + ": more data after the trees; text and embedding data are not supported",
        e.getMessage());
    assertRefused(CatBoostFile.small().ints(2, 17), "tree 0: found 17 splits, expected 0..2");
    assertRefused(CatBoostFile.small().ints(2, 2, 1), "tree 1: found 1 splits, expected 0..0");
    assertRefused(
        CatBoostFile.small().ints(2, 1),
        ": after the last tree: found 1 splits and 2 leaf values, expected none");
    assertRefused(
        CatBoostFile.small().doubles(8, 1, 2, 3, 4, 5),
        ": after the last tree: found 0 splits and 1 leaf values, expected none");
    assertRefused(CatBoostFile.small().ints(1, 1, 2), "tree 0: split 2, expected 0..1");
    CatBoostFile file = CatBoostFile.small();
    assertRefused(
        file.features(file.feature(0, "a", -1, 1f)),
        "feature 0: NanValueTreatment -1, expected 0..2");
    assertRefused(
        new CatBoostFile().ints(2, 0).doubles(8, 3).doubles(16, 1, 2, 3),
        "MultiBias: found 3 numbers, expected 1");
  }

  @Test
  void oneOutputAndOneBias() {
    assertEquals(7, read(CatBoostFile.small().dimension(1).toBytes()).bias());
    assertEquals(7, read(CatBoostFile.small().number(15, 9).toBytes()).bias(), "the vector wins");
    CatBoostFile none = new CatBoostFile().ints(2, 0).doubles(8, 3);
    TreeEnsemble constant = read(none.features(none.feature(0, "a", 0)).toBytes());
    assertEquals(0, constant.bias());
    assertEquals(3, SmallModels.score(constant, 1));
  }

  /** Two trees, of which the second takes its own splits and leaves. */
  @Test
  void severalTrees() {
    CatBoostFile file = new CatBoostFile();
    file.ints(1, 0, 2, 1).ints(2, 1, 2).doubles(8, 1, 2, 10, 20, 30, 40);
    int first = file.feature(0, "", 1, 0.5f);
    int second = file.feature(1, "", 2, 1.5f, 2.5f);
    TreeEnsemble ensemble = read(file.features(first, second).toBytes());
    assertEquals(1 + 10, SmallModels.score(ensemble, 0, 0));
    assertEquals(2 + 30, SmallModels.score(ensemble, 1, 2));
    assertEquals(1 + 40, SmallModels.score(ensemble, Float.NaN, Float.NaN));
  }

  /** Trees that are not oblivious, one-hot splits, and columns in an order of their own. */
  @Test
  void categories() {
    TreeEnsemble json = SmallModels.read(SmallModels.CATBOOST_CATEGORIES);
    for (TreeEnsemble ensemble : List.of(read(CatBoostFile.categories().toBytes()), json)) {
      assertEquals(List.of("unused", "x", "2", "kind"), ensemble.featureNames());
      assertFalse(ensemble.uses(0));
      for (float kind : new float[] {3, 3.9f}) {
        assertEquals(4000, SmallModels.score(ensemble, 9, 0.5f, 9, kind));
        assertEquals(20, SmallModels.score(ensemble, 9, 1, 9, kind));
      }
      assertEquals(300, SmallModels.score(ensemble, 9, 1, 9, 12));
      for (float none : new float[] {0, -0.5f, -3, 2, 13, 1e9f, Float.NaN}) {
        assertEquals(1, SmallModels.score(ensemble, 9, Float.NaN, 9, none));
        assertEquals(20, SmallModels.score(ensemble, 9, 0.75f, 9, none));
      }
    }
  }

  @Test
  void targetStatisticsThatNoFeatureRefersTo() {
    CatBoostFile file = CatBoostFile.categories().part("static_provider_v1");
    assertEquals(4, read(file.toBytes(0)).featureNames().size());
    assertEquals(4, read(file.toBytes(2, 4, 99, 0)).featureNames().size());
    assertRefused(file.toBytes(), "static_provider_v1: ends after the end of the file");
    assertRefused(file.toBytes(1), "static_provider_v1: ends after the end of the file");
    assertRefused(file.toBytes(1, 5, 0), "table of 5 bytes ends after the end of the file");
    assertRefused(
        file.toBytes(1, -1, 0), "table of 4294967295 bytes ends after the end of the file");
    assertRefused(file.toBytes(-1, 0), "static_provider_v1: ends after the end of the file");
    assertRefused(file.toBytes(0, 0), "more data after the trees");
  }

  @Test
  void trapsOfNodes() {
    int leaf = CatBoostFile.steps(0, 0);
    int both = CatBoostFile.steps(1, 1);
    assertRefused(
        CatBoostFile.categories().ints(10, both, leaf, leaf, leaf, leaf, leaf), "already has");
    assertRefused(
        CatBoostFile.categories().ints(10, CatBoostFile.steps(5, 1), leaf, leaf, leaf, leaf, leaf),
        "tree 0, node 0: its children are 5 and 1 nodes ahead, expected at most 4");
    assertRefused(
        CatBoostFile.categories().ints(10, CatBoostFile.steps(1, 65535), 0, 0, 0, 0, 0),
        "tree 0, node 0: its children are 1 and 65535 nodes ahead, expected at most 4");
    assertRefused(
        CatBoostFile.categories().ints(10, leaf, leaf, leaf, leaf, leaf, leaf),
        "tree 0, node 0: leaf -1, expected 0..4");
    assertRefused(
        CatBoostFile.categories().ints(11, 0, 0, 1, 2, 3, 5),
        "tree 1, node 0: leaf 5, expected 0..4");
    assertRefused(
        CatBoostFile.categories().ints(11, 0, 0, 1, 2, 3), "5 NonSymmetricNodeIdToLeafId");
    assertRefused(CatBoostFile.categories().ints(1, 0, 2, 0, 1, 0), "5 TreeSplits");
    assertRefused(CatBoostFile.categories().ints(3, 0), "2 TreeSizes and 1 TreeStartOffsets");
    assertRefused(
        CatBoostFile.categories().ints(3, 0, 4),
        "tree 1: found 1 nodes that start at node 4, expected 1..1 nodes that start at node 5");
    assertRefused(
        CatBoostFile.categories().ints(2, 7, -1),
        "tree 0: found 7 nodes that start at node 0, expected 1..6 nodes that start at node 0");
    assertRefused(
        CatBoostFile.categories().ints(2, 0, 6), "tree 0: found 0 nodes that start at node 0");
    assertRefused(
        CatBoostFile.categories().ints(2, 5).ints(3, 0),
        "after the last tree: found 1 nodes, expected none");
    assertRefused(
        CatBoostFile.categories().ints(1, 0, 3, 0, 1, 0, 0), "tree 0: split 3, expected 0..2");
    assertRefused(
        CatBoostFile.categories().ints(2, 1, 5).ints(3, 0, 1), "tree 0, node 0: its children");
  }

  @Test
  void trapsOfCategories() {
    CatBoostFile file = CatBoostFile.categories();
    assertRefused(file.tables(6, file.oneHot(2, 1)), "one-hot feature 0: Index 2, expected 0..1");
    file = CatBoostFile.categories();
    int oneHot = file.oneHot(1, 593172586);
    assertRefused(file.tables(6, oneHot, oneHot), "one-hot feature 1: the feature is listed twice");
    file = CatBoostFile.categories();
    assertRefused(file.tables(4, file.categorical(-1, "a", 0)), "categorical feature 0: Index -1");
    file = CatBoostFile.categories();
    assertRefused(
        file.tables(6, file.oneHot(1, 593172586, -1)),
        "tree 0, node 1: the model stores a category only as hash 4294967295, and no integer of"
            + " 0..16777215 has this hash");
    for (int column : new int[] {-2, 2}) {
      file = CatBoostFile.categories();
      int unused = file.categorical(0, "a", 0);
      assertRefused(
          file.tables(4, unused, file.categorical(1, "b", column)),
          "flat index "
              + column
              + (column < 0 ? ", expected 0 or more" : ": two features have this index"));
    }
  }
}

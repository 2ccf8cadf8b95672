// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.compact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.reader.Ensembles;
import io.quickscorer.reader.ModelFormats;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.reader.SmallModels;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Our own binary format: what is written is read back in every part, damage is refused, and so are
 * files made to deceive, whose checksum is right.
 */
final class CompactModelTest {
  private static final int RANDOM_ENSEMBLES = 200;
  private static final int FORGERIES = 20_000;

  static TreeEnsemble read(byte[] file) {
    return ModelReader.read(file, ModelFormat.AUTO, EnsembleLimits.DEFAULT);
  }

  static InvalidModelException refused(byte[] file) {
    return assertThrows(InvalidModelException.class, () -> read(file));
  }

  private static void assertRefused(byte[] file, String said) {
    String message = String.valueOf(refused(file).getMessage());
    assertTrue(message.contains(said), message);
  }

  /** A small model with categories, zero as missing, covers, gains, and a note. */
  static byte[] small() {
    TreeEnsemble categorical = read(SmallModels.bytes(SmallModels.LIGHTGBM));
    return CompactModelWriter.write(categorical);
  }

  @Test
  void everyFixtureComesBackWhole() {
    for (Fixture fixture : Fixture.all()) {
      for (String encoding : fixture.encodings()) {
        TreeEnsemble ensemble = read(fixture.model(encoding));
        byte[] file = CompactModelWriter.write(ensemble);
        Ensembles.assertSame(ensemble, read(file));
        assertEquals(
            Arrays.hashCode(file),
            Arrays.hashCode(CompactModelWriter.write(read(file))),
            "the same model has the same bytes");
      }
    }
  }

  @Test
  void linearModelsComeBackWhole() {
    for (String model :
        List.of(SmallModels.LINEAR, SmallModels.RANKLIB_LINEAR, SmallModels.XGBOOST_LINEAR)) {
      TreeEnsemble ensemble = read(SmallModels.bytes(model));
      byte[] file = CompactModelWriter.write(ensemble);
      Ensembles.assertSame(ensemble, read(file));
      EnsembleLimits few = new EnsembleLimits(10, 10, 10, 10, 1, 10);
      InvalidModelException e =
          assertThrows(
              InvalidModelException.class, () -> ModelReader.read(file, ModelFormat.AUTO, few));
      assertEquals(EnsembleLimits.Limit.NODES, e.limit());
    }
  }

  @Test
  void randomEnsemblesComeBackWhole() {
    SplittableRandom random = Seeds.random("compact");
    for (int i = 0; i < RANDOM_ENSEMBLES * Seeds.iterations(); i++) {
      RandomEnsembles ensembles =
          RandomEnsembles.of(random).trees(1 + random.nextInt(5)).leaves(1, 1 + random.nextInt(80));
      ensembles = random.nextBoolean() ? ensembles.floatLeaves() : ensembles;
      ensembles = random.nextBoolean() ? ensembles.categorical() : ensembles;
      ensembles = random.nextBoolean() ? ensembles.covers() : ensembles;
      ensembles = random.nextBoolean() ? ensembles.chains() : ensembles;
      TreeEnsemble ensemble = ensembles.build();
      Ensembles.assertSame(ensemble, read(CompactModelWriter.write(ensemble)));
    }
  }

  @Test
  void mappedFiles(@TempDir Path folder) throws IOException {
    Path file = Files.write(folder.resolve("model"), small());
    Ensembles.assertSame(
        read(small()), ModelReader.read(file, ModelFormat.AUTO, EnsembleLimits.DEFAULT));
    Path text = Files.write(folder.resolve("text"), SmallModels.bytes(SmallModels.LIGHTGBM));
    Ensembles.assertSame(
        read(small()), ModelReader.read(text, ModelFormat.AUTO, EnsembleLimits.DEFAULT));
  }

  @Test
  void everyTruncationIsRefused() {
    byte[] file = small();
    for (int length = 0; length < file.length; length++) {
      refused(Arrays.copyOf(file, length));
    }
    refused(Arrays.copyOf(file, file.length + 1));
  }

  @Test
  void everyBitFlipIsRefused() {
    byte[] file = small();
    for (int bit = 0; bit < file.length * 8; bit++) {
      file[bit / 8] ^= (byte) (1 << bit % 8);
      refused(file);
      file[bit / 8] ^= (byte) (1 << bit % 8);
    }
    read(file);
  }

  /** The checksum is no protection against those who can compute it. */
  @Test
  void everyForgedBitFlipIsRefusedOrAModel() {
    byte[] file = small();
    int accepted = 0;
    for (int bit = 0; bit < file.length * 8; bit++) {
      file[bit / 8] ^= (byte) (1 << bit % 8);
      accepted += offer(signed(file.clone()));
      file[bit / 8] ^= (byte) (1 << bit % 8);
    }
    System.out.printf("forged bit flips: %d of %d accepted%n", accepted, file.length * 8);
    assertTrue(accepted > 0 && accepted < file.length * 8);
  }

  @Test
  void randomForgeriesAreRefusedOrModels() {
    SplittableRandom random = Seeds.random("forgeries");
    byte[] file = small();
    int accepted = 0;
    for (int i = 0; i < FORGERIES * Seeds.iterations(); i++) {
      ByteBuffer forged = ByteBuffer.wrap(file.clone()).order(ByteOrder.LITTLE_ENDIAN);
      for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
        int at = 4 * random.nextInt(file.length / 4);
        int[] extremes = {0, 1, -1, 2, 8, 1 << 16, Integer.MAX_VALUE, Integer.MIN_VALUE, 1 << 30};
        forged.putInt(at, extremes[random.nextInt(extremes.length)]);
      }
      accepted += offer(signed(forged.array()));
    }
    System.out.printf("forgeries: %d of %d accepted%n", accepted, FORGERIES);
  }

  /** Offers a file whose checksum is right; returns 1 if it is accepted, as a valid model. */
  private static int offer(byte[] file) {
    TreeEnsemble ensemble;
    try {
      ensemble = read(file);
    } catch (InvalidModelException e) {
      return 0;
    }
    for (Tree tree : ensemble.trees()) {
      Set<Integer> children = new HashSet<>();
      for (int split = 0; split < tree.splits(); split++) {
        children.add(tree.left(split));
        children.add(tree.right(split));
      }
      assertEquals(2 * tree.splits(), children.size());
      assertFalse(children.contains(0), "the root is nobody's child");
    }
    return 1;
  }

  static byte[] signed(byte[] file) {
    ByteBuffer buffer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putInt(CompactLayout.CHECKSUM_AT, CompactLayout.checksum(buffer));
    return file;
  }

  /** The offset of a section's entry in the table. */
  static int entry(ByteBuffer file, int id) {
    int entry = CompactLayout.HEADER_BYTES;
    while (file.getInt(entry) != id) {
      entry += CompactLayout.ENTRY_BYTES;
    }
    return entry;
  }

  static byte[] forged(int id, int offset, long value) {
    ByteBuffer file = ByteBuffer.wrap(small()).order(ByteOrder.LITTLE_ENDIAN);
    int at = entry(file, id) + offset;
    if (offset < 8) {
      file.putInt(at, (int) value);
    } else {
      file.putLong(at, value);
    }
    return signed(file.array());
  }

  @Test
  void sectionsOfLaterVersions() {
    // Optional sections of unknown numbers are passed over: nothing scores otherwise without them.
    ByteBuffer file = ByteBuffer.wrap(small()).order(ByteOrder.LITTLE_ENDIAN);
    assertTrue(read(small()).trees().getFirst().statistics().hasGains());
    file.putInt(entry(file, CompactLayout.STATISTICS), 201);
    file.putInt(entry(file, CompactLayout.FLOAT_COVERS), 202);
    file.putInt(entry(file, CompactLayout.GAINS), 203);
    TreeEnsemble plain = read(signed(file.array()));
    assertFalse(plain.trees().getFirst().statistics().hasGains());
    assertEquals(read(small()).shape(), plain.shape());
    assertRefused(forged(CompactLayout.THRESHOLDS, 0, 200), "section 200: needs a later version");
    file.putInt(CompactLayout.VERSION_AT, 2);
    assertRefused(signed(file.array()), "version 2 of the format, expected 1");
  }

  @Test
  void forgedTables() {
    assertRefused(forged(CompactLayout.NODES, 8, 1L << 40), "offset");
    assertRefused(forged(CompactLayout.NODES, 8, 0), "offset");
    assertRefused(forged(CompactLayout.NODES, 16, Long.MAX_VALUE), "length");
    assertRefused(forged(CompactLayout.NODES, 16, -1), "length");
    assertRefused(forged(CompactLayout.NODES, 16, 0), "splits, expected 0..0");
    assertRefused(forged(CompactLayout.NAMES, 16, 4), "texts");
    assertRefused(forged(CompactLayout.SOURCE, 16, 0), "texts");
    assertRefused(forged(CompactLayout.NODES, 0, CompactLayout.NAMES), "there is another one");
  }

  @Test
  void forgedShapes() {
    ByteBuffer file = ByteBuffer.wrap(small()).order(ByteOrder.LITTLE_ENDIAN);
    int nodes = (int) file.getLong(entry(file, CompactLayout.NODES) + 8);
    for (int bits : List.of(0, CompactLayout.LEFT_LEAF | CompactLayout.RIGHT_LEAF)) {
      byte[] forged = small();
      forged[nodes] = (byte) bits;
      assertRefused(signed(forged), "splits, its shape has");
    }
  }

  @Test
  void otherFormatsAreNotMistakenForIt() {
    assertThrows(
        InvalidModelException.class,
        () ->
            ModelReader.read(
                SmallModels.bytes(SmallModels.XGBOOST),
                ModelFormats.COMPACT,
                EnsembleLimits.DEFAULT));
  }

  /** Each kind of statistics is written where there is any of it, of either width. */
  @Test
  void statisticsOfAllKinds() {
    String model = SmallModels.LIGHTGBM;
    String first = model.substring(model.indexOf("Tree=0"), model.indexOf("Tree=1"));
    String twice =
        model
            .replace(model.substring(model.indexOf("Tree=1"), model.indexOf("end of trees")), "")
            .replace(first, first + first.replace("Tree=0", "Tree=1"));
    String noGains = twice.replace("split_gain=2 1\n", "");
    String wide = "leaf_count=16777217 1 1";
    String noCovers = twice.replace("leaf_count=1 1 1\n", "");
    for (String text :
        List.of(
            twice,
            noGains,
            noGains.replaceFirst("leaf_count=1 1 1", wide),
            noGains.replace("leaf_count=1 1 1", wide),
            noCovers,
            noCovers.replace("split_gain=2 1\n", ""))) {
      TreeEnsemble ensemble = read(SmallModels.bytes(text));
      Ensembles.assertSame(ensemble, read(CompactModelWriter.write(ensemble)));
    }
  }
}

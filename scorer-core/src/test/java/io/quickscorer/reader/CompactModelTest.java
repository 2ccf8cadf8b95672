package io.quickscorer.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.fixtures.Fixture;
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

  private static TreeEnsemble read(byte[] file) {
    return ModelReader.read(file, ModelFormat.AUTO, EnsembleLimits.DEFAULT);
  }

  private static InvalidModelException refused(byte[] file) {
    return assertThrows(InvalidModelException.class, () -> read(file));
  }

  private static void assertRefused(byte[] file, String said) {
    String message = String.valueOf(refused(file).getMessage());
    assertTrue(message.contains(said), message);
  }

  /** A small model with categories, zero as missing, covers, gains, and a note. */
  private static byte[] small() {
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

  private static byte[] signed(byte[] file) {
    ByteBuffer buffer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putInt(CompactLayout.CHECKSUM_AT, CompactLayout.checksum(buffer));
    return file;
  }

  /** The offset of a section's entry in the table. */
  private static int entry(ByteBuffer file, int id) {
    int entry = CompactLayout.HEADER_BYTES;
    while (file.getInt(entry) != id) {
      entry += CompactLayout.ENTRY_BYTES;
    }
    return entry;
  }

  private static byte[] forged(int id, int offset, long value) {
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
                ModelFormat.COMPACT,
                EnsembleLimits.DEFAULT));
  }

  /** A number in a section's content, of a file that is right otherwise. */
  private static byte[] content(byte[] file, int id, int at, int value) {
    ByteBuffer buffer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putInt((int) buffer.getLong(entry(buffer, id) + 8) + at, value);
    return signed(file);
  }

  private static void assertRefusedAs(byte[] file, String message) {
    assertEquals(message, refused(file).getMessage());
  }

  @Test
  void headers() {
    byte[] file = small();
    assertRefusedAs(
        Arrays.copyOf(file, file.length + 8),
        "byte 16: the file has "
            + (file.length + 8)
            + " bytes, expected "
            + file.length
            + ": was it cut?");
    file[file.length - 1] ^= 1;
    assertRefusedAs(file, "byte 12: the checksum differs: the file is damaged");
    for (int count : new int[] {-1, 257, Integer.MAX_VALUE}) {
      ByteBuffer header = ByteBuffer.wrap(small()).order(ByteOrder.LITTLE_ENDIAN);
      header.putInt(CompactLayout.COUNT_AT, count);
      assertRefusedAs(signed(header.array()), "byte 24: " + count + " sections");
    }
    InvalidModelException e =
        assertThrows(
            InvalidModelException.class,
            () -> ModelReader.read(new byte[31], ModelFormat.COMPACT, EnsembleLimits.DEFAULT));
    assertEquals("byte 0: not the header of a compact model", e.getMessage());
  }

  /** The model with empty sections of later versions, so that it has that many. */
  private static byte[] withSections(int wanted) {
    ByteBuffer from = ByteBuffer.wrap(small()).order(ByteOrder.LITTLE_ENDIAN);
    int count = from.getInt(CompactLayout.COUNT_AT);
    int more = (wanted - count) * CompactLayout.ENTRY_BYTES;
    int table = CompactLayout.HEADER_BYTES + count * CompactLayout.ENTRY_BYTES;
    int end = (from.limit() + more + 7) & -8;
    ByteBuffer to = ByteBuffer.allocate(end).order(ByteOrder.LITTLE_ENDIAN);
    to.put(0, from, 0, table).put(table + more, from, table, from.limit() - table);
    to.putInt(CompactLayout.COUNT_AT, wanted).putLong(CompactLayout.LENGTH_AT, end);
    for (int i = 0; i < wanted; i++) {
      int entry = CompactLayout.HEADER_BYTES + i * CompactLayout.ENTRY_BYTES;
      if (i < count) {
        to.putLong(entry + 8, to.getLong(entry + 8) + more);
      } else {
        to.putInt(entry, 1_000 + i).putLong(entry + 8, end);
      }
    }
    return signed(to.array());
  }

  @Test
  void asManySectionsAsAllowed() {
    Ensembles.assertSame(read(small()), read(withSections(256)));
    assertRefusedAs(withSections(257), "byte 24: 257 sections");
  }

  @Test
  void forgedTexts() {
    assertRefusedAs(content(small(), CompactLayout.NAMES, 0, -1), "section 3: -1 texts");
    assertRefusedAs(content(small(), CompactLayout.NAMES, 0, 3), "section 3: 3 texts");
    assertRefusedAs(
        content(small(), CompactLayout.NAMES, 4, -1),
        "section 3, text 0: -1 bytes, fewer are left");
    assertRefusedAs(
        content(small(), CompactLayout.NAMES, 4, 7), "section 3, text 0: 7 bytes, fewer are left");
    assertRefusedAs(
        content(small(), CompactLayout.NAMES, 4, 5), "section 3, text 1: -1 bytes, fewer are left");
    byte[] latin1 = small();
    ByteBuffer buffer = ByteBuffer.wrap(latin1).order(ByteOrder.LITTLE_ENDIAN);
    latin1[(int) buffer.getLong(entry(buffer, CompactLayout.NAMES) + 8) + 8] = (byte) 0xff;
    assertRefusedAs(signed(latin1), "section 3, text 0: not valid UTF-8");
    assertRefusedAs(
        content(small(), CompactLayout.SOURCE, 0, 2), "section 2: 2 texts, expected 3 or more");
    String unknown = ": none that this version knows; a later one may have written the file";
    assertRefusedAs(content(small(), CompactLayout.ARITHMETIC, 8, 0), "accumulator" + unknown);
    assertRefusedAs(
        content(small(), CompactLayout.ARITHMETIC, 18, 0), "output transform" + unknown);
    assertRefusedAs(content(small(), CompactLayout.ARITHMETIC, 0, 1), "output transform" + unknown);
  }

  @Test
  void forgedColumns() {
    assertRefusedAs(
        content(small(), CompactLayout.TREES, 0, -1), "tree 0: -1 splits, expected 0..2");
    assertRefusedAs(content(small(), CompactLayout.TREES, 4, 3), "tree 1: 3 splits, expected 0..2");
    assertRefusedAs(
        content(small(), CompactLayout.TREES, 0, 1),
        "columns of other lengths than 1 splits and 3 leaves of 2 trees have");
    for (int section :
        new int[] {CompactLayout.FEATURES, CompactLayout.THRESHOLDS, CompactLayout.FLOAT_LEAVES}) {
      assertRefusedAs(
          forged(section, 16, 4),
          "columns of other lengths than 2 splits and 4 leaves of 2 trees have");
    }
    assertRefusedAs(forged(CompactLayout.SCALARS, 16, 32), "section 1: 32 bytes");
    assertRefusedAs(
        forged(CompactLayout.STATISTICS, 16, 1), "section 12: expected 2 bytes, one per tree");
    assertRefusedAs(
        forged(CompactLayout.FLOAT_COVERS, 16, 16), "covers: 16 bytes left, expected 20");
    assertRefusedAs(forged(CompactLayout.GAINS, 16, 4), "gains: 4 bytes left, expected 8");
    assertRefusedAs(forged(CompactLayout.GAINS, 0, 200), "gains: 0 bytes left, expected 8");
    String less = " words, the file has less";
    assertRefusedAs(
        content(small(), CompactLayout.SET_WORDS, 0, 2), "tree 0: a category set of 2" + less);
    assertRefusedAs(
        content(small(), CompactLayout.SET_WORDS, 0, -1), "tree 0: a category set of -1" + less);
    assertRefusedAs(forged(CompactLayout.SET_WORDS, 16, 0), "tree 0: a category set of -1" + less);
    assertRefusedAs(
        content(small(), CompactLayout.FEATURES, 4, 2), "tree 0, node 1: feature 2, expected 0..1");
    byte[] kinds = small();
    ByteBuffer buffer = ByteBuffer.wrap(kinds).order(ByteOrder.LITTLE_ENDIAN);
    int at = (int) buffer.getLong(entry(buffer, CompactLayout.STATISTICS) + 8);
    kinds[at] = CompactLayout.FLOAT_COVERS_BIT;
    assertRefusedAs(signed(kinds), "section 15: 8 bytes too many");
  }

  @Test
  void forgedTerms() {
    byte[] linear = CompactModelWriter.write(read(SmallModels.bytes(SmallModels.LINEAR)));
    assertRefusedAs(
        content(linear.clone(), CompactLayout.TERM_FEATURES, 4, 2),
        "term 1: feature 2, expected 0..1");
    assertRefusedAs(
        content(linear.clone(), CompactLayout.TERM_FEATURES, 0, -1),
        "term 0: feature -1, expected 0..1");
    int[] sections = {
      CompactLayout.TERM_FEATURES, CompactLayout.TERM_WEIGHTS, CompactLayout.TERM_NORMALISERS
    };
    int[] lengths = {7, 8, 8};
    for (int i = 0; i < sections.length; i++) {
      ByteBuffer file = ByteBuffer.wrap(linear.clone()).order(ByteOrder.LITTLE_ENDIAN);
      file.putLong(entry(file, sections[i]) + 16, lengths[i]);
      assertRefusedAs(
          signed(file.array()),
          "columns of other lengths than " + (i == 0 ? 1 : 2) + " terms have");
    }
  }

  @Test
  void limits() {
    String[] messages = {
      "trees: 2, at most 1 allowed",
      "tree 0: leaves: 3, at most 2 allowed",
      "features: 2, at most 1 allowed",
      "tree 0: category: 0, at most -1 allowed"
    };
    EnsembleLimits[] limits = {
      new EnsembleLimits(1, 9, 9, 9, 9, 99),
      new EnsembleLimits(9, 2, 9, 9, 9, 99),
      new EnsembleLimits(9, 9, 9, 1, 9, 99),
      new EnsembleLimits(9, 9, 9, 9, 9, -1),
    };
    for (int i = 0; i < limits.length; i++) {
      EnsembleLimits own = limits[i];
      InvalidModelException e =
          assertThrows(
              InvalidModelException.class, () -> ModelReader.read(small(), ModelFormat.AUTO, own));
      assertEquals(messages[i], e.getMessage());
    }
    EnsembleLimits tight = new EnsembleLimits(2, 3, 2, 2, 6, 33);
    Ensembles.assertSame(read(small()), ModelReader.read(small(), ModelFormat.AUTO, tight));
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

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.compact;

import static io.quickscorer.reader.compact.CompactModelTest.entry;
import static io.quickscorer.reader.compact.CompactModelTest.forged;
import static io.quickscorer.reader.compact.CompactModelTest.read;
import static io.quickscorer.reader.compact.CompactModelTest.refused;
import static io.quickscorer.reader.compact.CompactModelTest.signed;
import static io.quickscorer.reader.compact.CompactModelTest.small;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.reader.Ensembles;
import io.quickscorer.reader.ModelFormats;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.reader.SmallModels;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Files in our own format made to deceive, whose checksum is right: refusals word by word. */
final class CompactForgeriesTest {
  /** A number in a section's content, of a file that is right otherwise. */
  private static byte[] content(byte[] file, int id, int at, int value) {
    ByteBuffer buffer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putInt((int) buffer.getLong(entry(buffer, id) + 8) + at, value);
    return signed(file);
  }

  private static void assertRefusedAs(byte[] file, String message) {
    assertEquals(message, refused(file).getMessage());
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
            () -> ModelReader.read(new byte[31], ModelFormats.COMPACT, EnsembleLimits.DEFAULT));
    assertEquals("byte 0: not the header of a compact model", e.getMessage());
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
        content(small(), CompactLayout.SET_WORDS, 0, ~1), "tree 0: a category set of 1" + less);
    assertRefusedAs(
        forged(CompactLayout.SET_WORDS, 16, 0), "tree 0: a category set that the file lacks");
    String sparse =
        SmallModels.with(
            SmallModels.XGBOOST, "\"categories\":[1,33]", "\"categories\":[1,5000000]");
    for (int place : new int[] {-1, 5_000_000 / Long.SIZE, Integer.MAX_VALUE}) {
      byte[] file = CompactModelWriter.write(SmallModels.read(sparse));
      assertRefusedAs(
          content(file, CompactLayout.SET_PLACES, 0, place),
          "tree 0: a category set whose words are not in order");
    }
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
      "tree 0, node 1: category: 33, at most 32 allowed"
    };
    EnsembleLimits[] limits = {
      new EnsembleLimits(1, 9, 9, 9, 9, 99),
      new EnsembleLimits(9, 2, 9, 9, 9, 99),
      new EnsembleLimits(9, 9, 9, 1, 9, 99),
      new EnsembleLimits(9, 9, 9, 9, 9, 32),
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
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.compact;

import io.quickscorer.ensemble.InvalidModelException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The header and the sections of a file in our own binary format, checked. */
final class CompactSections {
  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  private final Map<Integer, ByteBuffer> sections = new HashMap<>();

  private CompactSections() {}

  /**
   * The sections of a file.
   *
   * @throws InvalidModelException if the file is damaged, cut, or needs a later version to be read
   */
  static CompactSections of(ByteBuffer bytes) {
    ByteBuffer file = bytes.duplicate().clear().limit(bytes.limit()).order(ByteOrder.LITTLE_ENDIAN);
    if (file.limit() < CompactLayout.HEADER_BYTES || file.getLong(0) != CompactLayout.MAGIC) {
      throw InvalidModelException.at(0, "not the header of a compact model");
    }
    int version = file.getInt(CompactLayout.VERSION_AT);
    if (version != CompactLayout.VERSION) {
      throw InvalidModelException.at(
          CompactLayout.VERSION_AT,
          "version " + version + " of the format, expected " + CompactLayout.VERSION);
    }
    long length = file.getLong(CompactLayout.LENGTH_AT);
    if (length != file.limit()) {
      throw InvalidModelException.at(
          CompactLayout.LENGTH_AT,
          "the file has " + file.limit() + " bytes, expected " + length + ": was it cut?");
    }
    if (file.getInt(CompactLayout.CHECKSUM_AT) != CompactLayout.checksum(file)) {
      throw InvalidModelException.at(
          CompactLayout.CHECKSUM_AT, "the checksum differs: the file is damaged");
    }
    CompactSections sections = new CompactSections();
    sections.readTable(file);
    return sections;
  }

  private void readTable(ByteBuffer file) {
    int count = file.getInt(CompactLayout.COUNT_AT);
    long end = CompactLayout.HEADER_BYTES + (long) count * CompactLayout.ENTRY_BYTES;
    if (count < 0 || count > CompactLayout.MAX_SECTIONS || end > file.limit()) {
      throw InvalidModelException.at(CompactLayout.COUNT_AT, count + " sections");
    }
    for (int i = 0; i < count; i++) {
      int entry = CompactLayout.HEADER_BYTES + i * CompactLayout.ENTRY_BYTES;
      int id = file.getInt(entry);
      int flags = file.getInt(entry + 4);
      long offset = file.getLong(entry + 8);
      long length = file.getLong(entry + 16);
      if (offset < end
          || offset % CompactLayout.ALIGNMENT != 0
          || length < 0
          || length > file.limit() - offset) {
        throw InvalidModelException.at(
            entry, "section " + id + ": offset " + offset + ", length " + length);
      }
      end = offset + length;
      // One comparison: two could be fused wrongly with those of the next test of it.
      boolean known =
          Integer.compareUnsigned(
                  id - CompactLayout.SCALARS, CompactLayout.LAST - CompactLayout.SCALARS)
              <= 0;
      if (!known && (flags & CompactLayout.REQUIRED) != 0) {
        throw InvalidModelException.at(
            entry, "section " + id + ": needs a later version than this one");
      }
      ByteBuffer section = file.slice((int) offset, (int) length).order(ByteOrder.LITTLE_ENDIAN);
      if (known && sections.put(id, section) != null) {
        throw InvalidModelException.at(entry, "section " + id + ": there is another one");
      }
    }
  }

  boolean has(int id) {
    return sections.containsKey(id);
  }

  /** A section, to be read from its position on. */
  ByteBuffer get(int id) {
    ByteBuffer section = sections.get(id);
    if (section == null) {
      throw new InvalidModelException("section " + id + ": missing");
    }
    return section;
  }

  /** A section, or nothing where there is none. */
  ByteBuffer getOrEmpty(int id) {
    return sections.getOrDefault(id, EMPTY);
  }

  /** The texts of a section. */
  List<String> strings(int id) {
    ByteBuffer section = get(id).position(0);
    int count = section.remaining() < Integer.BYTES ? -1 : section.getInt();
    // Each text has at least a length.
    if (count < 0 || count > section.remaining() / Integer.BYTES) {
      throw new InvalidModelException("section " + id + ": " + count + " texts");
    }
    List<String> texts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int length = section.remaining() < Integer.BYTES ? -1 : section.getInt();
      if (length < 0 || length > section.remaining()) {
        throw new InvalidModelException(
            "section " + id + ", text " + i + ": " + length + " bytes, fewer are left");
      }
      ByteBuffer text = section.slice(section.position(), length);
      try {
        texts.add(StandardCharsets.UTF_8.newDecoder().decode(text).toString());
      } catch (CharacterCodingException e) {
        throw new InvalidModelException("section " + id + ", text " + i + ": not valid UTF-8");
      }
      section.position(section.position() + length);
    }
    return texts;
  }

  /** Expects that every section was read to its end. */
  void checkAllRead() {
    sections.forEach(
        (id, section) -> {
          if (section.hasRemaining()) {
            throw new InvalidModelException(
                "section " + id + ": " + section.remaining() + " bytes too many");
          }
        });
  }
}

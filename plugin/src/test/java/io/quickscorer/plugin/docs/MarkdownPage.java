// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A page of the documentation, as its lines.
 *
 * @param text the lines outside of fences; the others are empty
 */
record MarkdownPage(Path file, List<String> lines, List<String> text, List<Fence> fences) {
  /** The folder of the repository, of which this module is a child. */
  static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

  private static final Pattern HEADING = Pattern.compile("(#{1,6}) (.*)");
  private static final Pattern REASON = Pattern.compile("<!-- not run: (.+) -->");
  private static final String MARK = "```";

  /**
   * A block of code.
   *
   * @param line of its first mark, from 1
   * @param language the word after the mark; may be empty
   * @param reason why no test runs it, from the comment above it; null without one
   */
  record Fence(int line, String language, String content, @Nullable String reason) {}

  /**
   * The lines from a heading to the next one of any level.
   *
   * @param level 1 for the title
   */
  record Section(int level, String heading, List<String> lines) {
    /** The first table whose first column has this header, without header; empty if none. */
    List<List<String>> table(String header) {
      List<List<String>> rows = new ArrayList<>();
      boolean inside = false;
      for (String line : lines) {
        if (!inside && line.startsWith("| " + header + " |")) {
          inside = true;
        } else if (inside && !line.startsWith("|")) {
          return rows;
        } else if (inside && !line.startsWith("|--")) {
          rows.add(Stream.of(line.split("(?<!\\\\)\\|")).skip(1).map(String::strip).toList());
        }
      }
      return rows;
    }
  }

  /** All pages of the repository, built files excepted. */
  static List<MarkdownPage> all() throws IOException {
    List<MarkdownPage> pages = new ArrayList<>();
    for (String folder : List.of("", ".github", "config")) {
      try (Stream<Path> files = Files.list(REPOSITORY.resolve(folder))) {
        read(files, pages);
      }
    }
    for (String module : List.of("plugin", "scorer-core", "gpu")) {
      try (Stream<Path> files = Files.walk(REPOSITORY.resolve(module).resolve("docs"))) {
        read(files, pages);
      }
    }
    return pages;
  }

  private static void read(Stream<Path> files, List<MarkdownPage> pages) throws IOException {
    for (Path file : files.sorted().toList()) {
      if (file.toString().endsWith(".md")) {
        pages.add(of(file, Files.readAllLines(file)));
      }
    }
  }

  static MarkdownPage of(Path file, List<String> lines) {
    List<String> text = new ArrayList<>();
    List<Fence> fences = new ArrayList<>();
    int begin = -1;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      boolean mark = line.startsWith(MARK);
      text.add(mark || begin >= 0 ? "" : line);
      if (mark && begin < 0) {
        begin = i;
      } else if (mark) {
        Matcher reason = REASON.matcher(begin == 0 ? "" : lines.get(begin - 1));
        fences.add(
            new Fence(
                begin + 1,
                lines.get(begin).substring(MARK.length()).strip(),
                String.join("\n", lines.subList(begin + 1, i)),
                reason.matches() ? reason.group(1) : null));
        begin = -1;
      }
    }
    if (begin >= 0) {
      throw new AssertionError(file + ":" + (begin + 1) + ": fence without end");
    }
    return new MarkdownPage(file, lines, text, fences);
  }

  /** Its path in the repository, with slashes. */
  String name() {
    return REPOSITORY.relativize(file).toString().replace('\\', '/');
  }

  List<Section> sections() {
    List<Section> sections = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      Matcher heading = HEADING.matcher(text.get(i));
      if (heading.matches()) {
        sections.add(new Section(heading.group(1).length(), heading.group(2), new ArrayList<>()));
      } else if (!sections.isEmpty()) {
        sections.getLast().lines().add(lines.get(i));
      }
    }
    return sections;
  }

  /** The anchors of its headings, as GitHub makes them; a repeated one gets a number. */
  Set<String> anchors() {
    Set<String> anchors = new LinkedHashSet<>();
    for (Section section : sections()) {
      String anchor =
          section
              .heading()
              .replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1")
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N}_\\- ]", "")
              .replace(' ', '-');
      int number = 0;
      while (!anchors.add(number == 0 ? anchor : anchor + "-" + number)) {
        number++;
      }
    }
    return anchors;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The rules of {@code config/plain-english.txt}.
 *
 * @param banned by their advice
 * @param code ceilings of main code, by expression
 * @param allowed exceptions, each a file and a part of a line
 * @param words the most words of a sentence
 */
record PlainEnglish(
    Map<Pattern, String> banned, Map<Pattern, Integer> code, Set<String> allowed, int words) {
  private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?:])\\s+(?=[A-Z0-9*`(])");
  private static final Pattern SENTENCE_ENDED = Pattern.compile("[.!?:;][*_)`\"]*$");
  private static final Pattern LIST_MARK = Pattern.compile("^\\s*(?:[-*]|\\d+\\.)\\s+");
  private static final Pattern LINK = Pattern.compile("!?\\[([^\\]]*)]\\([^)]*\\)");
  private static final Pattern CODE = Pattern.compile("`[^`]*`");
  private static final Pattern CELL_END = Pattern.compile("(?<!\\\\)\\|");

  /** A line, of a sentence that breaks a rule. */
  record Problem(String file, int line, String text, String rule) {
    @Override
    public String toString() {
      return file + ":" + line + ": " + rule + ": " + text;
    }
  }

  static PlainEnglish read() throws IOException {
    return of(Files.readAllLines(MarkdownPage.REPOSITORY.resolve("config/plain-english.txt")));
  }

  static PlainEnglish of(List<String> lines) {
    Map<Pattern, String> banned = new LinkedHashMap<>();
    Map<Pattern, Integer> code = new LinkedHashMap<>();
    Set<String> allowed = new TreeSet<>();
    int words = Integer.MAX_VALUE;
    for (String line : lines) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] parts = line.split(" ", 2);
      String[] rule = parts[1].split(" => ", 2);
      switch (parts[0]) {
        case "ban" -> banned.put(Pattern.compile(rule[0]), rule[1]);
        case "code" -> {
          String[] ceiling = rule[0].split(" ", 2);
          code.put(Pattern.compile(ceiling[1]), Integer.valueOf(ceiling[0]));
        }
        case "allow" -> allowed.add(parts[1]);
        case "words" -> words = Integer.parseInt(parts[1]);
        default -> throw new AssertionError("unknown rule: " + line);
      }
    }
    return new PlainEnglish(banned, code, allowed, words);
  }

  /** The problems of a page, and in {@code used} the exceptions that it needs. */
  List<Problem> problems(MarkdownPage page, Set<String> used) {
    List<Problem> problems = new ArrayList<>();
    for (int i = 0; i < page.text().size(); i++) {
      String line = page.text().get(i);
      boolean prose = isProse(line);
      boolean ended = !prose || i + 1 == page.text().size() || !goesOn(page.text().get(i + 1));
      if (!ended && !SENTENCE_ENDED.matcher(line).find()) {
        problems.add(
            new Problem(page.name(), i + 1, line, "the sentence goes on in the next line"));
      }
      for (String sentence : sentences(line)) {
        String rule = broken(sentence, prose);
        if (!rule.isEmpty() && !isAllowed(page.name(), line, used)) {
          problems.add(new Problem(page.name(), i + 1, sentence, rule));
        }
      }
    }
    return problems;
  }

  private static boolean isProse(String line) {
    return !line.isBlank()
        && !line.startsWith("|")
        && !line.startsWith("#")
        && !line.startsWith("<");
  }

  /** Whether a line belongs to the paragraph or the item of the line above it. */
  private static boolean goesOn(String line) {
    return isProse(line) && !LIST_MARK.matcher(line).find();
  }

  private boolean isAllowed(String file, String line, Set<String> used) {
    for (String exception : allowed) {
      String[] parts = exception.split(": ", 2);
      if (parts[0].equals(file) && line.contains(parts[1])) {
        used.add(exception);
        return true;
      }
    }
    return false;
  }

  /** The rule that a sentence breaks; empty if none. */
  String broken(String sentence, boolean prose) {
    for (Map.Entry<Pattern, String> rule : banned.entrySet()) {
      Matcher matcher = rule.getKey().matcher(sentence);
      if (matcher.find()) {
        return "\"" + matcher.group() + "\" (" + rule.getValue() + ")";
      }
    }
    int length = sentence.split("\\s+").length;
    return prose && length > words ? length + " words" : "";
  }

  /** The sentences of a line, links and code as one word each. */
  static List<String> sentences(String line) {
    List<String> sentences = new ArrayList<>();
    for (String cell : line.startsWith("|") ? CELL_END.split(line) : new String[] {line}) {
      String plain = CODE.matcher(LIST_MARK.matcher(cell).replaceFirst("")).replaceAll("`x`");
      String text = LINK.matcher(plain).replaceAll("$1").replaceAll("[*#]+", "").strip();
      Stream.of(SENTENCE_END.split(text)).filter(part -> !part.isBlank()).forEach(sentences::add);
    }
    return sentences;
  }

  /** Where an expression occurs in the sources of main code, each with its line. */
  static List<String> occurrences(Pattern pattern, List<Path> sources) throws IOException {
    List<String> found = new ArrayList<>();
    for (Path source : sources) {
      String text = Files.readString(source).replaceAll("/\\*\\*\\s+\\*?\\s*", "/** ");
      Matcher matcher = pattern.matcher(text);
      while (matcher.find()) {
        int begin = text.lastIndexOf('\n', matcher.start()) + 1;
        String line = text.substring(begin).lines().findFirst().orElse("");
        found.add(source.getFileName() + ": " + line.strip());
      }
    }
    return found;
  }
}

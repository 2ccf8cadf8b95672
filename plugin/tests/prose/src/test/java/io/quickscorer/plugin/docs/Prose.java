// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.languagetool.JLanguageTool;
import org.languagetool.Languages;
import org.languagetool.rules.RuleMatch;

/** LanguageTool for British English, with the exceptions of {@code config/prose.txt}. */
final class Prose {
  /** A noun that replaces code in a sentence. */
  private static final String CODE = "Xcode";

  /** A name in code that is not marked as such. */
  private static final Pattern NAME = Pattern.compile("\\w*_\\w*");

  private final JLanguageTool tool = new JLanguageTool(Languages.getLanguageForShortCode("en-GB"));

  /** Names of rules, words, and parts of sentences, each of these after its rule and a blank. */
  private final Set<String> exceptions;

  private final Set<String> used = new TreeSet<>();

  /** A sentence that breaks a rule. */
  record Problem(String file, int line, String rule, String message, String sentence) {
    @Override
    public String toString() {
      return file + ":" + line + ": " + rule + ": " + message + ": " + sentence;
    }
  }

  private Prose(Set<String> exceptions) {
    this.exceptions = exceptions;
  }

  static Prose read() throws IOException {
    Set<String> exceptions = new TreeSet<>();
    for (String line : Files.readAllLines(MarkdownPage.REPOSITORY.resolve("config/prose.txt"))) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] entry = line.split(" => ", 2)[0].split(" ", 2);
      switch (entry[0]) {
        case "off", "accept" -> exceptions.add(entry[1]);
        case "words" -> exceptions.addAll(List.of(entry[1].split(" ")));
        default -> throw new AssertionError("unknown entry: " + line);
      }
    }
    return new Prose(exceptions);
  }

  /** The problems of a page, except those that the configuration accepts. */
  List<Problem> problems(MarkdownPage page) throws IOException {
    List<Problem> problems = new ArrayList<>();
    for (int i = 0; i < page.text().size(); i++) {
      String line = page.text().get(i);
      if (line.startsWith("<") || line.startsWith("|--")) {
        continue;
      }
      for (String part : PlainEnglish.sentences(line)) {
        String sentence = NAME.matcher(part.replace("`x`", CODE)).replaceAll(CODE);
        for (RuleMatch match : tool.check(sentence)) {
          if (!isAboutCode(match, sentence) && !isException(match, sentence)) {
            problems.add(problem(page, i + 1, match, sentence));
          }
        }
      }
    }
    return problems;
  }

  private static Problem problem(MarkdownPage page, int line, RuleMatch match, String sentence) {
    String found = sentence.substring(match.getFromPos(), match.getToPos());
    String message = match.getMessage().replaceAll("</?suggestion>", "\"");
    String instead = match.getSuggestedReplacements().stream().findFirst().orElse("");
    return new Problem(
        page.name(),
        line,
        match.getRule().getId(),
        message + " [" + found + "]" + (instead.isEmpty() ? "" : " => [" + instead + "]"),
        sentence);
  }

  /** Whether the problem is with code or with a word next to it, such as "an" before a name. */
  private static boolean isAboutCode(RuleMatch match, String sentence) {
    return sentence.substring(match.getFromPos(), match.getToPos()).contains(CODE)
        || sentence.substring(match.getToPos()).strip().startsWith(CODE)
        || sentence.substring(0, match.getFromPos()).strip().endsWith(CODE);
  }

  private boolean isException(RuleMatch match, String sentence) {
    String rule = match.getRule().getId();
    String found = sentence.substring(match.getFromPos(), match.getToPos());
    List<String> accepted =
        exceptions.stream()
            .filter(
                exception ->
                    exception.equals(rule)
                        || exception.equals(found) && rule.startsWith("MORFOLOGIK_RULE")
                        || exception.startsWith(rule + " ")
                            && sentence.contains(exception.substring(rule.length() + 1)))
            .toList();
    used.addAll(accepted);
    return !accepted.isEmpty();
  }

  /** The exceptions that no page has needed. */
  Set<String> unused() {
    Set<String> unused = new TreeSet<>(exceptions);
    unused.removeAll(used);
    return unused;
  }
}

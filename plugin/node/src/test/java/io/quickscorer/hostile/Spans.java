// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The ways in which a text that has a grammar, such as a template, an expression, a plan or a
 * model, can grow: its pieces repeated, numbered or nested, and its names made longer.
 */
final class Spans {
  /** Of longer texts, only the start is looked at. */
  private static final int LOOKED_AT = 20_000;

  private static final int SHAPE = 40;
  private static final Pattern DIGITS = Pattern.compile("\\d+");
  private static final Pattern WORD = Pattern.compile("[A-Za-z_]\\w*");
  private static final Pattern TAG = Pattern.compile("\\{\\{[^}]*}}+");
  private static final Pattern OPEN =
      Pattern.compile("\\{\\{[#^]([\\w.]+)}}|<(\\w+)[^>]*>|[(\\[{]");

  /** Tags, sections, parts of names or operands, clauses, words, lines, elements, signs, all. */
  private static final List<Pattern> PIECES =
      List.of(
          TAG,
          Pattern.compile("(?s)\\{\\{[#^](\\S+?)}}.*?\\{\\{/\\1}}"),
          Pattern.compile("[^\\w\\s\"{}]\\s*\\w+"),
          Pattern.compile("[;,][^;,]+"),
          Pattern.compile("\\w+\\s+"),
          Pattern.compile("[^\\n]+\\n"),
          Pattern.compile("(?s)<(\\w+)[^>]*>.*?</\\1>"),
          Pattern.compile("[^\\w\\s]"),
          Pattern.compile("(?s).+"));

  private enum Mode {
    SAME,
    NUMBERED,
    LONGER,
    NESTED
  }

  /**
   * A way.
   *
   * @param from where its piece begins
   * @param to where its piece ends
   * @param number which of the piece's numbers is counted
   * @param label the same for pieces that are alike
   */
  record Span(Mode mode, int from, int to, int number, String label) {
    String grown(String text, int times, long budget) {
      String piece = text.substring(from, to);
      return switch (mode) {
        case SAME -> repeated(text, i -> piece, fit(times, budget, piece.length()));
        case NUMBERED ->
            repeated(text, numbered(piece, number), fit(times, budget, piece.length() + 7));
        case LONGER -> {
          long all = (long) piece.length() * (text.length() / Math.max(1, piece.length()) + 1);
          long found = Pattern.compile(Pattern.quote(piece)).matcher(text).results().count();
          yield text.replace(
              piece, piece.repeat(fit(times, budget, Math.min(all, found * piece.length()))));
        }
        case NESTED -> nested(text, times, budget);
      };
    }

    private String repeated(String text, IntFunction<String> copy, int copies) {
      StringBuilder changed = new StringBuilder(text.substring(0, to));
      for (int i = 0; i < copies; i++) {
        changed.append(copy.apply(i));
      }
      return changed.append(text, to, text.length()).toString();
    }

    private String nested(String text, int times, long budget) {
      String open = text.substring(from, to);
      String name = open.replaceAll("[^\\w.]|(?<=\\w) .*", "");
      String close =
          open.startsWith("{{")
              ? "{{/" + name + "}}"
              : open.startsWith("<")
                  ? "</" + name + ">"
                  : open.equals("(") ? ")" : open.equals("[") ? "]" : "}";
      int end = text.indexOf(close, to);
      end = end < 0 ? text.length() : end;
      int depth = fit(times, budget, open.length() + close.length());
      return text.substring(0, from)
          + open.repeat(depth)
          + text.substring(from, end)
          + close.repeat(depth)
          + text.substring(end);
    }
  }

  private Spans() {}

  private static int fit(int times, long budget, long length) {
    return (int) Math.min(times, budget / Math.max(1, length));
  }

  private static List<MatchResult> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().limit(1_000).toList();
  }

  /** One for each piece that is not like another. */
  static List<Span> of(String text) {
    Map<String, Span> spans = new LinkedHashMap<>();
    String start = text.substring(0, Math.min(text.length(), LOOKED_AT));
    for (Pattern pattern : PIECES) {
      for (MatchResult found : all(pattern, start)) {
        add(spans, Mode.SAME, found, 0);
        add(spans, Mode.NUMBERED, found, 0);
        if (all(DIGITS, found.group()).size() > 1) {
          add(spans, Mode.NUMBERED, found, 1);
        }
      }
    }
    List<MatchResult> tags = all(TAG, start);
    for (MatchResult word : all(WORD, start)) {
      // In a template, its own names.
      if (tags.isEmpty()
          || tags.stream().anyMatch(t -> t.start() < word.start() && word.end() < t.end())) {
        add(spans, Mode.LONGER, word, 0);
      }
    }
    all(OPEN, start).forEach(found -> add(spans, Mode.NESTED, found, 0));
    return new ArrayList<>(spans.values());
  }

  private static void add(Map<String, Span> spans, Mode mode, MatchResult found, int number) {
    String piece = found.group();
    String shape =
        mode == Mode.LONGER
            ? piece
            : piece.replaceAll("\\d+", "0").replaceAll("[A-Za-z_]+0?", "a").replaceAll("\\s+", " ");
    String label =
        mode
            + (number == 0 ? " " : number + " ")
            + shape.substring(0, Math.min(SHAPE, shape.length()));
    spans.put(label, new Span(mode, found.start(), found.end(), number, label));
  }

  /** The text with one of its numbers, or else words, made another, for every number. */
  static IntFunction<String> numbered(String text, int which) {
    List<MatchResult> digits =
        all(DIGITS, text).stream().filter(found -> found.group().length() < 9).toList();
    List<MatchResult> found = digits.isEmpty() ? all(WORD, text) : digits;
    if (found.isEmpty()) {
      return i -> text + i;
    }
    MatchResult at = found.get(which % found.size());
    String before = text.substring(0, at.start());
    String after = text.substring(at.end());
    int first = digits.isEmpty() ? 0 : Integer.parseInt(at.group()) + 1;
    String word = digits.isEmpty() ? at.group() : "";
    return i -> before + word + (first + i) + after;
  }

  /** How many numbers the text has, at most a few. */
  static int numbers(String text) {
    return Math.min(3, all(DIGITS, text.substring(0, Math.min(text.length(), LOOKED_AT))).size());
  }

  /** The text with one of its numbers replaced. */
  static String number(String text, int which, String value) {
    List<MatchResult> digits = all(DIGITS, text);
    if (digits.isEmpty()) {
      return text;
    }
    MatchResult at = digits.get(which % digits.size());
    return text.substring(0, at.start()) + value + text.substring(at.end());
  }
}

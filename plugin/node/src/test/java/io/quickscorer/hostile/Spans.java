// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Changes of texts that have a grammar, such as templates, expressions and models: pieces are
 * repeated, nested or replaced where a token begins.
 */
final class Spans {
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z_]+|\\d+|\\s+|(?s:.)");
  private static final Pattern TAG = Pattern.compile("\\{\\{.*?}}|<.*?>|\\S+|[^\\n]*\\n");
  private static final Pattern DIGITS = Pattern.compile("\\d+");
  private static final Pattern WORD = Pattern.compile("[A-Za-z_]\\w*");
  private static final Pattern OPEN = Pattern.compile("\\{\\{[#^](\\w+)}}|<(\\w+)[^>]*>|[(\\[{]");

  private Spans() {}

  private static List<MatchResult> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().limit(1_000).toList();
  }

  /** A piece repeated, every copy the same or with a number of its own. */
  static String repeat(String text, SplittableRandom random, int times, long budget) {
    if (text.isEmpty()) {
      return "a".repeat(times);
    }
    List<MatchResult> tokens = all(random.nextInt(3) == 0 ? TAG : TOKEN, text);
    int first = random.nextInt(tokens.size());
    int last = Math.min(tokens.size() - 1, first + random.nextInt(6));
    int from = random.nextInt(8) == 0 ? 0 : tokens.get(first).start();
    int to = random.nextInt(8) == 0 ? text.length() : tokens.get(last).end();
    if (to <= from) {
      to = text.length();
    }
    String piece = text.substring(from, to);
    boolean numbered = random.nextInt(3) == 0;
    int places = random.nextInt(4);
    int copies = (int) Math.min(times, budget / (piece.length() + (numbered ? 7 : 0)));
    StringBuilder changed = new StringBuilder(text.substring(0, to));
    IntFunction<String> copy = numbered ? numbered(piece, places) : i -> piece;
    for (int i = 0; i < copies; i++) {
      changed.append(copy.apply(i));
    }
    return changed.append(text, to, text.length()).toString();
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

  /** What opens and what closes a part, repeated around it. */
  static String nest(String text, SplittableRandom random, int times, long budget) {
    List<MatchResult> opening = all(OPEN, text);
    int from;
    String open;
    String close;
    int to;
    if (opening.isEmpty()) {
      open = "(";
      close = ")";
      from = text.isEmpty() ? 0 : random.nextInt(text.length());
      to = text.length();
    } else {
      MatchResult at = opening.get(random.nextInt(opening.size()));
      open = at.group();
      close =
          at.group(1) != null
              ? "{{/" + at.group(1) + "}}"
              : at.group(2) != null
                  ? "</" + at.group(2) + ">"
                  : open.equals("(") ? ")" : open.equals("[") ? "]" : "}";
      from = at.start();
      int end = text.indexOf(close, at.end());
      to = end < 0 ? text.length() : end;
    }
    int depth = (int) Math.min(times, budget / (open.length() + close.length()));
    return text.substring(0, from)
        + open.repeat(depth)
        + text.substring(from, to)
        + close.repeat(depth)
        + text.substring(to);
  }

  /** One of the text's numbers replaced; the text where it has none. */
  static String number(String text, SplittableRandom random, String value) {
    List<MatchResult> digits = all(DIGITS, text);
    if (digits.isEmpty()) {
      return text;
    }
    MatchResult at = digits.get(random.nextInt(digits.size()));
    return text.substring(0, at.start()) + value + text.substring(at.end());
  }

  /** Another text put in where a token begins. */
  static String splice(String text, String other, SplittableRandom random) {
    List<Integer> starts = new ArrayList<>(List.of(0, text.length()));
    starts.addAll(all(TOKEN, text).stream().map(MatchResult::start).collect(Collectors.toList()));
    int at = Words.pick(starts, random);
    return text.substring(0, at) + other + text.substring(at);
  }
}

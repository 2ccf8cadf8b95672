// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The rule against regular expressions that backtrack, over bytecode: searches with each constant
 * expression through texts that repeat one or two characters, and counts how often the search reads
 * a character. A number that is larger than some reads for each character grows faster than the
 * text.
 */
public final class SlowPatterns {
  /** Characters of most classes; those of the expression are added. */
  private static final String CHARACTERS = "aZ0_-. \n\"/:!\u00e9\u0001";

  private static final int REPEATED = 128;

  /** Maximum number of reads for each character of a text. */
  private static final int MAX_READS = 24;

  private SlowPatterns() {}

  /** A search has read more characters than allowed. */
  private static final class TooMany extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooMany() {
      super("too many reads", null, false, false);
    }
  }

  /** A text that counts how often a character of it is read. */
  private static final class CountingText implements CharSequence {
    private final String text;
    private int left;

    CountingText(String text) {
      this.text = text;
      left = MAX_READS * text.length();
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      left--;
      if (left < 0) {
        throw new TooMany();
      }
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * Returns the methods of the classes of a module that use such an expression, as "Class.method"
   * without the package.
   *
   * @param one any class of the module
   * @param prefixes those whose methods are returned, with slashes
   */
  public static Set<String> inModuleOf(Class<?> one, String... prefixes) throws Exception {
    Set<String> found = new TreeSet<>();
    for (ClassModel type : CallGraph.moduleOf(one)) {
      String owner = type.thisClass().asInternalName();
      if (List.of(prefixes).stream().anyMatch(owner::startsWith)) {
        for (MethodModel method : type.methods()) {
          if (constants(method).stream().anyMatch(SlowPatterns::isSlow)) {
            found.add(CallGraph.shown(owner + "." + method.methodName().stringValue()));
          }
        }
      }
    }
    return found;
  }

  /** Returns the texts in a method that has a regular expression: one of them is it. */
  private static Set<String> constants(MethodModel method) {
    Set<String> texts = new TreeSet<>();
    boolean matches = false;
    for (CodeElement element : method.code().map(all -> all.elementList()).orElse(List.of())) {
      if (element instanceof ConstantInstruction constant
          && constant.constantValue() instanceof String text) {
        texts.add(text);
      } else if (element instanceof InvokeInstruction call) {
        matches |= NumberFlow.isPattern(call.owner().asInternalName(), call.name().stringValue());
      }
    }
    return matches ? texts : Set.of();
  }

  /** Returns whether a search reads the characters of some text too often. */
  static boolean isSlow(String expression) {
    Pattern pattern;
    try {
      pattern = Pattern.compile(expression);
    } catch (PatternSyntaxException e) {
      return false;
    }
    List<String> all =
        (CHARACTERS + expression).chars().distinct().mapToObj(Character::toString).toList();
    String literal = expression.split("[^\\w\" ]", 2)[0];
    for (String start : new TreeSet<>(List.of("", literal))) {
      for (String one : all) {
        for (String other : all) {
          String repeated = start + one.repeat(REPEATED);
          String pairs = start + (one + other).repeat(REPEATED);
          if (isSlow(pattern, repeated + other) || isSlow(pattern, pairs + '\u0001')) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static boolean isSlow(Pattern pattern, String text) {
    try {
      pattern.matcher(new CountingText(text)).matches();
      Matcher matcher = pattern.matcher(new CountingText(text));
      while (matcher.find()) {
        // Goes on behind the match.
      }
      return false;
    } catch (TooMany e) {
      return true;
    }
  }
}

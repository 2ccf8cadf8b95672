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
 * The rule against regular expressions that backtrack, over bytecode: each constant expression is
 * searched for in texts that repeat its own characters, and the reads of characters are counted. A
 * text of twice the length must not need more than about twice the reads. Groups are not repeated,
 * because the JDK matches some of these by recursion, and a long text overflows the stack.
 */
public final class SlowPatterns {
  private static final int SHORT = 200;

  /** Maximum factor by which the number of reads grows if a text becomes twice as long. */
  private static final double MAX_FACTOR = 2.6;

  private static final long MAX_READS = 1_000_000;

  private static final Pattern REPEATED_GROUP = Pattern.compile("\\)(?:[*+]|\\{[0-9]*,)");

  private SlowPatterns() {}

  /** A search has read more characters than allowed. */
  private static final class TooMany extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooMany() {
      super("too many reads", null, false, false);
    }
  }

  /** A text that counts how often its characters are read. */
  private static final class CountingText implements CharSequence {
    private final String text;
    private long reads;

    CountingText(String text) {
      this.text = text;
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      reads++;
      if (reads > MAX_READS) {
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

  /** Returns whether some text needs a time that is not linear, or a stack that grows with it. */
  static boolean isSlow(String expression) {
    String groups = expression.replaceAll("\\\\.", "x").replaceAll("\\[[^\\]]*\\]", "x");
    if (REPEATED_GROUP.matcher(groups).find()) {
      return true;
    }
    Set<String> parts = new TreeSet<>(Set.of("a", "0", " ", "\n", "\"", "é"));
    expression.chars().forEach(c -> parts.add(Character.toString(c)));
    parts.add(expression.replaceAll("\\\\[a-zA-Z]|\\W&&[^\"{:\\[]", ""));
    for (int flags : new int[] {0, Pattern.DOTALL}) {
      Pattern pattern;
      try {
        pattern = Pattern.compile(expression, flags);
      } catch (PatternSyntaxException e) {
        return false;
      }
      for (String beginning : beginnings(expression)) {
        for (String first : parts) {
          for (String second : parts) {
            if (isSlow(pattern, beginning, first + second)) {
              return true;
            }
          }
        }
      }
    }
    return false;
  }

  /** Returns the words of an expression, and nothing: beginnings of texts that may match it. */
  private static Set<String> beginnings(String expression) {
    Set<String> words = new TreeSet<>(Set.of("", "["));
    words.addAll(List.of(expression.replaceAll("\\\\[a-zA-Z]", " ").split("[^a-zA-Z]+")));
    return words;
  }

  private static boolean isSlow(Pattern pattern, String beginning, String repeated) {
    String shorter = beginning + repeated.repeat(SHORT) + "\u0001";
    String longer = beginning + repeated.repeat(2 * SHORT) + "\u0001";
    try {
      return reads(pattern, longer)
          > MAX_FACTOR * Math.max(reads(pattern, shorter), shorter.length());
    } catch (TooMany | StackOverflowError e) {
      return true;
    }
  }

  private static long reads(Pattern pattern, String text) {
    CountingText counted = new CountingText(text);
    Matcher matcher = pattern.matcher(counted);
    while (matcher.find()) {
      // Goes on behind the match.
    }
    matcher.reset().matches();
    return counted.reads;
  }
}

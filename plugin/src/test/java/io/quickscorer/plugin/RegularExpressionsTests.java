// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.testing.CallGraph;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.opensearch.test.OpenSearchTestCase;

/**
 * All regular expressions of the plugin need a time that is linear in the text: they are run over
 * texts that repeat their own characters, and their reads of characters are counted. They repeat no
 * groups, because the JDK matches some of these by recursion, and a long text overflows the stack.
 */
public class RegularExpressionsTests extends OpenSearchTestCase {
  private static final Set<String> METHODS =
      Set.of("compile", "matches", "split", "replaceAll", "replaceFirst");

  private static final int SHORT = 200;

  /** Maximum factor by which the number of reads grows if a text becomes twice as long. */
  private static final double MAX_FACTOR = 2.6;

  private static final long MAX_READS = 1_000_000;

  private static final Pattern REPEATED_GROUP = Pattern.compile("\\)(?:[*+]|\\{[0-9]*,)");

  /** A text that counts how often its characters are read. */
  private static final class Counted implements CharSequence {
    private final String text;
    private long reads;

    Counted(String text) {
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
        throw new ArithmeticException("too many reads");
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

  /** Returns the regular expressions of a module: all constants before a call that takes one. */
  private static Set<String> inModuleOf(Class<?> one) throws Exception {
    Set<String> expressions = new TreeSet<>();
    for (ClassModel type : CallGraph.moduleOf(one)) {
      for (MethodModel method : type.methods()) {
        List<String> texts = new ArrayList<>();
        method
            .code()
            .ifPresent(
                code ->
                    code.forEach(
                        element -> {
                          if (element instanceof ConstantInstruction constant
                              && constant.constantValue() instanceof String text) {
                            texts.add(text);
                          } else if (element instanceof InvokeInstruction call && takesOne(call)) {
                            boolean replaces = call.name().stringValue().startsWith("replace");
                            int at = texts.size() - (replaces ? 2 : 1);
                            expressions.add(texts.get(at));
                          }
                        }));
      }
    }
    return expressions;
  }

  private static boolean takesOne(InvokeInstruction call) {
    String owner = call.owner().asInternalName();
    return (owner.equals("java/lang/String") || owner.equals("java/util/regex/Pattern"))
        && METHODS.contains(call.name().stringValue())
        && call.typeSymbol().parameterCount() > 0
        && call.typeSymbol()
            .parameterType(0)
            .equals(String.class.describeConstable().orElseThrow());
  }

  private static long reads(Pattern pattern, String text) {
    Counted counted = new Counted(text);
    try {
      Matcher matcher = pattern.matcher(counted);
      while (matcher.find()) {
        // all matches
      }
      matcher.reset().matches();
      return counted.reads;
    } catch (ArithmeticException | StackOverflowError e) {
      return Long.MAX_VALUE;
    }
  }

  /** Returns the words of an expression, and nothing: beginnings of texts that may match it. */
  private static Set<String> beginnings(String expression) {
    Set<String> words = new TreeSet<>(Set.of("", "["));
    words.addAll(List.of(expression.replaceAll("\\\\[a-zA-Z]", " ").split("[^a-zA-Z]+")));
    return words;
  }

  /** Returns a text for which the time is not linear, or null. */
  private static String slowFor(String expression) {
    Set<String> parts = new TreeSet<>(Set.of("a", "0", " ", "\n", "\"", "é"));
    expression.chars().forEach(c -> parts.add(Character.toString(c)));
    parts.add(expression.replaceAll("\\\\[a-zA-Z]|\\W&&[^\"{:\\[]", ""));
    for (int flags : new int[] {0, Pattern.DOTALL}) {
      Pattern pattern = Pattern.compile(expression, flags);
      for (String beginning : beginnings(expression)) {
        for (String first : parts) {
          for (String second : parts) {
            String shorter = beginning + (first + second).repeat(SHORT) + "\u0001";
            String longer = beginning + (first + second).repeat(2 * SHORT) + "\u0001";
            long before = reads(pattern, shorter);
            long after = reads(pattern, longer);
            if (after == Long.MAX_VALUE
                || after > MAX_FACTOR * Math.max(before, shorter.length())) {
              return longer;
            }
          }
        }
      }
    }
    return null;
  }

  /** Returns whether an expression repeats a group, which the JDK may match by recursion. */
  private static boolean repeatsGroup(String expression) {
    String groups = expression.replaceAll("\\\\.", "x").replaceAll("\\[[^\\]]*\\]", "x");
    return REPEATED_GROUP.matcher(groups).find();
  }

  public void testTimeIsLinear() throws Exception {
    Set<String> expressions = inModuleOf(QuickScorerPlugin.class);
    assertTrue(expressions.toString(), expressions.size() >= 10);
    for (String expression : expressions) {
      assertNull("[" + expression + "] is slow for this text", slowFor(expression));
    }
  }

  public void testGroupsAreNotRepeated() throws Exception {
    for (String expression : inModuleOf(QuickScorerPlugin.class)) {
      assertFalse("[" + expression + "] needs stack per copy", repeatsGroup(expression));
    }
  }

  public void testTheRuleBites() {
    assertNotNull(slowFor("\\{.*\"x\"\\s*:.*\\}"));
    assertNotNull(slowFor("(a+)+b"));
    assertNotNull(slowFor("\\s+$"));
    assertNotNull(slowFor("\\bdoc\\s*\\.?\\s*(?:get)?\\s*\\["));
    assertNull(slowFor("\\b[a-z]++:"));
    assertNull(slowFor("\\s"));
    assertTrue(repeatsGroup("\\[(\\s*+[0-9]++,?)*\\]"));
    assertTrue(repeatsGroup("(?:a|b){2,}"));
    assertFalse(repeatsGroup("(a|b)?[)*]c*"));
  }
}

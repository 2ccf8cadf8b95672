// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.expression;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.Work;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.lucene.expressions.Expression;
import org.apache.lucene.expressions.js.JavascriptCompiler;
import org.apache.lucene.expressions.js.VariableContext;
import org.jspecify.annotations.Nullable;

/**
 * A compiled Lucene expression and the meaning of its variables. Two expressions are equal if their
 * sources are equal. Safe for use by several threads.
 */
public final class FeatureExpression {
  /**
   * Maximum length of an expression's text, in characters. It limits the depth of the compiler's
   * recursion.
   */
  private static final int MAX_LENGTH = 2_000;

  private final Expression compiled;
  private final List<Variable> variables;

  private FeatureExpression(Expression compiled, List<Variable> variables) {
    this.compiled = compiled;
    this.variables = List.copyOf(variables);
  }

  /** The meaning of a variable in the expression's text. */
  public sealed interface Variable {
    /** A variable {@code params.x} or {@code params['x']}: a number or boolean in the request. */
    record OfParam(String name) implements Variable {
      @Override
      public String toString() {
        return "params." + name;
      }
    }

    /**
     * A variable {@code field.x} or {@code field['x']}: a number in a field of the document, the
     * smallest if it has several.
     */
    record OfField(String name) implements Variable {
      @Override
      public String toString() {
        return "field." + name;
      }
    }

    /** A variable {@code x} or {@code feature['x']}: the value of another feature of the set. */
    record OfFeature(String name) implements Variable {
      @Override
      public String toString() {
        return name;
      }
    }
  }

  /**
   * Checks the length of an expression's text.
   *
   * @throws IllegalArgumentException if it is too long
   */
  public static void checkLength(String source) {
    if (source.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "[expression] has " + source.length() + " characters, expected at most " + MAX_LENGTH);
    }
  }

  /**
   * Compiles the text of an expression.
   *
   * @throws IllegalArgumentException if the source is not a valid expression
   */
  public static FeatureExpression compile(String source) {
    checkLength(source);
    Expression compiled;
    try {
      compiled = Guard.call(() -> "the text", () -> JavascriptCompiler.compile(source));
    } catch (ParseException | RuntimeException e) {
      throw new IllegalArgumentException("[expression]: " + e.getMessage(), e);
    }
    List<Variable> variables = new ArrayList<>();
    for (String variable : compiled.variables) {
      Work.step();
      variables.add(variable(variable));
    }
    return new FeatureExpression(compiled, variables);
  }

  private static Variable variable(String text) {
    List<VariableContext> parts = Arrays.asList(VariableContext.parse(text));
    for (VariableContext part : parts) {
      if (part.type != VariableContext.Type.MEMBER && part.type != VariableContext.Type.STR_INDEX) {
        throw unknown(text);
      }
    }
    String first = parts.getFirst().text;
    if (parts.size() == 1) {
      return new Variable.OfFeature(first);
    }
    String rest = parts.stream().skip(1).map(part -> part.text).collect(Collectors.joining("."));
    return switch (first) {
      case "params" -> new Variable.OfParam(rest);
      case "field" -> new Variable.OfField(rest);
      case "feature" -> new Variable.OfFeature(rest);
      default -> throw unknown(text);
    };
  }

  private static IllegalArgumentException unknown(String variable) {
    return new IllegalArgumentException(
        "[expression]: unknown variable ["
            + variable
            + "], expected a feature's name, feature['…'], field.… or params.…");
  }

  public String source() {
    return compiled.sourceText;
  }

  /** Returns the variables, in the order in which {@link #compiled} takes their values. */
  public List<Variable> variables() {
    return variables;
  }

  public Expression compiled() {
    return compiled;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FeatureExpression expression && expression.source().equals(source());
  }

  @Override
  public int hashCode() {
    return source().hashCode();
  }
}

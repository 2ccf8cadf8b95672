// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.StepLimit;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.apache.lucene.expressions.Expression;
import org.apache.lucene.expressions.js.JavascriptCompiler;
import org.apache.lucene.expressions.js.VariableContext;
import org.apache.lucene.search.DoubleValues;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.cache.Cache;
import org.opensearch.common.cache.CacheBuilder;

/**
 * A compiled Lucene expression (a formula such as {@code ln(a) + b}), with its variables.
 * Expressions with equal texts are equal. Safe for use by several threads.
 */
public final class LuceneExpression {
  /** Maximum length of the text, in characters. It limits the recursion of Lucene's compiler. */
  private static final int MAX_LENGTH = 2_000;

  private final Expression compiled;
  private final List<Variable> variables;

  private LuceneExpression(Expression compiled, List<Variable> variables) {
    this.compiled = compiled;
    this.variables = List.copyOf(variables);
  }

  /**
   * A variable in the expression's text.
   *
   * @param name the name of the parameter, field or feature
   */
  public record Variable(Kind kind, String name) {
    /** The kinds of variables. */
    public enum Kind {
      /** A number or boolean in the request: {@code params.x} or {@code params['x']}. */
      PARAM("params."),
      /** The smallest number in a field of the document: {@code field.x} or {@code field['x']}. */
      FIELD("field."),
      /** The value of another feature of the set: {@code x} or {@code feature['x']}. */
      FEATURE("");

      private final String prefix;

      Kind(String prefix) {
        this.prefix = prefix;
      }
    }

    @Override
    public String toString() {
      return kind.prefix + name;
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
  public static LuceneExpression compile(String source) {
    checkLength(source);
    Expression compiled;
    try {
      compiled = Guard.call(() -> "the text", () -> JavascriptCompiler.compile(source));
    } catch (ParseException | RuntimeException e) {
      throw new IllegalArgumentException("[expression]: " + e.getMessage(), e);
    }
    List<Variable> variables = new ArrayList<>();
    for (String variable : compiled.variables) {
      StepLimit.step();
      variables.add(variable(variable));
    }
    return new LuceneExpression(compiled, variables);
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
      return new Variable(Variable.Kind.FEATURE, first);
    }
    String rest = parts.stream().skip(1).map(part -> part.text).collect(Collectors.joining("."));
    return switch (first) {
      case "params" -> new Variable(Variable.Kind.PARAM, rest);
      case "field" -> new Variable(Variable.Kind.FIELD, rest);
      case "feature" -> new Variable(Variable.Kind.FEATURE, rest);
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

  public List<Variable> variables() {
    return variables;
  }

  /**
   * Computes the expression's value for each hit.
   *
   * @param inputs the values of the variables, in the order of {@link #variables}
   * @param values receives one result per hit
   */
  public void evaluate(InputColumn[] inputs, double[] values) throws IOException {
    DoubleValues[] current = inputs;
    for (int place = 0; place < values.length; place++) {
      for (InputColumn input : inputs) {
        input.moveTo(place);
      }
      values[place] = compiled.evaluate(current);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LuceneExpression expression && expression.source().equals(source());
  }

  @Override
  public int hashCode() {
    return source().hashCode();
  }

  /** The cache of the node's compiled expressions, safe for use by several threads. */
  public static final class Compiled {
    /** Maximum number of cached expressions. Each is a generated class of a few kilobytes. */
    private static final int MAX_KEPT = 2_000;

    private final Cache<String, LuceneExpression> cache =
        CacheBuilder.<String, LuceneExpression>builder().setMaximumWeight(MAX_KEPT).build();

    public LuceneExpression get(String source) {
      try {
        return cache.computeIfAbsent(source, LuceneExpression::compile);
      } catch (ExecutionException e) {
        throw new IllegalArgumentException("the expression can't be compiled", e);
      }
    }
  }

  /**
   * An expression for one request, with the origin of each variable's value. Immutable.
   *
   * @param source the expression's text
   * @param arguments one per variable of the expression, in the order of the variables
   */
  public record Bound(String source, List<Argument> arguments) implements WireRecord {
    public Bound {
      arguments = List.copyOf(arguments);
    }

    /**
     * Determines where the value of each variable comes from.
     *
     * @param field returns the argument for a field, by its name
     * @param column returns a feature's index in the set, by its name
     * @throws IllegalArgumentException naming the feature or parameter that is absent
     */
    public static Bound of(
        LuceneExpression expression,
        Map<String, Object> params,
        Function<String, Argument> field,
        ToIntFunction<String> column) {
      List<Argument> arguments = new ArrayList<>();
      for (Variable variable : expression.variables()) {
        StepLimit.step();
        String name = variable.name;
        arguments.add(
            switch (variable.kind) {
              case PARAM -> new Argument(null, -1, RequestBinding.number(params, name));
              case FIELD -> field.apply(name);
              case FEATURE -> Argument.ofColumn(column.applyAsInt(name));
            });
      }
      return new Bound(expression.source(), arguments);
    }

    /**
     * The origin of a variable's value: a field, another feature, or a number in the request.
     *
     * @param field the name of the field, whose smallest value is used; null if the origin is not a
     *     field
     * @param column the index of the feature in the set; -1 if the origin is not a feature
     * @param number the number in the request; 0 for a field or a feature
     */
    public record Argument(@Nullable String field, int column, double number)
        implements WireRecord {
      public static Argument ofField(String field) {
        return new Argument(field, -1, 0);
      }

      public static Argument ofColumn(int column) {
        return new Argument(null, column, 0);
      }

      public boolean isColumn() {
        return column >= 0;
      }

      public boolean isNumber() {
        return field == null && !isColumn();
      }
    }
  }

  /** The values of one variable of an expression: one number for all hits, or one per hit. */
  public static final class InputColumn extends DoubleValues {
    private final float @Nullable [] floats;
    private final double @Nullable [] doubles;
    private final int start;
    private double value;

    private InputColumn(float @Nullable [] floats, double @Nullable [] doubles, int start) {
      this.floats = floats;
      this.doubles = doubles;
      this.start = start;
    }

    public InputColumn(double value) {
      this(null, null, 0);
      this.value = value;
    }

    public InputColumn(ShardFeature.Column column) {
      this(column.values(), null, column.start());
    }

    public InputColumn(double[] doubles) {
      this(null, doubles, 0);
    }

    /**
     * Selects the hit whose value {@link #doubleValue} returns next.
     *
     * @param place the hit's index among the hits to rank
     */
    public void moveTo(int place) {
      if (floats != null) {
        value = floats[start + place];
      } else if (doubles != null) {
        value = doubles[place];
      }
    }

    @Override
    public double doubleValue() {
      return value;
    }

    @Override
    public boolean advanceExact(int doc) {
      throw new UnsupportedOperationException(
          "advanceExact is not supported; call moveTo with the document's index in the window");
    }
  }
}

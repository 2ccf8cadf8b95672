// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;

/**
 * The table of all kinds of features, such as {@code query} and {@code field}. A new kind is added
 * as one more {@link Kind}.
 */
public final class FeatureKinds {
  private static final List<Kind> ALL =
      List.of(
          new Kind(
              "query", QueryFeature.class, QueryFeature::parse, List.of(QueryFeature.Bound.class)),
          new Kind(
              "field",
              FieldFeature.class,
              FieldFeature::parse,
              List.of(FieldFeature.Bound.class, DistanceFeature.Bound.class)),
          new Kind("param", ParamFeature.class, ParamFeature::parse, List.of()),
          new Kind(
              "first_pass_score",
              FirstPassScoreFeature.class,
              (name, modifiers, options) -> new FirstPassScoreFeature(name, modifiers),
              List.of(FirstPassScoreFeature.Bound.class)),
          new Kind(
              "term_statistics",
              TermStatisticsFeature.class,
              TermStatisticsFeature::parse,
              List.of(TermStatisticsFeature.Bound.class)),
          new Kind(
              "expression",
              ExpressionFeature.class,
              ExpressionFeature::parse,
              List.of(ExpressionFeature.Bound.class)),
          new Kind(
              "script",
              ScriptFeature.class,
              ScriptFeature::parse,
              List.of(ScriptFeature.Bound.class)),
          new Kind(
              "vector",
              VectorFeature.class,
              VectorFeature::parse,
              List.of(VectorFeature.Bound.class)));

  private FeatureKinds() {}

  /**
   * Parses a feature's JSON object. Its unknown fields remain in {@code options}; the caller must
   * reject them.
   *
   * @throws IllegalArgumentException naming the field that is wrong
   */
  public static FeatureDefinition parse(String name, Options options) throws IOException {
    // An object with a query or template needs no type: the LTR plugin's feature sets have none.
    boolean untyped = !options.has("type") && (options.has("query") || options.has("template"));
    String type = untyped ? type(QueryFeature.class) : String.valueOf(options.take("type"));
    Modifiers modifiers = Modifiers.parse(options);
    for (Kind kind : ALL) {
      if (kind.type().equals(type)) {
        return kind.parser().parse(name, modifiers, options);
      }
    }
    throw new IllegalArgumentException(
        "[type] must be one of " + ALL.stream().map(Kind::type).collect(Collectors.joining(", ")));
  }

  /** Returns the type in JSON of the features that are objects of a class. */
  static String type(Class<?> definition) {
    return ALL.stream()
        .filter(kind -> kind.definition() == definition)
        .findFirst()
        .orElseThrow()
        .type();
  }

  /** Returns the readers of bound features in messages between nodes, one per class. */
  public static List<NamedWriteableRegistry.Entry> namedWriteables() {
    List<NamedWriteableRegistry.Entry> entries = new ArrayList<>();
    entries.add(entry(BoundFeature.Unused.class));
    entries.add(entry(BoundFeature.Constant.class));
    ALL.forEach(kind -> kind.bound().forEach(type -> entries.add(entry(type))));
    return entries;
  }

  private static NamedWriteableRegistry.Entry entry(Class<? extends BoundFeature> type) {
    return new NamedWriteableRegistry.Entry(
        BoundFeature.class, BoundFeature.wireName(type), WireRecord.reader(type));
  }

  /**
   * A kind of features.
   *
   * @param type the kind's name in JSON, such as {@code query}
   * @param definition the class of the kind's definitions
   * @param parser reads a definition that a user wrote
   * @param bound the classes of bound features that definitions of this kind create
   */
  record Kind(
      String type,
      Class<? extends FeatureDefinition> definition,
      Parser parser,
      List<Class<? extends BoundFeature>> bound) {
    /** Reads the JSON fields that only one kind of feature has. */
    @FunctionalInterface
    public interface Parser {
      /**
       * Reads a definition of a feature of this kind.
       *
       * @param options the JSON fields; the caller rejects the fields that this method does not
       *     read
       * @throws IllegalArgumentException naming the field that is wrong
       */
      FeatureDefinition parse(String name, Modifiers modifiers, Options options) throws IOException;
    }

    public Kind {
      bound = List.copyOf(bound);
    }
  }
}

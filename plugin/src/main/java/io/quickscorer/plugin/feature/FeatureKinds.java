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
          QueryFeature.KIND,
          FieldFeature.KIND,
          ParamFeature.KIND,
          FirstPassScoreFeature.KIND,
          TermStatisticsFeature.KIND,
          ExpressionFeature.KIND,
          ScriptFeature.KIND,
          VectorFeature.KIND);

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
    String type = untyped ? QueryFeature.TYPE : String.valueOf(options.take("type"));
    Modifiers modifiers = Modifiers.parse(options);
    for (Kind kind : ALL) {
      if (kind.type().equals(type)) {
        return kind.parser().parse(name, modifiers, options);
      }
    }
    throw new IllegalArgumentException(
        "[type] must be one of " + ALL.stream().map(Kind::type).collect(Collectors.joining(", ")));
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
   * @param parser reads a definition that a user wrote
   * @param bound the classes of bound features that definitions of this kind create
   */
  record Kind(String type, Parser parser, List<Class<? extends BoundFeature>> bound) {
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

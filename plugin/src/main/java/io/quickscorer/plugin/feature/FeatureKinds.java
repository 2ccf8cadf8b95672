// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.common.io.stream.Writeable;

/** The table of kinds of features: a new kind is one more line of it. */
public final class FeatureKinds {
  private static final List<FeatureKind> ALL =
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
   * Reads one feature's fields; what is left over is the caller's to refuse.
   *
   * @throws IllegalArgumentException naming the field that is wrong
   */
  public static FeatureDefinition parse(String name, Options options) throws IOException {
    // Without a type, what has a query is a query: so sets written for the LTR plugin are read.
    boolean untyped = !options.has("type") && (options.has("query") || options.has("template"));
    String type = untyped ? QueryFeature.TYPE : String.valueOf(options.take("type"));
    Modifiers modifiers = Modifiers.parse(options);
    for (FeatureKind kind : ALL) {
      if (kind.type().equals(type)) {
        return kind.parser().parse(name, modifiers, options);
      }
    }
    throw new IllegalArgumentException(
        "[type] must be one of "
            + ALL.stream().map(FeatureKind::type).collect(Collectors.joining(", ")));
  }

  /** Returns the readers of bound features from the wire, by their names. */
  public static List<NamedWriteableRegistry.Entry> namedWriteables() {
    List<NamedWriteableRegistry.Entry> entries = new ArrayList<>();
    entries.add(entry(BoundFeature.Unused.NAME, WireRecord.reader(BoundFeature.Unused.class)));
    entries.add(entry(BoundFeature.Constant.NAME, WireRecord.reader(BoundFeature.Constant.class)));
    ALL.forEach(kind -> kind.wire().forEach((name, reader) -> entries.add(entry(name, reader))));
    return entries;
  }

  private static NamedWriteableRegistry.Entry entry(
      String name, Writeable.Reader<? extends BoundFeature> reader) {
    return new NamedWriteableRegistry.Entry(BoundFeature.class, name, reader);
  }
}

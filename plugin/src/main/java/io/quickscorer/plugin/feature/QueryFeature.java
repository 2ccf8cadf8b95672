// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.io.IOException;
import java.util.Map;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * A feature whose value is the score of a query. A template (a text with placeholders) creates the
 * query from the request's parameters. A document that does not match the query has no value.
 *
 * @param template the query's template
 */
public record QueryFeature(String name, Modifiers modifiers, QueryTemplate template)
    implements FeatureDefinition {
  static QueryFeature parse(String name, Modifiers modifiers, Options options) throws IOException {
    Object template = options.take(options.has("query") ? "query" : "template");
    Object language = options.take("template_language");
    if (language != null && !language.equals("mustache")) {
      throw new IllegalArgumentException("[template_language] must be mustache");
    }
    return new QueryFeature(name, modifiers, template(template));
  }

  private static QueryTemplate template(@Nullable Object template) throws IOException {
    return switch (template) {
      case String text -> new QueryTemplate(text);
      case Map<?, ?> object -> QueryTemplate.of(Options.object("query", object));
      case null, default ->
          throw new IllegalArgumentException("[query] must be an object or a string");
    };
  }

  @Override
  public void tell(Uses uses) {
    uses.query(template);
  }

  @Override
  public void optionsToXContent(XContentBuilder builder) throws IOException {
    builder.field("query", template.toXContentValue());
  }

  @Override
  public boolean usesScript() {
    return ScriptUse.in(template);
  }

  @Override
  public BoundFeature bind(RequestBinding request) throws IOException {
    return new Bound(name, modifiers, request.query(template));
  }

  /**
   * The query feature of one request.
   *
   * @param query the index of the query in the request's list of queries
   */
  record Bound(String name, Modifiers modifiers, int query) implements BoundFeature {
    @Override
    public ShardFeature onShard(ShardBinding shard) {
      return new Scored(shard.query(query), modifiers);
    }
  }

  private record Scored(Query scored, Modifiers modifiers) implements ShardFeature {
    @Override
    public void fill(ShardFeature.Extraction extraction, ShardFeature.Column target) {
      modifiers.apply(target.values(), target.start(), extraction.window().size());
    }
  }
}

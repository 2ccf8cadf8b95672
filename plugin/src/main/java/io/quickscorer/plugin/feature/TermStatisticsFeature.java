// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.mapper.MappedFieldType;

/**
 * A feature: a statistic of each term of a text, aggregated to one number. The field's search
 * analyzer splits the text into terms.
 *
 * @param text the text, a template that contains parameters of the request
 * @param match the template of a query that matches the terms
 */
record TermStatisticsFeature(
    String name,
    Modifiers modifiers,
    String field,
    String text,
    QueryTerms.Statistic statistic,
    Aggregate aggregate,
    QueryTemplate match)
    implements FeatureDefinition {
  private static final String TYPE = "term_statistics";

  static final FeatureKinds.Kind KIND =
      new FeatureKinds.Kind(TYPE, TermStatisticsFeature::parse, List.of(Bound.class));

  private static TermStatisticsFeature parse(String name, Modifiers modifiers, Options options)
      throws IOException {
    String field = options.string("field");
    String text = options.string("text");
    if (field.contains("{{")) {
      throw new IllegalArgumentException("[field] must be the name of a field, not a template");
    }
    return new TermStatisticsFeature(
        name,
        modifiers,
        field,
        text,
        options.choice("statistic", QueryTerms.Statistic.class, null),
        options.choice("aggregate", Aggregate.class, null),
        // A match query analyses the text exactly as searches of the field do.
        QueryTemplate.of(Map.of("match", Map.of(field, Map.of("query", text)))));
  }

  @Override
  public void tell(Uses uses) {
    uses.query(match);
  }

  @Override
  public String type() {
    return TYPE;
  }

  @Override
  public void optionsToXContent(XContentBuilder builder) throws IOException {
    builder.field("field", field).field("text", text);
    builder.field("statistic", EnumNames.of(statistic));
    builder.field("aggregate", EnumNames.of(aggregate));
  }

  @Override
  public BoundFeature bind(RequestBinding request) throws IOException {
    return new Bound(name, modifiers, field, request.query(match), statistic, aggregate);
  }

  /**
   * The feature after it is bound to a request.
   *
   * @param query the query's index among the request's queries
   */
  record Bound(
      String name,
      Modifiers modifiers,
      String field,
      int query,
      QueryTerms.Statistic statistic,
      Aggregate aggregate)
      implements BoundFeature {
    @Override
    public ShardFeature onShard(ShardBinding shard) {
      MappedFieldType type = shard.field(field);
      Query matching = shard.query(query);
      QueryTerms terms = new QueryTerms(matching);
      if (terms.isEmpty() && !(matching instanceof MatchNoDocsQuery)) {
        throw new IllegalArgumentException(
            "field [" + field + "] of type [" + type.typeName() + "] has no terms");
      }
      if (statistic == QueryTerms.Statistic.POSITION && !type.getTextSearchInfo().hasPositions()) {
        throw new IllegalArgumentException(
            "field [" + field + "] is indexed without positions, which statistic [position] needs");
      }
      return ShardFeature.of(values(terms), modifiers);
    }

    private ShardFeature.Source values(QueryTerms terms) {
      return switch (statistic) {
        case DF, TTF, IDF ->
            (searcher, window, values) ->
                Arrays.fill(values, terms.ofShard(searcher, statistic, aggregate));
        case TF, POSITION ->
            (searcher, window, values) ->
                terms.ofDocuments(searcher, window, statistic, aggregate, values);
      };
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.feature.expression.Expressions;
import java.util.List;
import org.apache.lucene.search.Query;
import org.opensearch.index.mapper.DerivedFieldType;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.query.ParsedQuery;
import org.opensearch.index.query.QueryShardContext;

/**
 * What features find on a shard.
 *
 * @param context the shard's mapping, field data and scripts
 * @param queries the request's queries, made for the shard
 * @param expressions the node's compiled expressions
 */
public record ShardBinding(
    QueryShardContext context, List<ParsedQuery> queries, Expressions expressions) {
  public Query query(int place) {
    return queries.get(place).query();
  }

  /**
   * @throws IllegalArgumentException if the field is not mapped, or has no values of its own
   */
  public MappedFieldType field(String name) {
    MappedFieldType type = context.fieldMapper(name);
    if (type == null) {
      throw new IllegalArgumentException("no field [" + name + "]");
    }
    if (type.unwrap() instanceof DerivedFieldType) {
      throw new IllegalArgumentException(
          "field ["
              + name
              + "] is derived by a script and has no stored values; use a [query] or [script]"
              + " feature");
    }
    return type;
  }
}

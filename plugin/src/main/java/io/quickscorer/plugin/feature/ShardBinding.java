// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.memory.RequestBudget;
import java.util.List;
import org.apache.lucene.search.Query;
import org.opensearch.index.mapper.DerivedFieldType;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.ObjectMapper;
import org.opensearch.index.query.ParsedQuery;
import org.opensearch.index.query.QueryShardContext;

/**
 * The data of a shard that is needed to compute features.
 *
 * @param context gives access to the shard's mapping, field data and scripts
 * @param queries the request's queries, converted for the shard
 * @param expressions the node's cache of compiled expressions
 * @param budget charges the memory of the data that features hold
 */
public record ShardBinding(
    QueryShardContext context,
    List<ParsedQuery> queries,
    LuceneExpression.Compiled expressions,
    RequestBudget budget) {
  public Query query(int place) {
    return queries.get(place).query();
  }

  /**
   * Returns the type of a mapped field.
   *
   * @throws IllegalArgumentException if the field is not mapped, or is derived by a script
   */
  public MappedFieldType field(String name) {
    MappedFieldType type = context.fieldMapper(name);
    if (type == null) {
      throw new IllegalArgumentException("the index has no field [" + name + "]");
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

  /**
   * Returns the type of a field whose values belong to the hit itself, not to nested objects, which
   * are separate Lucene documents.
   *
   * @throws IllegalArgumentException if {@link #field} rejects the field, or if it is inside nested
   *     objects
   */
  public MappedFieldType fieldOfHit(String name) {
    MappedFieldType type = field(name);
    for (int dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
      ObjectMapper parent = context.getObjectMapper(name.substring(0, dot));
      if (parent != null && parent.nested().isNested()) {
        throw new IllegalArgumentException(
            "field ["
                + name
                + "] is inside nested objects ["
                + parent.fullPath()
                + "], which are separate documents; use a [query] feature with a [nested]"
                + " query");
      }
    }
    return type;
  }
}

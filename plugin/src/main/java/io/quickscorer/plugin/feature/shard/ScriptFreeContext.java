// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import io.quickscorer.plugin.feature.ScriptUse;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.script.Script;
import org.opensearch.script.ScriptContext;

/**
 * A copy of a shard's context in which scripts cannot be compiled. So no query, and no derived
 * field in a query, can run a script.
 */
final class ScriptFreeContext extends QueryShardContext {
  private final QueryShardContext source;

  ScriptFreeContext(QueryShardContext source) {
    super(source);
    this.source = source;
  }

  @Override
  public <T> T compile(Script script, ScriptContext<T> context) {
    throw ScriptUse.forbidden();
  }

  /** Returns the type of a derived field (computed by a script) from the original context. */
  @Override
  public MappedFieldType resolveDerivedFieldType(String name) {
    return source.resolveDerivedFieldType(name);
  }
}

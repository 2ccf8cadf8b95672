// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.expression;

import java.util.concurrent.ExecutionException;
import org.opensearch.common.cache.Cache;
import org.opensearch.common.cache.CacheBuilder;

/**
 * A cache of the node's compiled expressions, because compiling takes too long for a search.
 * Thread-safe.
 */
public final class Expressions {
  /** Maximum number of cached expressions. Each one is a class of some kilobytes. */
  private static final int MAX_KEPT = 2_000;

  private final Cache<String, FeatureExpression> compiled =
      CacheBuilder.<String, FeatureExpression>builder().setMaximumWeight(MAX_KEPT).build();

  public FeatureExpression get(String source) {
    try {
      return compiled.computeIfAbsent(source, FeatureExpression::compile);
    } catch (ExecutionException e) {
      throw new IllegalArgumentException("the expression can't be compiled", e);
    }
  }
}

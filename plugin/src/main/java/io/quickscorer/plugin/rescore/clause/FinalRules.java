// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.feature.expression.FeatureExpression;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * The rules for a ranking after the models have scored. Immutable.
 *
 * @param expression gives the final score of a rescored hit, or null if the score does not change
 * @param minModelScore rescored hits with a lower model score are cut, or null
 * @param maxRank hits after this rank are cut, or null
 */
public record FinalRules(
    @Nullable String expression, @Nullable Double minModelScore, @Nullable Integer maxRank)
    implements WireRecord, ToXContentFragment {
  static final String FINAL = "final";
  static final String MIN_MODEL_SCORE = "min_model_score";
  static final String MAX_RANK = "max_rank";

  public static final FinalRules NONE = new FinalRules(null, null, null);

  public FinalRules {
    if (minModelScore != null && !Double.isFinite(minModelScore)) {
      throw new IllegalArgumentException("[" + MIN_MODEL_SCORE + "] must be finite");
    }
    if (maxRank != null && maxRank < 1) {
      throw new IllegalArgumentException("[" + MAX_RANK + "] must be 1 or more, not " + maxRank);
    }
  }

  /**
   * Checks the text of an expression.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  static String expression(String text) {
    return FeatureExpression.compile(text).source();
  }

  /** Returns whether hits may be cut out of the ranking. */
  public boolean cuts() {
    return minModelScore != null || maxRank != null;
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params ignored) throws IOException {
    if (expression != null) {
      builder.field(FINAL, expression);
    }
    if (minModelScore != null) {
      builder.field(MIN_MODEL_SCORE, minModelScore);
    }
    if (maxRank != null) {
      builder.field(MAX_RANK, maxRank);
    }
    return builder;
  }
}

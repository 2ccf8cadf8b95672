// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.feature.LuceneExpression;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * The options of a clause that change the ranking after the models have computed their scores.
 * Immutable.
 *
 * @param expression an expression for the final score of each hit that the model ranked; null if
 *     scores are not changed
 * @param minModelScore the lowest model score of a hit that is not removed; null to remove no hits
 * @param maxRank the last rank, counted from 1, of a hit that is not removed; null to remove no
 *     hits
 */
public record FinalRules(
    @Nullable String expression, @Nullable Double minModelScore, @Nullable Integer maxRank)
    implements WireRecord, ToXContentFragment {
  public static final String FINAL = "final";
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
   * Checks a {@code final} expression, which computes the final scores of hits, and returns its
   * text.
   *
   * @throws IllegalArgumentException if the text is not a valid expression
   */
  static String expression(String text) {
    return LuceneExpression.compile(text).source();
  }

  /** Returns whether the rules can remove hits from the ranking. */
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
